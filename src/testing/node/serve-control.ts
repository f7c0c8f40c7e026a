/// <reference path="./virtual-inbox-page.d.ts" />
import type { IncomingMessage, ServerResponse } from "node:http";
import { files } from "virtual:inbox-page";
import { type ControlResponse, controlError, createControlApi } from "../control/control-api.ts";
import { EventStream } from "../control/events.ts";
import type { FakeService } from "../fake-service.ts";
import { methodOf, readRequestBody, TOO_LARGE } from "./admission.ts";

/** A file of the page, as it is served. */
interface PageFile {
  readonly contentType: string;
  readonly text: string;
}

const PAGE_CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** Returns a file of the page by its name; the empty name is the page itself. */
const findPageFile = (name: string): PageFile | undefined => {
  const file = name === "" ? "index.html" : name;
  const text = Object.hasOwn(files, file) ? files[file] : undefined;
  if (text === undefined) return undefined;
  return { contentType: PAGE_CONTENT_TYPES[file.split(".").at(-1) ?? ""] ?? "text/plain", text };
};

/** Path of the page and of the control API. */
export const CONTROL_PATH = "/__fake";

/**
 * Maximum number of bytes that may wait for a slow reader of events. Beyond it, the connection is closed, and the reader
 * reconnects.
 */
const MAX_WAITING_BYTES = 4_194_304;
/** Interval in milliseconds at which a comment keeps an idle stream of events open. */
const HEARTBEAT_MS = 15_000;

const HEADERS = {
  "content-security-policy":
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

const writeJson = (response: ServerResponse, { status, headers, body }: ControlResponse): void => {
  const contentType = body !== undefined && { "content-type": "application/json; charset=utf-8" };
  response.writeHead(status, { ...HEADERS, ...contentType, ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
};

const serveEvents = (events: EventStream, response: ServerResponse): void => {
  response.writeHead(200, { ...HEADERS, "content-type": "text/event-stream; charset=utf-8" });
  const send = (text: string): void => {
    response.write(text);
    if (response.writableLength > MAX_WAITING_BYTES) response.destroy();
  };
  const stop = events.follow(send);
  const heartbeat = setInterval(() => send(":\n\n"), HEARTBEAT_MS).unref();
  response.once("close", () => {
    stop();
    clearInterval(heartbeat);
  });
};

/** Returns whether a URL belongs to the page or the control API. */
export const isControlUrl = (url = ""): boolean => /^\/__fake(?:[/?]|$)/.test(url);

/** The page and the control API of a service. */
export interface ControlServer {
  /** Serves one request whose URL passes {@link isControlUrl}. */
  serve(message: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Ends the subscription to the service. */
  close(): void;
}

/** Creates the page and the control API of a service. */
export const createControlServer = (service: FakeService): ControlServer => {
  const call = createControlApi(service);
  const events = new EventStream(service);

  const serve: ControlServer["serve"] = async (message, response) => {
    const { url = "/" } = message;
    const method = methodOf(message);
    // Not resolved against a base: a path that begins with two slashes would name another host.
    const { pathname, searchParams } = new URL(`http://localhost${url}`);
    const path = pathname.slice(CONTROL_PATH.length + 1);
    const file = method === "GET" ? findPageFile(path) : undefined;
    if (pathname === CONTROL_PATH) {
      writeJson(response, { status: 308, headers: { location: `${CONTROL_PATH}/` } });
    } else if (file) {
      response.writeHead(200, { ...HEADERS, "content-type": file.contentType }).end(file.text);
    } else if (method === "GET" && path === "events") {
      serveEvents(events, response);
      if (message.method === "HEAD") response.end();
    } else {
      const body = await readRequestBody(message);
      const gone = new AbortController();
      response.once("close", () => gone.abort());
      const query = Object.fromEntries(searchParams);
      const result: ControlResponse =
        body === undefined
          ? { ...controlError(413, TOO_LARGE), headers: { connection: "close" } }
          : await call({ method, path, query, body }, gone.signal);
      writeJson(response, result);
    }
  };
  return { serve, close: () => events.close() };
};
