#!/usr/bin/env node
// The fake service as a command, for other languages and tools.
import { createFakeService } from "./create-fake-service.ts";
import type { FakeService } from "./fake-service.ts";
import { listen } from "./node.ts";
import { type CommandOptions, parseCommandOptions, USAGE } from "./server/command-options.ts";
import { isLoopback } from "./server/own-host.ts";
import { describeContents, seed } from "./server/seed.ts";
import { followState, readStateFile } from "./server/state-file.ts";
import { readWebhookTemplate } from "./server/webhook-template.ts";

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const createService = (options: CommandOptions): FakeService => {
  const { stateFile, webhooksFile, seedLists, email, apiKey, rateLimit, latency, ids } = options;
  return createFakeService({
    account: { email, apiKey },
    rateLimit,
    latency,
    ids,
    setUp: (service) => seed(service, seedLists),
    state: stateFile === undefined ? undefined : readStateFile(stateFile),
    webhooks: webhooksFile === undefined ? undefined : readWebhookTemplate(webhooksFile),
    // The command may run for weeks.
    historyLimit: 1000,
  });
};

/** Prints a line for each request, without personal data. */
const logRequests = (service: FakeService): void => {
  service.subscribe((event) => {
    if (event.type !== "request") return;
    const { at, status, method, endpoint = `${method} (no such route)` } = event.request;
    console.log(`${at} ${status || "no response"} ${endpoint}`);
  });
};

const start = async (options: CommandOptions): Promise<void> => {
  const { host, stateFile } = options;
  const service = createService(options);
  const server = await listen(service, {
    port: options.port,
    host,
    allowedHosts: options.allowedHosts,
    inbox: options.inbox,
    webhooksTo: options.webhooksTo,
    webhooksAnywhere: options.webhooksAnywhere,
  });
  const onError = (error: unknown) =>
    console.error(`The state could not be written: ${messageOf(error)}`);
  const file = stateFile === undefined ? undefined : await followState(service, stateFile, onError);
  const { email, apiKey } = service.account;
  const inbox = server.inboxUrl === undefined ? "" : `inbox          ${server.inboxUrl}\n`;
  console.log(`version 2      ${server.v2BaseUrl}
transactional  ${server.transactionalBaseUrl}
e-mail         ${email}
API key        ${apiKey}  (valid for this fake only)
${inbox}contents       ${describeContents(service)}
`);
  if (!isLoopback(host)) {
    console.warn(
      `WARNING: ${host} is not loopback: everyone who can reach it can read and control this fake.\n`,
    );
  }
  logRequests(service);
  const stop = async (): Promise<void> => {
    await server.close();
    await file?.close();
  };
  process.once("SIGINT", stop).once("SIGTERM", stop).once("SIGHUP", stop);
};

const run = async (): Promise<void> => {
  const options = parseCommandOptions(process.argv.slice(2));
  if (options.help) console.log(USAGE);
  else await start(options);
};

run().catch((error: unknown) => {
  console.error(`${messageOf(error)}\n\nRun with --help to see the options.`);
  // If the command fails to start, a server that is already listening must not keep it alive.
  process.exit(1);
});
