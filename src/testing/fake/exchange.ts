// Requests and responses as data. The entry point for msw loads only this module, so it imports no other part of the fake.
import type { ValidationIssue } from "../../core/errors.ts";
import { waitFor } from "../../core/wait-for.ts";

export const V2_ORIGIN = "https://v2.messaging.test";
export const TRANSACTIONAL_ORIGIN = "https://rcs.messaging.test";
export const FILES_ORIGIN = "https://files.messaging.test";

/** Request as every entry point passes it to the fake service. */
export interface FakeRequest {
  /** HTTP method. */
  readonly method: string;
  /** Path as it was sent, percent-encoded and without the query. */
  readonly path: string;
  /** Query parameters, decoded. */
  readonly query: Readonly<Record<string, string>>;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body as a string; empty when there is none. */
  readonly body: string;
}

/** Response as the fake service passes it to every entry point. */
export interface FakeResponse {
  /** HTTP status; 0 when there is no response. If the response `breaks`, the status does not arrive either. */
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body as a string. */
  readonly body: string;
  /**
   * How the response arrives: `whole`, `never`, `stalls` (after the first part of the body) or `breaks` (the connection is
   * reset). Default: `whole`.
   */
  readonly arrives?: "whole" | "never" | "stalls" | "breaks";
  /** Real time in milliseconds before the response is sent. Default: 0. */
  readonly delayMs?: number;
  /** Method and path template of the endpoint; absent when no route matches. */
  readonly endpoint?: string;
  /** Validation errors that the body reports. Default: none. */
  readonly errors?: readonly ValidationIssue[];
}

export const jsonResponse = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): FakeResponse => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

export const readRequest = async (request: Request): Promise<FakeRequest> => {
  const { pathname, searchParams } = new URL(request.url);
  return {
    method: request.method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
  };
};

const stalledBody = (body: string, signal: AbortSignal): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(body.slice(0, Math.ceil(body.length / 2))));
      signal.addEventListener("abort", () => controller.error(signal.reason));
    },
  });

/** Statuses for which the Fetch API allows no body. */
const BODILESS = [204, 205, 304];

/** Converts a response of the fake to the `Response` that `fetch` resolves to, or throws as `fetch` does. */
export const toResponse = async (
  response: FakeResponse,
  signal: AbortSignal,
): Promise<Response> => {
  const { status, headers, body, arrives, delayMs = 0 } = response;
  const never = new Promise<never>(() => {});
  if (delayMs > 0) await waitFor(never, delayMs, signal);
  if (arrives === "never") await waitFor(never, undefined, signal);
  signal.throwIfAborted();
  if (arrives === "breaks") {
    const cause = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
    throw new TypeError("fetch failed", { cause });
  }
  if (BODILESS.includes(status)) return new Response(null, { status, headers });
  if (arrives !== "stalls") return new Response(body, { status, headers });
  // As over HTTP. Without a length, undici throws an assertion from an event when a request by way of msw 3 is aborted.
  const length = String(new TextEncoder().encode(body).length);
  return new Response(stalledBody(body, signal), {
    status,
    headers: { ...headers, "content-length": length },
  });
};
