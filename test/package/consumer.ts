// Application code that every compiler of the matrix must accept. Each `@ts-expect-error` marks a mistake that the
// compiler must find.

const consumer = `
import {
  MessagingServiceError, TransactionalClient, V2Client, ValidationError,
  analyzeGsm7, checkFile, createThrottle, isAllowedContentType, throttleFrom, toE164,
} from "messaging-service-client";
import type {
  AnyMessagingServiceError, ApiPromise, ApiResponse, ClientEvent, List, OptInSettings, Page, PagePromise,
  Throttle, V2ClientOptions, ValidationIssue,
} from "messaging-service-client";
import { V2Client as V2Alone } from "messaging-service-client/v2";
import { TransactionalClient as TransactionalAlone } from "messaging-service-client/transactional";
import { listSchema, pageSchema, rcsTextMessageSchema } from "messaging-service-client/schemas";
import { createFakeService, type FakeService } from "messaging-service-client/testing";
import { listen, type ListeningService } from "messaging-service-client/testing/node";
import { fetchFrom } from "messaging-service-client/v2";
import { downloadReport, type DownloadedReport } from "messaging-service-client/reports";
import { traced, type TracedOptions } from "messaging-service-client/opentelemetry";

const service: FakeService = createFakeService({ rateLimit: true });
const { email, apiKey } = service.account;
const throttle: Throttle = createThrottle({ limit: 1200, interval: 3_600_000 });
const shared = throttleFrom({ consume: async () => {} }, { key: "account-1" });
const options: V2ClientOptions = { baseUrl: service.v2BaseUrl, email, apiKey, fetch: service.fetch, throttle };
export const v2 = new V2Client(options);
export const onRealFetch = new V2Client({ fetch: globalThis.fetch, timeout: undefined, headers: new Headers() });
export const rcs = new TransactionalClient({ apiKey, throttle: shared, onEvent: tell, retry: { limit: 1 } });
export const aloneToo: [V2Alone, TransactionalAlone] = [v2, rcs];

function tell(event: ClientEvent): void {
  if (event.type === "retry") console.log(event.delayMs, event.reason);
}

export async function callVersion2(): Promise<void> {
  const lists: PagePromise<List> = v2.lists.list({ per_page: 100 }, { prefetch: true });
  for await (const list of lists) {
    const name: string = list.name;
    // @ts-expect-error: a name is a text
    const wrong: number = list.name;
    console.log(name, wrong);
  }
  for await (const { items, pages_count } of v2.lists.list().pages()) console.log(items.length, pages_count);
  const page: Page<List> = await v2.lists.list({ include_deleted: false });
  if (page.hasNextPage()) for await (const list of (await page.getNextPage()) ?? []) console.log(list.id);
  const call: ApiPromise<List> = v2.lists.retrieve(1, { signal: new AbortController().signal, timeout: 1_000 });
  const { data, response }: ApiResponse<List> = await v2.lists.create({ name: "VIP" }).withResponse();
  const single = await v2.lists.configureOptIn(data.id, { opt_in_type: "single" });
  // @ts-expect-error: a single opt-in has no steps
  const steps = single.opt_in_requests;
  const double = await v2.lists.configureOptIn(data.id, { opt_in_type: "double", opt_in_requests: [] });
  const given = { collected_data: "yes", request_message: "", retry_message: "" } as const;
  const settings: OptInSettings = {
    opt_in_type: "double",
    // @ts-expect-error: a reminder has its hour
    opt_in_requests: [{ ...given, follow_up: true, success_action: "optinsubscriber" }],
  };
  const { phone_number } = await v2.subscribers.remove(data.id, toE164("(206) 555-0123"));
  for await (const { id } of v2.scheduledMessages.list(data.id, { start_date: new Date(), end_date: "20261231" })) {
    console.log(id);
  }
  const report = await v2.momtReports.waitUntilFinished(1, { interval: 10, onProgress: (each) => each.percent_complete });
  const { pages_count } = await v2.request({ method: "GET", path: "/api/v2/lists", schema: pageSchema });
  console.log(await call, response.status, steps, double.opt_in_requests, settings, phone_number, report.id, pages_count);
}

export async function send(): Promise<void> {
  const message = { phoneNumber: "+12065550123", webhookUrl: "https://example.com/webhooks", smsFailover: "Hi" };
  const { transactionId } = await rcs.sendRcsText({ ...message, rcsPayload: { text: "Hi" } });
  const file = { ...message, rcsPayload: { file: { url: "https://example.com/menu.pdf" } } };
  await rcs.sendRcsFile(file, { contentType: "application/pdf" });
  // @ts-expect-error: a text is no file
  await rcs.sendRcsFile({ ...message, rcsPayload: { text: "Hi" } });
  const { septets, invalid } = analyzeGsm7("Hi");
  const { size }: { size?: number } = await checkFile("https://example.com/menu.pdf");
  console.log(transactionId, septets, invalid[0]?.suggestion, size, isAllowedContentType("image/png"));
}

export function handle(error: unknown): string {
  if (ValidationError.is(error)) {
    const issues: readonly ValidationIssue[] = error.errors;
    return issues.map(({ path }) => path.join(".")).join();
  }
  if (!MessagingServiceError.is(error)) return String(error);
  const known: AnyMessagingServiceError = error;
  switch (known.code) {
    case "rate_limit":
      return String(known.retryAfterMs);
    case "timeout":
      return known.phase;
    case "throttle":
      return known.reason;
    default:
      return known.outcome;
  }
}

export async function test(): Promise<void> {
  const listening: ListeningService = await listen(service, { port: 0 });
  const list: List = service.addList({ name: "VIP", keyword_names: ["VIP"] });
  service.failNext({ status: 503, times: 2, endpoint: "GET /api/v2/lists" });
  service.receiveText({ from: "+12065550123", text: "VIP" });
  console.log(listening.v2BaseUrl, service.outbox[0]?.channel, service.requests.length, list.counts);
  await listening.close();
}

declare const tracer: TracedOptions["tracer"];
declare const instance: { (input: URL, options: object): Promise<Response>; extend(options: object): unknown };
export const carried = new V2Client({ ...traced({ tracer, fetch: fetchFrom(instance), onEvent: tell }) });
export async function save(id: number): Promise<void> {
  const file: DownloadedReport = await downloadReport(await v2.momtReports.retrieve(id), {
    onProgress: ({ received, total }) => console.log(received, total),
  });
  console.log((await file.bytes()).length, (await file.text()).length, file.size);
}

const parsed: List = listSchema.parse({});
const result = rcsTextMessageSchema.safeParse({});
if (result.success) console.log(result.data.rcsPayload.text, parsed);
`;

/** Every entry point as CommonJS, in TypeScript's syntax for it. */
const required = `
import sdk = require("messaging-service-client");
import alone = require("messaging-service-client/v2");
import aloneToo = require("messaging-service-client/transactional");
import schemas = require("messaging-service-client/schemas");
import testing = require("messaging-service-client/testing");
import node = require("messaging-service-client/testing/node");
import reports = require("messaging-service-client/reports");
import telemetry = require("messaging-service-client/opentelemetry");
import manifest = require("messaging-service-client/package.json");
const v2: alone.V2Client = new sdk.V2Client();
const rcs: aloneToo.TransactionalClient = new sdk.TransactionalClient();
const list: sdk.List = schemas.listSchema.parse({});
const service: testing.FakeService = testing.createFakeService();
const listening: Promise<node.ListeningService> = node.listen(service);
const version: string = manifest.version;
const file: Promise<reports.DownloadedReport> = reports.downloadReport({ s3_url: null });
declare const tracer: telemetry.TracedOptions["tracer"];
const options: ReturnType<typeof telemetry.traced> = telemetry.traced({ tracer });
export = { v2, rcs, list, listening, version, file, options };
`;

const handlers = `
import type { HttpHandler } from "msw";
import { createFakeService } from "messaging-service-client/testing";
import { handlersFor } from "messaging-service-client/testing/msw";
export const handlers: HttpHandler[] = handlersFor(createFakeService());
// @ts-expect-error: not without a fake service
handlersFor();
`;

/** Everything that is compiled. */
export const consumers: Readonly<Record<string, string>> = {
  "consumer.mts": consumer,
  "consumer.cts": consumer,
  "required.cts": required,
  "handlers.mts": handlers,
  "handlers.cts": handlers,
};
