// The fake service as a command, for other languages and tools.
import { randomBytes } from "node:crypto";
import { once } from "../../core/schemas/fields.ts";
import { createFakeService } from "../../testing/create-fake-service.ts";
import { thrownMessage } from "../../testing/fake/checks.ts";
import type { FakeService } from "../../testing/fake-service.ts";
import { hostOf, isThisMachine } from "../../testing/node/admission.ts";
import { type ListeningService, startServer } from "../../testing/node/server.ts";
import { followState, readStateFile } from "../../testing/node/state-file.ts";
import { readWebhookTemplate } from "../../testing/node/webhook-template.ts";
import { formatCountOf } from "../terminal/print.ts";
import { type FakeFlags, parseFakeFlags, toRateLimit } from "./fake-flags.ts";

/** Runs a step for the value of a flag, if it was given. If the step fails, its error names the flag. */
const forFlag = async <T>(
  flag: string,
  value: string | undefined,
  step: (value: string) => T | Promise<T>,
): Promise<T | undefined> => {
  if (value === undefined) return undefined;
  try {
    return await step(value);
  } catch (error) {
    throw new Error(`--${flag}: ${thrownMessage(error)}`, { cause: error });
  }
};

export const addSampleData = (service: FakeService): void => {
  const { id } = service.addList({
    name: "VIP",
    keyword_names: ["VIP"],
    first_optin_message: "Welcome! Reply STOP to leave.",
    second_optin_message: "Welcome back! Reply STOP to leave.",
    message_stop: "You left the VIP list.",
    message_help: "VIP offers, twice a month. Reply STOP to leave.",
    message_already_subscribed: "You are already on the VIP list.",
  });
  service.addList({
    name: "Newsletter",
    keyword_names: ["NEWS"],
    message_stop: "You left the newsletter.",
    message_help: "Our newsletter by e-mail. Reply STOP to leave.",
    opt_in_requests: [
      {
        collected_data: "email_address",
        request_message: "What is your e-mail address?",
        retry_message: "That is not an e-mail address. Please try again.",
        follow_up: true,
        follow_up_hour: 2,
        no_response_message: "We only need your e-mail address.",
        success_action: "nextrequest",
      },
      {
        collected_data: "yes",
        request_message: "Reply YES to get our newsletter.",
        retry_message: "Reply YES to join or STOP to leave.",
        follow_up: false,
        success_action: "optinsubscriber",
        opt_in_message: "You are on the list.",
        second_opt_in_message: "You are on the list again.",
      },
    ],
  });
  for (let subscribers = 0; subscribers < 3; subscribers += 1) service.addSubscriber(id);
  service.addScheduledMessage(id, { content: "Sale starts tomorrow." });
  service.addReport();
};

const createService = async (flags: FakeFlags) => {
  const { empty, email, "api-key": apiKey, latency, history: historyLimit } = flags;
  const state = await forFlag("state", flags.state, readStateFile);
  const webhooks = await forFlag("webhooks", flags.webhooks, readWebhookTemplate);
  // A key that is the same in every run would let other programs and pages use this fake. A saved state has its own key.
  const newKey = state === undefined ? `fake-${randomBytes(16).toString("hex")}` : undefined;
  const setUp = (service: FakeService): void => {
    if (!empty) addSampleData(service);
    for (let number = 1; number <= flags["seed-lists"]; number += 1) {
      service.addList({ name: `List ${number}`, keyword_names: [`LIST${number}`] });
    }
  };
  const account = { email, apiKey: apiKey ?? newKey };
  const rateLimit = toRateLimit(flags);
  const create = () =>
    createFakeService({ account, rateLimit, latency, setUp, state, webhooks, historyLimit });
  const service = (await forFlag("state", state && flags.state, create)) ?? create();
  return { service, hasSampleData: state === undefined && !empty };
};

const toListenError = (error: unknown, { port, host }: FakeFlags): unknown => {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new Error(`--port: ${port} is in use; choose another port, or 0 for any free port`);
    case "EACCES":
      return new Error(`--port: ${port} is reserved; use a port above 1023, or 0 for a free port`);
    case "EADDRNOTAVAIL":
    case "EAI_AGAIN":
    case "ENOTFOUND":
      return new Error(`--host: ${host} must be an address of this machine, such as 127.0.0.1`);
    default:
      return error;
  }
};

const startListening = async (
  service: FakeService,
  flags: FakeFlags,
): Promise<ListeningService> => {
  const warned = new Set<string>();
  const warnOnce = (origin: string): void => {
    // A page of another machine may be hostile, so no message advises you to allow it.
    if (warned.has(origin) || !URL.canParse(origin) || !isThisMachine(hostOf(new URL(origin))))
      return;
    warned.add(origin);
    console.error(`A page of ${origin} was refused; --allow-origin ${origin} allows it.`);
  };
  const options = {
    port: flags.port,
    host: flags.host,
    inbox: !flags["no-inbox"],
    allowedHosts: flags["allow-host"],
    allowedOrigins: flags["allow-origin"],
    webhooksTo: flags["webhooks-to"],
    webhooksAnywhere: flags["webhooks-anywhere"],
  };
  try {
    return await startServer(service, options, warnOnce);
  } catch (error) {
    throw toListenError(error, flags);
  }
};

const describeContents = ({ lists, reports, phones }: FakeService): string =>
  lists.length + reports.length + phones.length === 0
    ? "only an account"
    : Object.entries({ list: lists, report: reports, "phone number": phones })
        .map(([noun, { length }]) => formatCountOf(length, noun))
        .join(", ");

/** Describes the resources of the sample data that have an ID. Its two lists come before all others. */
const describeSampleData = ({ lists, reports }: FakeService): string =>
  [
    ...lists.slice(0, 2).map(({ id, name }) => `list ${id} "${name}"`),
    ...reports.map(({ id }) => `report ${id}`),
  ].join(", ");

const toSummary = (
  service: FakeService,
  server: ListeningService,
  hasSampleData: boolean,
): string => {
  const { email, apiKey } = service.account;
  const inbox = server.inboxUrl === undefined ? "" : `inbox          ${server.inboxUrl}\n`;
  return `version 2      ${server.v2BaseUrl}
transactional  ${server.transactionalBaseUrl}
e-mail         ${email}
API key        ${apiKey}  (valid for this fake only)
${inbox}contents       ${describeContents(service)}
${
  hasSampleData
    ? `               Sample data: ${describeSampleData(service)}.
               --help describes it, --empty starts without it.\n`
    : ""
}`;
};

/** Quotes a value for shells and the parsers of `.env` files, unless all of them read it correctly without quotes. */
const quoteForShell = (value: string): string => {
  if (/^[\w.:/@+-]+$/.test(value)) return value;
  return value.includes("'") ? JSON.stringify(value) : `'${value}'`;
};

const toEnv = ({ account }: FakeService, server: ListeningService): string => {
  const { email, apiKey } = account;
  const settings = {
    MESSAGING_V2_BASE_URL: server.v2BaseUrl,
    MESSAGING_V2_EMAIL: email,
    MESSAGING_V2_API_KEY: apiKey,
    MESSAGING_TRANSACTIONAL_BASE_URL: server.transactionalBaseUrl,
    MESSAGING_TRANSACTIONAL_API_KEY: apiKey,
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${quoteForShell(value)}`)
    .join("\n");
};

const start = async (flags: FakeFlags): Promise<void> => {
  const { host, env, state } = flags;
  const { service, hasSampleData } = await createService(flags);
  const server = await startListening(service, flags);
  const onError = (error: unknown) =>
    console.error(`The state could not be written: ${thrownMessage(error)}`);
  const file = await forFlag("state", state, (path) => followState(service, path, onError)).catch(
    async (error: unknown) => {
      // A server that is already listening would keep the command alive.
      await server.close();
      throw error;
    },
  );
  // With --env, the standard output contains only the settings.
  const print = env ? console.error : console.log;
  if (env) console.log(toEnv(service, server));
  print(toSummary(service, server, hasSampleData));
  if (server.inboxUrl && !isThisMachine(host)) {
    console.warn(
      `WARNING: ${host} is not loopback, so everyone who can reach it can read and control this fake, unless you pass --no-inbox.\n`,
    );
  }
  // Prints a line for each request, without personal data.
  service.subscribe((event) => {
    if (event.type !== "request") return;
    const { at, status, method, endpoint = `${method} (no such route)` } = event.request;
    print(`${at} ${status || "no response"} ${endpoint}`);
  });
  const stop = once(async (): Promise<void> => {
    await server.close();
    await file?.close();
  });
  // A second signal must not end the process before the state is written. A process group and its parent may each send one.
  process.on("SIGINT", stop).on("SIGTERM", stop).on("SIGHUP", stop);
};

/** Runs the command. Resolves when the fake listens. The fake then serves until a signal ends it. */
export const run = async (args: readonly string[]): Promise<number> => {
  const flags = parseFakeFlags(args);
  if (flags) await start(flags);
  return 0;
};
