/**
 * The fake service as a real HTTP server on loopback.
 *
 * @module messaging-service-client/testing/node
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { assertUsage } from "./assert-usage.ts";
import { jsonResponse } from "./exchange/fake-response.ts";
import type { FakeService } from "./fake-service.ts";
import { isOwnHost } from "./server/own-host.ts";
import { createWebhookPoster } from "./server/post-webhook.ts";
import { serveApis } from "./server/serve-apis.ts";

/** Options of {@link listen}. */
export interface ListenOptions {
  /** Port, 0 to 65535. Default: 0, any free port. */
  readonly port?: number | undefined;
  /** Host name or address to listen on. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Whether the inbox and the control API are served, under `/__fake/`. Default: `false`. */
  readonly inbox?: boolean | undefined;
  /**
   * Further host names that requests may have in their `Host` header, such as the name of the server's
   * container. Default: none.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Origin that receives the webhooks in place of the host of their URL, such as `http://127.0.0.1:3000`.
   * Default: the host of each URL.
   */
  readonly webhooksTo?: string | undefined;
  /** Whether webhooks may go to hosts other than this machine. Default: `false`. */
  readonly webhooksAnywhere?: boolean | undefined;
}

/** Fake service that listens on a port. */
export interface ListeningService {
  /** Base URL for a `V2Client`. */
  readonly v2BaseUrl: string;
  /** Base URL for a `TransactionalClient`. */
  readonly transactionalBaseUrl: string;
  /** URL of the inbox; absent unless the option `inbox` is `true`. */
  readonly inboxUrl?: string;
  /** Stops listening and ends every connection, webhooks included. */
  close(): Promise<void>;
}

/** Interval in milliseconds at which due reminders and scheduled messages are sent if no request arrives. */
const TICK_MS = 1000;

/** @throws TypeError when an option is malformed. */
const assertOptions = ({
  port,
  host,
  allowedHosts,
  webhooksTo,
  webhooksAnywhere,
  inbox,
}: ListenOptions) => {
  const isPort = port === undefined || (Number.isInteger(port) && port >= 0 && port <= 65_535);
  assertUsage("listen", isPort, "port must be an integer from 0 to 65535");
  const expected = "host must not be empty; 0.0.0.0 listens on every interface";
  assertUsage("listen", host === undefined || (typeof host === "string" && host !== ""), expected);
  const areHosts =
    allowedHosts === undefined ||
    (Array.isArray(allowedHosts) && allowedHosts.every((name) => typeof name === "string"));
  assertUsage("listen", areHosts, "allowedHosts must be an array of host names");
  const isOrigin =
    webhooksTo === undefined ||
    (URL.canParse(webhooksTo) && /^https?:$/.test(new URL(webhooksTo).protocol));
  assertUsage("listen", isOrigin, "webhooksTo must be an origin, such as http://127.0.0.1:3000");
  for (const [name, option] of Object.entries({ webhooksAnywhere, inbox })) {
    const isBoolean = option === undefined || typeof option === "boolean";
    assertUsage("listen", isBoolean, `${name} must be true or false`);
  }
};

const writeForbidden = (response: ServerResponse): void => {
  const { status, headers, body } = jsonResponse(403, {
    error: "The Host header does not name this server",
  });
  response.writeHead(status, headers).end(body);
};

/** Loads the inbox and the control API, which are not loaded unless they are needed. */
const createControl = async (service: FakeService) => {
  const { createControlServer, isControlUrl } = await import("./control/serve-control.ts");
  return { ...createControlServer(service), isControlUrl };
};

/**
 * Serves a fake service over HTTP. Requests whose `Host` header does not name the server are refused with 403.
 *
 * @throws TypeError when an option is malformed.
 * @example
 * const server = await listen(createFakeService());
 * const v2 = new V2Client({ baseUrl: server.v2BaseUrl, email, apiKey });
 * await server.close();
 */
export async function listen(
  service: FakeService,
  options: ListenOptions = {},
): Promise<ListeningService> {
  assertOptions(options);
  const { port = 0, host = "127.0.0.1", allowedHosts = [], inbox = false } = options;
  const { webhooksTo: to, webhooksAnywhere: anywhere = false } = options;
  const control = inbox ? await createControl(service) : undefined;
  const listening = { host, port, allowedHosts };
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isOwnHost(message.headers.host, listening)) writeForbidden(response);
    else if (control?.isControlUrl(message.url)) await control.serve(message, response);
    else await serveApis(service, message, response);
  };
  const server = createServer((message, response) => {
    // A caller that disconnects before its request is read gets no response.
    serve(message, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  listening.port = (server.address() as AddressInfo).port;
  const webhooks = createWebhookPoster({ to, anywhere });
  const stopWebhooks = service.postWebhooks(webhooks.post);
  const ticks = setInterval(() => service.sendDue(), TICK_MS).unref();
  const baseUrl = `http://${host.includes(":") ? `[${host}]` : host}:${listening.port}`;
  return {
    v2BaseUrl: baseUrl,
    transactionalBaseUrl: baseUrl,
    ...(control && { inboxUrl: `${baseUrl}/__fake/` }),
    close: () =>
      new Promise((resolve) => {
        clearInterval(ticks);
        stopWebhooks();
        webhooks.close();
        control?.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
