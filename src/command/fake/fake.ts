// The fake service as a command, for other languages and tools.
import { randomBytes } from "node:crypto";
import { createFakeService } from "../../testing/create-fake-service.ts";
import { thrownMessage } from "../../testing/fake/checks.ts";
import type { FakeService } from "../../testing/fake-service.ts";
import { hostOf, isThisMachine } from "../../testing/node/admission.ts";
import { addSampleData } from "../../testing/node/sample-data.ts";
import { type ListeningService, startServer } from "../../testing/node/server.ts";
import { followState, readStateFile } from "../../testing/node/state-file.ts";
import { readWebhookTemplate } from "../../testing/node/webhooks.ts";
import { type FakeOptions, parseFakeOptions } from "./flags.ts";

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

const createService = async (options: FakeOptions) => {
  const { stateFile, webhooksFile, empty, seedLists, rateLimit, latency, historyLimit } = options;
  const state = await forFlag("state", stateFile, readStateFile);
  const webhooks = await forFlag("webhooks", webhooksFile, readWebhookTemplate);
  // A key that is the same in every run would let other programs and pages use this fake. A saved state has its own key.
  const newKey = state === undefined ? `fake-${randomBytes(16).toString("hex")}` : undefined;
  const setUp = (service: FakeService): void => {
    if (!empty) addSampleData(service);
    for (let number = 1; number <= seedLists; number += 1) {
      service.addList({ name: `List ${number}`, keyword_names: [`LIST${number}`] });
    }
  };
  const create = () =>
    createFakeService({
      account: { email: options.email, apiKey: options.apiKey ?? newKey },
      rateLimit,
      latency,
      setUp,
      state,
      webhooks,
      historyLimit,
    });
  const service = (await forFlag("state", state && stateFile, create)) ?? create();
  return { service, hasSampleData: state === undefined && !empty };
};

/** Explains why the server cannot listen. */
const toListenError = (error: unknown, { port, host }: FakeOptions): unknown => {
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
  options: FakeOptions,
): Promise<ListeningService> => {
  const warned = new Set<string>();
  const warnOnce = (origin: string): void => {
    // A page of another machine may be hostile: nobody is advised to let it in.
    if (warned.has(origin) || !URL.canParse(origin) || !isThisMachine(hostOf(new URL(origin))))
      return;
    warned.add(origin);
    console.error(`A page of ${origin} was refused; --allow-origin ${origin} lets it in.`);
  };
  try {
    return await startServer(service, options, warnOnce);
  } catch (error) {
    throw toListenError(error, options);
  }
};

const listing = (ids: readonly number[]): string =>
  ids.length > 5 ? `${ids.slice(0, 5).join(", ")}, … (${ids.length})` : ids.join(", ");

/** Describes the content of a service in a few words, without phone numbers. */
const describeContents = ({ lists, reports, phones }: FakeService): string => {
  if (lists.length + reports.length + phones.length === 0) return "an account, and nothing else";
  const parts = [
    `lists ${listing(lists.map(({ id }) => id)) || "none"}`,
    `reports ${listing(reports.map(({ id }) => id)) || "none"}`,
    `${phones.length} phones`,
  ];
  return parts.join("; ");
};

const SAMPLE_DATA_HINT =
  "               Sample data: --help describes it, --empty starts without it.\n";

/** Returns what the command prints when it listens, for people. */
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
${hasSampleData ? SAMPLE_DATA_HINT : ""}`;
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

const start = async (options: FakeOptions): Promise<void> => {
  const { host, stateFile } = options;
  const { service, hasSampleData } = await createService(options);
  const server = await startListening(service, options);
  const onError = (error: unknown) =>
    console.error(`The state could not be written: ${thrownMessage(error)}`);
  const file = await forFlag("state", stateFile, (path) =>
    followState(service, path, onError),
  ).catch(async (error: unknown) => {
    // A server that is already listening would keep the command alive.
    await server.close();
    throw error;
  });
  // With --env, the standard output holds nothing but the settings.
  const print = options.env ? console.error : console.log;
  if (options.env) console.log(toEnv(service, server));
  print(toSummary(service, server, hasSampleData));
  if (!isThisMachine(host)) {
    console.warn(
      `WARNING: ${host} is not loopback: everyone who can reach it can read and control this fake.\n`,
    );
  }
  // A line for each request, without personal data.
  service.subscribe((event) => {
    if (event.type !== "request") return;
    const { at, status, method, endpoint = `${method} (no such route)` } = event.request;
    print(`${at} ${status || "no response"} ${endpoint}`);
  });
  const stop = async (): Promise<void> => {
    await server.close();
    await file?.close();
  };
  process.once("SIGINT", stop).once("SIGTERM", stop).once("SIGHUP", stop);
};

/** Runs the command. Resolves when the fake listens; it then serves until a signal ends it. */
export const run = async (args: readonly string[]): Promise<number> => {
  const options = parseFakeOptions(args);
  if (options) await start(options);
  return 0;
};
