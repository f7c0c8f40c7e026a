// The checks that must pass in every runtime. A check throws if something does not work.
import {
  createThrottle,
  MessagingServiceError,
  NotFoundError,
  ThrottleError,
  TransactionalClient,
  toE164,
  toGsm7,
  V2Client,
  ValidationError,
} from "messaging-service-client";
import { memoryLedger, previewMany, sendMany, sendOnce } from "messaging-service-client/bulk";
import { listSchema, pageSchema } from "messaging-service-client/schemas";
import { createFakeService } from "messaging-service-client/testing";
import { TransactionalClient as TransactionalAlone } from "messaging-service-client/transactional";
import { V2Client as V2Alone } from "messaging-service-client/v2";
import { ENDPOINTS, type Specified } from "../../support/tables/specification.ts";
import { equal, failureOf } from "./expect.ts";
import { deadEnds, failures } from "./failures.ts";
import { leaks } from "./leaks.ts";
import { ledgers } from "./ledgers.ts";
import { type Check, message } from "./world.ts";

const step = {
  collected_data: "yes",
  request_message: "Reply YES to join.",
  retry_message: "Reply YES or STOP.",
  follow_up: true,
  follow_up_hour: 24,
  success_action: "optinsubscriber",
} as const;

/** The order matters: the first calls of some endpoints fail. */
export const checks: Readonly<Record<string, Check>> = {
  ...Object.fromEntries(Object.entries(failures).map(([name, { check }]) => [name, check])),
  ...deadEnds,
  ...leaks,
  "sendMany sends each message once, in a run that is repeated and left": async ({ rcs }) => {
    const ledger = memoryLedger();
    const items = ["(206) 555-0123", "(312) 555-0142", "206.555.0123"].map((phoneNumber) => ({
      ...message,
      phoneNumber,
    }));
    const options = { batch: "runtimes", ledger };
    equal((await previewMany(items, options)).sendable, 2);
    for await (const { state } of sendMany(rcs, items, { ...options, concurrency: 1 })) {
      equal(state, "accepted");
      break;
    }
    const { accepted, skipped } = await sendMany(rcs, items, options);
    equal([accepted, skipped], [1, 2]);
    const once = { ledger, key: "order-17" };
    equal((await sendOnce(rcs, message, once)).sentNow, true);
    equal((await sendOnce(rcs, message, once)).sentNow, false);
  },
  ...ledgers,
  "lists are iterated page by page": async ({ v2 }) => {
    const names: string[] = [];
    for await (const { name } of v2.lists.list({ per_page: 1 })) names.push(name);
    equal(names, ["A", "B", "C"]);
  },
  "lists are collected with prefetch": async ({ v2 }) => {
    const lists = await v2.lists.list({ per_page: 2 }, { prefetch: true }).toArray({ limit: 3 });
    equal(lists.length, 3);
  },
  "a list is retrieved": async ({ v2, listId }) => {
    equal((await v2.lists.retrieve(listId)).counts.subscribers, 1);
  },
  "a missing list rejects with a NotFoundError": async ({ v2 }) => {
    const error = await failureOf(v2.lists.retrieve(999_999));
    equal([error instanceof NotFoundError, error instanceof MessagingServiceError], [true, true]);
    equal(
      [NotFoundError.is(error), ValidationError.is(error), error.outcome],
      [true, false, "rejected"],
    );
  },
  "a list is created": async ({ v2 }) => {
    equal((await v2.lists.create({ name: "Ünïcödé ✓" })).name, "Ünïcödé ✓");
  },
  "a single and a double opt-in are configured": async ({ v2, listId }) => {
    const double = { opt_in_type: "double", opt_in_requests: [step] } as const;
    const { opt_in_requests } = await v2.lists.configureOptIn(listId, double);
    equal(opt_in_requests.length, 1);
    const single = { opt_in_type: "single", first_optin_message: "Welcome!" } as const;
    equal((await v2.lists.configureOptIn(listId, single)).first_optin_message, "Welcome!");
  },
  "a subscriber is removed": async ({ v2, listId, phone }) => {
    equal((await v2.subscribers.remove(listId, phone)).phone_number, phone);
  },
  "scheduled messages are listed": async ({ v2, listId }) => {
    const messages = await v2.scheduledMessages.list(listId, { start_date: "20260101" }).toArray();
    equal(messages.length, 1);
  },
  "a report is waited for": async ({ v2, reportId }) => {
    equal((await v2.momtReports.waitUntilFinished(reportId)).percent_complete, 100);
  },
  "a text is sent": async ({ rcs }) => {
    equal(typeof (await rcs.sendRcsText(message)).transactionId, "string");
  },
  "a file is sent": async ({ rcs }) => {
    const rcsPayload = { file: { url: "https://example.com/menu.pdf" } };
    equal(typeof (await rcs.sendRcsFile({ ...message, rcsPayload })).transactionId, "string");
  },
  "a message that breaks a rule is refused and not sent": async ({ rcs }) => {
    const invalid = { ...message, phoneNumber: "555 123 4567", smsFailover: "“Hi”" };
    const here = await failureOf(rcs.sendRcsText(invalid));
    const there = await failureOf(rcs.sendRcsText(invalid, { validateRequests: false }));
    if (!ValidationError.is(here) || !ValidationError.is(there))
      throw new Error("of another class");
    equal([here.outcome, here.errors.length, there.outcome], ["not_sent", 2, "rejected"]);
    const fieldsOf = ({ errors }: ValidationError) =>
      errors.map(({ code, path, validation }) => ({ code, path, validation }));
    equal(fieldsOf(here), fieldsOf(there));
  },
  "a throttle delays calls beyond its limit": async ({ v2BaseUrl, email, apiKey }) => {
    const throttle = createThrottle({ limit: 1, interval: 60_000, maxWait: 0 });
    const v2 = new V2Client({ baseUrl: v2BaseUrl, email, apiKey, throttle });
    await v2.accounts.me();
    const error = await failureOf(v2.accounts.me());
    equal([ThrottleError.is(error), error.outcome], [true, "not_sent"]);
  },
  "withResponse() of a call resolves to its response": async ({ v2, email }) => {
    const { data, body, response } = await v2.accounts.me().withResponse();
    equal([data.email, typeof body, response.status, response.ok], [email, "object", 200, true]);
    // Node reads the body before the caller receives the response. Each version of Node does this differently.
    equal(response.bodyUsed, true);
    await failureOf(response.text());
  },
  "request() sends any path, and a schema checks the response": async ({ v2 }) => {
    const request = {
      method: "GET",
      path: "/api/v2/lists",
      query: { page: 2, per_page: 2 },
    } as const;
    const { page, per_page } = await v2.request({ ...request, schema: pageSchema });
    equal([page, per_page], [2, 2]);
  },
  "every method that reads responds": async (world) => {
    const reads = Object.values<Specified>(ENDPOINTS).filter(({ method }) => method === "GET");
    for (const { calls } of reads) equal(typeof (await calls[0](world)), "object");
  },
  "a client without a base URL is refused": async ({ email, apiKey }) => {
    const error = await failureOf((async () => new V2Client({ email, apiKey }))());
    equal([error instanceof TypeError, error.message.includes("baseUrl")], [true, true]);
  },
  "the clients show no key as strings and as JSON": async ({ v2, rcs, email, apiKey }) => {
    const secrets = [apiKey, btoa(`${email}:${apiKey}`)];
    const shown = [v2, rcs].map((client) => `${String(client)} ${JSON.stringify(client)}`).join();
    equal(
      secrets.filter((secret) => shown.includes(secret)),
      [],
    );
  },
  "the rules and schemas work alone": async ({ v2, listId }) => {
    equal([toE164("(416) 555-0123"), toGsm7("“Hi” …")], ["+14165550123", '"Hi" ...']);
    equal(listSchema.parse(await v2.lists.retrieve(listId)).id, listId);
  },
  "the clients' own entry points export the same classes": async () => {
    equal([V2Alone === V2Client, TransactionalAlone === TransactionalClient], [true, true]);
  },
  "the fake service works without a socket": async () => {
    const { account, v2BaseUrl, fetch, ...service } = createFakeService();
    const { email, apiKey } = account;
    service.addList({ name: "VIP" });
    const v2 = new V2Client({ baseUrl: v2BaseUrl, email, apiKey, fetch });
    equal(
      (await v2.lists.list()).items.map(({ name }) => name),
      ["VIP"],
    );
  },
};
