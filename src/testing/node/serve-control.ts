/// <reference path="./virtual-inbox-page.d.ts" />
import type { ServerResponse } from "node:http";
import { files } from "virtual:inbox-page";
import { createControlApi, type FollowEvents } from "../control/control-api.ts";
import type { FakeRequest, FakeResponse } from "../fake/exchange.ts";
import type { FakeService } from "../fake-service.ts";

const PAGE_CONTENT_TYPES = new Map([
  ["index.html", "text/html; charset=utf-8"],
  ["inbox.css", "text/css; charset=utf-8"],
  ["inbox.js", "text/javascript; charset=utf-8"],
  ["icon.svg", "image/svg+xml"],
]);

/** Maximum backlog of a client of the events, in bytes. The page reconnects by itself and reads the state again. */
const MAX_BACKLOG_BYTES = 4_194_304;

const CONTROL_PATH = "/__fake";

const HEADERS = {
  "content-security-policy":
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

const writeEvents = (outgoing: ServerResponse, follow: FollowEvents): void => {
  outgoing.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  const stop = follow((text) => {
    outgoing.write(text);
    // The backlog of a client that does not read would otherwise grow without limit.
    if (outgoing.writableLength > MAX_BACKLOG_BYTES) outgoing.destroy();
  });
  outgoing.once("close", stop);
  if (outgoing.req.method === "HEAD") outgoing.end();
};

/**
 * Creates the function that responds with the page and the control API of a service, to requests for `/__fake` and below. It
 * writes the stream of events itself, and then returns `undefined`.
 */
export const createControlServer = (service: FakeService) => {
  const call = createControlApi(service);

  return async (
    request: FakeRequest,
    outgoing: ServerResponse,
  ): Promise<FakeResponse | undefined> => {
    for (const [name, value] of Object.entries(HEADERS)) outgoing.setHeader(name, value);
    if (request.path === CONTROL_PATH) {
      return { status: 308, headers: { location: `${CONTROL_PATH}/` }, body: "" };
    }
    const path = request.path.slice(CONTROL_PATH.length + 1);
    const file = path === "" ? "index.html" : path;
    const contentType = request.method === "GET" ? PAGE_CONTENT_TYPES.get(file) : undefined;
    if (contentType !== undefined) {
      return { status: 200, headers: { "content-type": contentType }, body: files[file] ?? "" };
    }
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    const response = await call({ ...request, path }, gone.signal);
    if (typeof response !== "function") return response;
    writeEvents(outgoing, response);
    return undefined;
  };
};
