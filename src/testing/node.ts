/**
 * The fake service as a real HTTP server on loopback.
 *
 * @module messaging-service-client/testing/node
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { FakeRequest, FakeResponse } from "./fake-response.ts";
import type { FakeService } from "./fake-service.ts";

/** Where the server listens. */
export interface ListenOptions {
  /** Default: 0, any free port. */
  readonly port?: number | undefined;
  /** Default: `127.0.0.1`. */
  readonly host?: string | undefined;
}

/** A fake service that listens. */
export interface ListeningService {
  /** A base URL for `V2Client`. */
  readonly v2BaseUrl: string;
  /** A base URL for `TransactionalClient`. */
  readonly transactionalBaseUrl: string;
  /** Stops listening and ends every connection. */
  close(): Promise<void>;
}

/** What a browser asks for before it sends credentials to another origin. */
const CORS_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "*",
  "access-control-allow-headers": "authorization, x-api-key, content-type",
  "access-control-expose-headers": "*",
};

const readRequest = async (message: IncomingMessage): Promise<FakeRequest> => {
  // Not as relative to a base: of a path that begins with two slashes, the first part is no host.
  const { pathname, searchParams } = new URL(`http://localhost${message.url}`);
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const headers = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: message.method ?? "GET",
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString("utf8"),
  };
};

const write = (response: ServerResponse, answer: FakeResponse): void => {
  const { status, headers, body, arrives } = answer;
  if (arrives === "never") return;
  if (arrives === "breaks") {
    response.socket?.resetAndDestroy();
    return;
  }
  const bytes = Buffer.from(body, "utf8");
  const length = { "content-length": bytes.length };
  response.writeHead(status, { ...CORS_HEADERS, ...length, ...headers });
  if (arrives === "stalls") response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)));
  else response.end(bytes);
};

/**
 * Serves a fake service over HTTP.
 *
 * @example
 * const server = await listen(createFakeService());
 * const v2 = new V2Client({ baseUrl: server.v2BaseUrl, email, apiKey });
 * await server.close();
 */
export async function listen(
  service: FakeService,
  { port = 0, host = "127.0.0.1" }: ListenOptions = {},
): Promise<ListeningService> {
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (message.method === "OPTIONS") {
      response.writeHead(204, CORS_HEADERS).end();
      return;
    }
    const answer = service.handle(await readRequest(message));
    const { delayMs = 0 } = answer;
    if (delayMs === 0) write(response, answer);
    else setTimeout(() => write(response, answer), delayMs).unref();
  };
  const server = createServer((message, response) => {
    // Who leaves before the request is read, gets no answer.
    serve(message, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  const baseUrl = `http://${host.includes(":") ? `[${host}]` : host}:${actual}`;
  return {
    v2BaseUrl: baseUrl,
    transactionalBaseUrl: baseUrl,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
