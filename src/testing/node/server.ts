import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { jsonResponse } from "../fake/exchange.ts";
import type { FakeService } from "../fake-service.ts";
import { admit, type Listening, toBaseUrl } from "./admission.ts";
import type { parseListenOptions } from "./listen-options.ts";
import { serveApis } from "./serve-apis.ts";
import { createWebhookPoster } from "./webhooks.ts";

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

const writeRefusal = (response: ServerResponse, refusal: string): void => {
  const { status, headers, body } = jsonResponse(403, { error: refusal, errors: [] });
  response.writeHead(status, headers).end(body);
};

/** Loads the inbox and the control API, which are not loaded unless they are needed. */
const createControl = async (service: FakeService) => {
  const { createControlServer, isControlUrl } = await import("./serve-control.ts");
  return { ...createControlServer(service), isControlUrl };
};

/** Serves a fake service over HTTP; `onRefusedPage` is called with the origin of each page whose request is refused. */
export const startServer = async (
  service: FakeService,
  { port, host, inbox, webhooks: route, ...allowed }: ReturnType<typeof parseListenOptions>,
  onRefusedPage?: (origin: string) => void,
): Promise<ListeningService> => {
  const control = inbox ? await createControl(service) : undefined;
  let listening: Listening = { host, port, ...allowed };
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const admission = admit(message, listening);
    if ("refusal" in admission) {
      if (admission.origin !== undefined) onRefusedPage?.(admission.origin);
      writeRefusal(response, admission.refusal);
      return;
    }
    for (const [name, value] of Object.entries(admission.headers)) response.setHeader(name, value);
    const isPreflight = message.headers["access-control-request-method"] !== undefined;
    if (message.method === "OPTIONS" && isPreflight) response.writeHead(204).end();
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
  listening = { ...listening, port: (server.address() as AddressInfo).port };
  const webhooks = createWebhookPoster(route);
  const stopWebhooks = service.postWebhooks(webhooks.post);
  const ticks = setInterval(() => service.sendDue(), TICK_MS).unref();
  const baseUrl = toBaseUrl(host, listening.port);
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
};
