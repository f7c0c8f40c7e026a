// A real HTTP server on loopback with scripted responses, which records its requests.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Request as it arrived. */
export interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Body, which is empty until the response function has read it. */
  body: string;
  /** Time of arrival by `performance.now()`, in milliseconds. */
  readonly at: number;
  /** Whether the client disconnected before the response was complete. */
  abandoned: boolean;
}

export interface Exchange {
  readonly response: ServerResponse;
  readonly request: Recorded;
  /** Reads the whole body. */
  read(): Promise<string>;
}

/** Function that responds to one request, or fails to respond. */
export type Responder = (exchange: Exchange) => unknown;

export interface Loopback extends AsyncDisposable {
  readonly baseUrl: string;
  readonly requests: Recorded[];
  /** Returns the only request. Throws if there were more requests, or none. */
  onlyRequest(): Recorded;
}

/** Starts a server. Each request gets the next response, and the last response is repeated. */
export const startLoopback = async (...responders: readonly Responder[]): Promise<Loopback> => {
  const requests: Recorded[] = [];
  const server = createServer((message, response) => {
    const { method = "", url = "", headers } = message;
    const at = performance.now();
    const request: Recorded = { method, url, headers, body: "", at, abandoned: false };
    const respond = responders[Math.min(requests.length, responders.length - 1)];
    requests.push(request);
    response.on("close", () => {
      request.abandoned = !response.writableFinished;
    });
    message.on("error", () => {});
    const read = async () => {
      for await (const chunk of message) request.body += chunk;
      return request.body;
    };
    // A client that disconnects while its request is read gets no response.
    Promise.resolve(respond?.({ response, request, read })).catch(() => response.destroy());
  });
  // The server could close an idle connection just when the next request arrives on it.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    onlyRequest() {
      const [request, ...others] = requests;
      if (!request || others.length > 0) throw new Error(`there were ${requests.length} requests`);
      return request;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** Port without a listener. No system hands it out, so no other test can get it, and `fetch` does not block it. */
export const REFUSED_PORT = 2;
export const REFUSED_URL = `http://127.0.0.1:${REFUSED_PORT}`;

type HeaderValues = Readonly<Record<string, string | readonly string[]>>;

/** Responds with JSON, or with a string unchanged. */
export const respond =
  (status: number, body: unknown = "", headers: HeaderValues = {}, statusText = ""): Responder =>
  async ({ read, response }) => {
    await read();
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const type = { "content-type": "application/json" };
    if (statusText) response.statusMessage = statusText;
    response.writeHead(status, { ...type, ...headers } as never).end(text);
  };

/** Reads the request and never responds. */
export const hang: Responder = ({ read }) => read();

/** Sends the head and the start of a body, and nothing more. */
export const stall =
  (body: unknown, status = 200): Responder =>
  async ({ read, response }) => {
    await read();
    const text = JSON.stringify(body);
    response.writeHead(status, { "content-length": text.length }).write(text.slice(0, -2));
  };

/** Announces a longer body than it sends before it closes the connection. */
export const truncate =
  (body: unknown, status = 200): Responder =>
  async ({ read, response }) => {
    await read();
    const text = JSON.stringify(body);
    response.writeHead(status, { "content-length": text.length + 100 });
    response.write(text, () => response.destroy());
  };

/** Resets the connection after reading only the head of the request. */
export const resetBeforeReading: Responder = ({ response }) => response.socket?.resetAndDestroy();

/** Resets the connection after reading the whole request. */
export const resetAfterReading: Responder = async ({ read, response }) => {
  await read();
  response.socket?.resetAndDestroy();
};

/** Sends a body in pieces, endlessly unless a number of pieces is given. */
export const drip =
  (piece: string, everyMs: number, status = 200, pieces = Number.POSITIVE_INFINITY): Responder =>
  async ({ read, response }) => {
    await read();
    response.writeHead(status);
    let sent = 0;
    const timer = setInterval(() => {
      response.write(piece);
      sent += 1;
      if (sent >= pieces) response.end(() => clearInterval(timer));
    }, everyMs);
    response.on("close", () => clearInterval(timer));
  };

/** Sends an endless body as fast as it is read. */
export const flood =
  (status: number, piece: string): Responder =>
  async ({ read, response }) => {
    await read();
    response.writeHead(status);
    const pour = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on("drain", pour);
    pour();
  };
