/// <reference path="./virtual-inbox-page.d.ts" />
import type { IncomingMessage, ServerResponse } from "node:http";
import { files } from "virtual:inbox-page";
import { type ControlResponse, controlError, createControlApi } from "../control/control-api.ts";
import type { FakeService } from "../fake-service.ts";
import { methodOf, readRequestBody, TOO_LARGE, withOwnFiles } from "./admission.ts";

const PAGE_CONTENT_TYPES = new Map([
  ["index.html", "text/html; charset=utf-8"],
  ["inbox.css", "text/css; charset=utf-8"],
  ["inbox.js", "text/javascript; charset=utf-8"],
  ["icon.svg", "image/svg+xml"],
]);

/** Maximum backlog of a client of the events, in bytes. The page reconnects by itself and reads the state again. */
const MAX_BACKLOG_BYTES = 4_194_304;

export const CONTROL_PATH = "/__fake";

const HEADERS = {
  "content-security-policy":
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

const writeJson = (
  message: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: ControlResponse,
): void => {
  const contentType = body !== undefined && { "content-type": "application/json; charset=utf-8" };
  response.writeHead(status, { ...HEADERS, ...contentType, ...headers });
  response.end(body === undefined ? undefined : withOwnFiles(JSON.stringify(body), message));
};

const writeEvents = (
  message: IncomingMessage,
  response: ServerResponse,
  follow: NonNullable<ControlResponse["follow"]>,
): void => {
  response.writeHead(200, { ...HEADERS, "content-type": "text/event-stream; charset=utf-8" });
  const stop = follow((text) => {
    response.write(text);
    // The backlog of a client that does not read would otherwise grow without limit.
    if (response.writableLength > MAX_BACKLOG_BYTES) response.destroy();
  });
  response.once("close", stop);
  if (message.method === "HEAD") response.end();
};

export const isControlUrl = (url = ""): boolean => /^\/__fake(?:[/?]|$)/.test(url);

/** Creates the function that serves the page and the control API of a service. Its requests must pass {@link isControlUrl}. */
export const createControlServer = (service: FakeService) => {
  const call = createControlApi(service);

  return async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = "/" } = message;
    const method = methodOf(message);
    // Not resolved against a base, because a path that starts with two slashes would name another host.
    const { pathname, searchParams } = new URL(`http://localhost${url}`);
    const path = pathname.slice(CONTROL_PATH.length + 1);
    const file = path === "" ? "index.html" : path;
    const contentType = method === "GET" ? PAGE_CONTENT_TYPES.get(file) : undefined;
    if (pathname === CONTROL_PATH) {
      writeJson(message, response, { status: 308, headers: { location: `${CONTROL_PATH}/` } });
    } else if (contentType !== undefined) {
      response.writeHead(200, { ...HEADERS, "content-type": contentType }).end(files[file]);
    } else {
      const body = await readRequestBody(message);
      const gone = new AbortController();
      response.once("close", () => gone.abort());
      const query = Object.fromEntries(searchParams);
      const result: ControlResponse =
        body === undefined
          ? { ...controlError(413, TOO_LARGE), headers: { connection: "close" } }
          : await call({ method, path, query, body }, gone.signal);
      if (result.follow) writeEvents(message, response, result.follow);
      else writeJson(message, response, result);
    }
  };
};
