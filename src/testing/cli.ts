#!/usr/bin/env node
// The fake service as a command, for other languages and tools: `npx messaging-service-client-fake`.
import { parseArgs } from "node:util";
import { createFakeService } from "./create-fake-service.ts";
import type { FakeService } from "./fake-service.ts";
import { listen } from "./node.ts";
import { isLoopback } from "./server/own-host.ts";

const USAGE = `Serves a fake of the messaging service over HTTP, until Ctrl+C.

  --port <number>   where to listen (default: 4010)
  --host <address>  on which address (default: 127.0.0.1)
  --email <address> and --api-key <key>
                    the credentials that it takes (default: made up, and printed)
  --no-inbox        do not serve the inbox and the control API
  --rate-limit      answer 429 past 1200 calls an hour (default: never)
  --help            this text`;

/** Something to look at. */
const seed = (service: FakeService): string => {
  const single = service.addList({
    name: "VIP",
    keyword_names: ["VIP"],
    first_optin_message: "Welcome! Reply STOP to leave.",
  });
  const double = service.addList({ name: "Double opt-in", opt_in_type: "double" });
  const phones = [1, 2, 3].map(() => service.addSubscriber(single.id).phone_number);
  service.addScheduledMessage(single.id, { content: "Sale starts tomorrow." });
  const report = service.addReport();
  return `lists ${single.id} and ${double.id}, report ${report.id}, on list ${single.id}: ${phones.join(", ")}`;
};

const start = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "4010" },
      host: { type: "string", default: "127.0.0.1" },
      email: { type: "string" },
      "api-key": { type: "string" },
      "no-inbox": { type: "boolean", default: false },
      "rate-limit": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TypeError("--port must be an integer from 0 to 65535");
  }
  const service = createFakeService({
    rateLimit: values["rate-limit"],
    account: { email: values.email, apiKey: values["api-key"] },
  });
  const known = seed(service);
  const server = await listen(service, {
    port,
    host: values.host,
    inbox: !values["no-inbox"],
  });
  service.subscribe((event) => {
    if (event.type !== "request") return;
    const { at, status, method, endpoint = `${method} (no such route)` } = event.request;
    console.log(`${at} ${status || "no response"} ${endpoint}`);
  });
  const { email, apiKey } = service.account;
  const inbox = server.inboxUrl === undefined ? "" : `inbox          ${server.inboxUrl}\n`;
  console.log(`version 2      ${server.v2BaseUrl}
transactional  ${server.transactionalBaseUrl}
e-mail         ${email}
API key        ${apiKey}  (of this fake alone)
${inbox}there are      ${known}
`);
  if (server.inboxUrl !== undefined && !isLoopback(values.host)) {
    console.warn(
      `WARNING: ${values.host} is not loopback: everyone who can reach it can read and control this fake.\n`,
    );
  }
  const stop = () => void server.close();
  process.once("SIGINT", stop).once("SIGTERM", stop);
};

start().catch((error: unknown) => {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 1;
});
