#!/usr/bin/env node
// The fake service as a command, for other languages and tools.
import { randomBytes } from "node:crypto";
import { createFakeService } from "../create-fake-service.ts";
import { thrownMessage } from "../fake/checks.ts";
import type { FakeService } from "../fake-service.ts";
import { hostOf, isThisMachine } from "./admission.ts";
import { type CommandOptions, FAKE_HELP, parseCommandOptions } from "./command-options.ts";
import { type ListeningService, parseListenOptions, startServer } from "./server.ts";
import { followState, readStateFile } from "./state-file.ts";
import { readWebhookTemplate } from "./webhooks.ts";

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

/** Fills a service with sample data, and with further lists to page through. */
const seed = (service: FakeService, furtherLists: number): void => {
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
  for (let number = 1; number <= furtherLists; number += 1) {
    service.addList({ name: `List ${number}`, keyword_names: [`LIST${number}`] });
  }
};

const createService = async (options: CommandOptions): Promise<FakeService> => {
  const { stateFile, webhooksFile, seedLists, rateLimit, latency, ids } = options;
  const state = await forFlag("state", stateFile, readStateFile);
  const webhooks = await forFlag("webhooks", webhooksFile, readWebhookTemplate);
  // A key that is the same in every run would let other programs and pages use this fake. A saved state has its own key.
  const newKey = state === undefined ? `fake-${randomBytes(16).toString("hex")}` : undefined;
  const create = () =>
    createFakeService({
      account: { email: options.email, apiKey: options.apiKey ?? newKey },
      rateLimit,
      latency,
      ids,
      setUp: (service) => seed(service, seedLists),
      state,
      webhooks,
      // The command may run for weeks.
      historyLimit: 1000,
    });
  return (await forFlag("state", state && stateFile, create)) ?? create();
};

/** Explains why the server cannot listen. */
const toListenError = (error: unknown, { port, host }: CommandOptions): unknown => {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new Error(`--port: ${port} is in use; choose another port, or 0 for any free one`);
    case "EACCES":
      return new Error(`--port: ${port} is reserved; choose one above 1023, or 0 for any free one`);
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
  options: CommandOptions,
): Promise<ListeningService> => {
  const { port, host, allowedHosts, allowedOrigins, inbox, webhooksTo, webhooksAnywhere } = options;
  const told = new Set<string>();
  const tellOnce = (origin: string): void => {
    // A page of another machine may be hostile: nobody is advised to let it in.
    if (told.has(origin) || !URL.canParse(origin) || !isThisMachine(hostOf(new URL(origin))))
      return;
    told.add(origin);
    console.error(`A page of ${origin} was refused; --allow-origin ${origin} lets it in.`);
  };
  const parsed = parseListenOptions({
    ...{ port, host, allowedHosts, allowedOrigins, inbox, webhooksTo, webhooksAnywhere },
  });
  try {
    return await startServer(service, parsed, tellOnce);
  } catch (error) {
    throw toListenError(error, options);
  }
};

const listing = (ids: readonly number[]): string =>
  ids.length > 5 ? `${ids.slice(0, 5).join(", ")}, … (${ids.length})` : ids.join(", ");

/** Describes the content of a service in a few words, without phone numbers. */
const describeContents = ({ lists, reports, phones }: FakeService): string => {
  const parts = [
    `lists ${listing(lists.map(({ id }) => id)) || "none"}`,
    `reports ${listing(reports.map(({ id }) => id)) || "none"}`,
    `${phones.length} phones`,
  ];
  return parts.join("; ");
};

/** Returns what the command prints when it listens, for people. */
const toSummary = (service: FakeService, server: ListeningService): string => {
  const { email, apiKey } = service.account;
  const inbox = server.inboxUrl === undefined ? "" : `inbox          ${server.inboxUrl}\n`;
  return `version 2      ${server.v2BaseUrl}
transactional  ${server.transactionalBaseUrl}
e-mail         ${email}
API key        ${apiKey}  (valid for this fake only)
${inbox}contents       ${describeContents(service)}
`;
};

/** Quotes a value for shells and the parsers of `.env` files, unless every one of them reads it as it is. */
const quoteForShell = (value: string): string => {
  if (/^[\w.:/@+-]+$/.test(value)) return value;
  return value.includes("'") ? JSON.stringify(value) : `'${value}'`;
};

/** Returns the settings of the clients in the form of an `.env` file. */
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

const start = async (options: CommandOptions): Promise<void> => {
  const { host, stateFile } = options;
  const service = await createService(options);
  const server = await startListening(service, options);
  const onError = (error: unknown) =>
    console.error(`The state could not be written: ${thrownMessage(error)}`);
  const file = await forFlag("state", stateFile, (path) => followState(service, path, onError));
  // With --env, the standard output holds nothing but the settings.
  const tell = options.env ? console.error : console.log;
  if (options.env) console.log(toEnv(service, server));
  tell(toSummary(service, server));
  if (!isThisMachine(host)) {
    console.warn(
      `WARNING: ${host} is not loopback: everyone who can reach it can read and control this fake.\n`,
    );
  }
  // A line for each request, without personal data.
  service.subscribe((event) => {
    if (event.type !== "request") return;
    const { at, status, method, endpoint = `${method} (no such route)` } = event.request;
    tell(`${at} ${status || "no response"} ${endpoint}`);
  });
  const stop = async (): Promise<void> => {
    await server.close();
    await file?.close();
  };
  process.once("SIGINT", stop).once("SIGTERM", stop).once("SIGHUP", stop);
};

const main = async (): Promise<void> => {
  const options = parseCommandOptions(process.argv.slice(2));
  if (options.help) console.log(FAKE_HELP);
  else await start(options);
};

main().catch((error: unknown) => {
  console.error(`${thrownMessage(error)}\n\nRun with --help to see the options.`);
  // If the command fails to start, a server that is already listening must not keep it alive.
  process.exit(1);
});
