import type { IncomingMessage, ServerResponse } from "node:http";
import { type FakeResponse, FILES_ORIGIN, jsonResponse } from "../fake/exchange.ts";
import type { FakeService } from "../fake-service.ts";

/** Largest body of a request in bytes. */
export const MAX_BODY_BYTES = 1_048_576;

/** Reads the body of a request; `undefined` when it is larger than {@link MAX_BODY_BYTES}. */
export const readBody = async (message: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};

const TOO_LARGE = jsonResponse(
  413,
  { error: `The body has more than ${MAX_BODY_BYTES} bytes` },
  { connection: "close" },
);

const write = (outgoing: ServerResponse, response: FakeResponse): void => {
  const { status, headers, body, arrives } = response;
  if (arrives === "never") return;
  if (arrives === "breaks") {
    outgoing.socket?.resetAndDestroy();
    return;
  }
  const bytes = Buffer.from(body, "utf8");
  const length = { "content-length": bytes.length };
  outgoing.writeHead(status, { ...length, ...headers });
  if (arrives === "stalls") outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)));
  else outgoing.end(bytes);
};

/** Serves one request to either API of a fake service. */
export const serveApis = async (
  service: FakeService,
  message: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> => {
  const { method = "GET" } = message;
  // Not resolved against a base: a path that begins with two slashes would name another host.
  const { pathname, searchParams } = new URL(`http://localhost${message.url}`);
  const body = await readBody(message);
  if (body === undefined) {
    write(outgoing, TOO_LARGE);
    return;
  }
  const headers = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
  const decided = service.handle({
    method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(headers),
    body,
  });
  // The files of reports are on this server, too.
  const origin = `http://${message.headers.host}`;
  const response = { ...decided, body: decided.body.replaceAll(FILES_ORIGIN, origin) };
  const { delayMs = 0 } = response;
  if (delayMs === 0) write(outgoing, response);
  else setTimeout(() => write(outgoing, response), delayMs).unref();
};
