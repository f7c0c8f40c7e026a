import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as z from "zod/mini";
import { type FakeResponse, FILES_ORIGIN, jsonResponse } from "../fake/exchange.ts";
import * as f from "../fake/fake-fields.ts";
import type { FakeService } from "../fake-service.ts";
import {
  admit,
  hostOf,
  isThisMachine,
  type Listening,
  parseHost,
  parseOrigin,
  readRequest,
  TOO_LARGE,
  toServerUrl,
} from "./admission.ts";
import { createWebhookPoster } from "./post-webhook.ts";

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

/** Schemas of the options, which the flags of the command share. */
export const listenFields = {
  port: f.integerFrom(0, 65_535),
  host: f.parsedBy(
    "a host name or an address, such as 127.0.0.1; 0.0.0.0 listens on every interface",
    parseHost,
  ),
  allowedHost: f.parsedBy("a host name without a port, such as fake", parseHost),
  allowedOrigin: f.parsedBy("the origin of a web page, such as http://localhost:3000", parseOrigin),
  webhooksTo: f.parsedBy("an origin, such as http://127.0.0.1:3000", (value) => {
    const origin = parseOrigin(value);
    return origin !== undefined && /^https?:/.test(origin) ? origin : undefined;
  }),
};

/** Returns whether webhooks may go to an origin. Origins of this machine are always allowed. */
export const mayReceiveWebhooks = (to: string | undefined, anywhere: boolean): boolean =>
  to === undefined || anywhere || isThisMachine(hostOf(new URL(to)));

export const listenSchema = f
  .objectOf({
    /** Port, 0 to 65535. Default: 0, any free port. */
    port: z._default(listenFields.port, 0),
    /** Host name or address to listen on. Default: `127.0.0.1`. */
    host: z._default(listenFields.host, "127.0.0.1"),
    /** Whether the inbox and the control API are served, under `/__fake/`. Default: `false`. */
    inbox: z._default(f.boolean, false),
    /** Further names of the server in the `Host` header of requests, such as its container's. Default: none. */
    allowedHosts: z._default(
      z.readonly(
        z.array(listenFields.allowedHost, f.mustBe("an array of host names without a port")),
      ),
      [],
    ),
    /** Origins of web pages that may call the server, such as `http://localhost:3000`; others are refused. Default: none. */
    allowedOrigins: z._default(
      z.readonly(z.array(listenFields.allowedOrigin, f.mustBe("an array of origins"))),
      [],
    ),
    /** Origin that receives the webhooks, such as `http://127.0.0.1:3000`. Default: the origin of each URL. */
    webhooksTo: z.optional(listenFields.webhooksTo),
    /** Whether webhooks may go to hosts other than this machine. Default: `false`. */
    webhooksAnywhere: z._default(f.boolean, false),
  })
  .check(
    z.refine(({ webhooksTo: to, webhooksAnywhere }) => mayReceiveWebhooks(to, webhooksAnywhere), {
      path: ["webhooksTo"],
      error: "must be on this machine, unless webhooksAnywhere is true",
    }),
  );

/** Options of {@link listen}. */
export interface ListenOptions extends Readonly<z.input<typeof listenSchema>> {}

/** Interval in milliseconds at which due reminders and scheduled messages are sent if no request arrives. */
const TICK_MS = 1000;

const CONTROL_PATH = /^\/__fake(?:\/|$)/;

const writeResponse = async (outgoing: ServerResponse, response: FakeResponse): Promise<void> => {
  const { status, headers, body, arrives, delayMs = 0 } = response;
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs).unref());
  if (arrives === "never") return;
  if (arrives === "breaks") {
    outgoing.socket?.resetAndDestroy();
    return;
  }
  // The server also serves the files of reports.
  const ownFiles = body.replaceAll(FILES_ORIGIN, `http://${outgoing.req.headers.host}`);
  const bytes = Buffer.from(ownFiles, "utf8");
  const length = bytes.length > 0 && { "content-length": bytes.length };
  outgoing.writeHead(status, { ...length, ...headers });
  if (arrives === "stalls") outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)));
  else outgoing.end(bytes);
};

/** Serves a fake service over HTTP; `onRefusedPage` is called with the origin of each page whose request is refused. */
export const startServer = async (
  service: FakeService,
  options: z.output<typeof listenSchema>,
  onRefusedPage?: (origin: string) => void,
): Promise<ListeningService> => {
  const { port, host, inbox, allowedHosts, allowedOrigins, webhooksTo: to } = options;
  // Loaded only when it is needed.
  const serveControl = inbox && (await import("./serve-control.ts")).createControlServer(service);
  const webhooks = createWebhookPoster({ to, anywhere: options.webhooksAnywhere });
  let listening: Listening = { host, port, allowedHosts, allowedOrigins };
  const serve = async (message: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const admission = admit(message, listening);
    if ("refusal" in admission) {
      if (admission.origin !== undefined) onRefusedPage?.(admission.origin);
      return writeResponse(outgoing, jsonResponse(403, { error: admission.refusal, errors: [] }));
    }
    for (const [name, value] of Object.entries(admission.headers)) outgoing.setHeader(name, value);
    const isPreflight = message.headers["access-control-request-method"] !== undefined;
    if (message.method === "OPTIONS" && isPreflight) return void outgoing.writeHead(204).end();
    const request = await readRequest(message);
    if (request === undefined) {
      return writeResponse(outgoing, jsonResponse(413, { error: TOO_LARGE, errors: [] }));
    }
    const { method, path } = request;
    // Tools that wait for a server request this path and accept only a 200.
    if (path === "/" && method === "GET") return void outgoing.end("The fake runs.\n");
    const response =
      serveControl && CONTROL_PATH.test(path)
        ? await serveControl(request, outgoing)
        : service.handle(request);
    if (!response) return;
    const written = writeResponse(outgoing, response);
    webhooks.follow(written);
    await written;
  };
  const server = createServer((message, outgoing) => {
    // A caller that disconnects before its request is read gets no response.
    serve(message, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  listening = { ...listening, port: (server.address() as AddressInfo).port };
  const stopWebhooks = service.postWebhooks(webhooks.post);
  const ticks = setInterval(() => service.sendDue(), TICK_MS).unref();
  const baseUrl = toServerUrl(host, listening.port);
  return {
    v2BaseUrl: baseUrl,
    transactionalBaseUrl: baseUrl,
    ...(serveControl && { inboxUrl: `${baseUrl}/__fake/` }),
    close: () =>
      new Promise((resolve) => {
        clearInterval(ticks);
        stopWebhooks();
        webhooks.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
