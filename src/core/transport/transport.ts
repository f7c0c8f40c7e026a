import type { Outcome } from "../errors.ts";
import { assertFunction, invalidOption } from "../options.ts";
import {
  type FetchedResponse,
  NO_CONTENT,
  type ResponseHead,
  readBody,
  WHOLE,
} from "../responses/fetched-response.ts";
import type { Redactor } from "../responses/redact.ts";
import {
  type FetchAdapter,
  type FetchAttempt,
  isFetchAdapter,
  toUnrepeatableBody,
  withoutRepeats,
} from "./attempt.ts";
import { errorCodeOf, FetchMistake, readString, toTransportError } from "./connection-error.ts";
import { outcomeOf } from "./outcome.ts";
import { adviceOn, createDefaultAdapter } from "./platform.ts";

/** Fetch-compatible function. The client calls it with a URL string and the options of the request. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** Function for the option `fetch`: `fetch` of the web, of undici or of node-fetch, or a function that wraps one of them. */
export type FetchOption = (
  url: string,
  init: {
    readonly method: string;
    headers: Record<string, string>;
    /**
     * JSON; in Deno as a `Blob`, because Deno sends a string again if the connection is lost. There, a POST or PATCH without JSON
     * has an empty `Blob`.
     */
    readonly body?: string | Blob;
    readonly redirect: "error" | "follow" | "manual";
    readonly signal: AbortSignal;
  },
) => Promise<{
  /** Whether the status is 2xx. */
  readonly ok: boolean;
  /** HTTP status. */
  readonly status: number;
  /** Headers of the response. */
  readonly headers: {
    /** Returns a header by its name. */
    get(name: string): string | null;
  };
  /** Resolves to the body. */
  text(): Promise<string>;
}>;

/** Returns a `fetch` option, or throws a `TypeError`. Rejects ky, which repeats requests and shows them in its errors. */
export const assertFetch = (name: string, fetch: FetchOption): FetchLike => {
  assertFunction(name, fetch);
  const { create, extend } = fetch as { readonly create?: unknown; readonly extend?: unknown };
  const isKy = typeof create === "function" && typeof extend === "function" && "stop" in fetch;
  if (isKy) throw invalidOption(name, "fetchFrom(ky) instead of the ky instance itself");
  return fetch as FetchLike;
};

export interface TransportRequest {
  readonly method: string;
  /** Path and query, relative to the base URL. */
  readonly target: string;
  readonly body: string | undefined;
}

export type Transport = (
  request: TransportRequest,
  options: TransportOptions,
) => Promise<FetchedResponse>;

export interface TransportOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly attempt: FetchAttempt;
  readonly redactor: Redactor;
}

/** Returns the options that this runtime supports. Some runtimes reject other options, and jsdom under Jest has no `Request`. */
export const knownInit = (init: RequestInit): RequestInit =>
  Object.fromEntries(
    Object.entries(init).filter(([name]) => name in (globalThis.Request?.prototype ?? {})),
  );

/** @throws A {@link FetchMistake} unless the value is a `Response` of any realm or package. A mock may return anything. */
export const assertResponse = (response: ResponseHead): void => {
  if (WHOLE in Object(response)) return;
  if (typeof Response === "function" && response instanceof Response) return;
  const { ok, status, headers, text } = Object(response);
  const types = [typeof ok, typeof status, typeof headers?.get, typeof text];
  if (types.join() === "boolean,number,function,function") return;
  throw new FetchMistake(`\`fetch\` returned ${typeof response}, not a Response`);
};

/** Returns whether a body arrived but is longer than the runtime's longest string or array. */
export const isTooLong = (thrown: unknown): boolean =>
  errorCodeOf(thrown) === "ERR_STRING_TOO_LONG" || readString(thrown, "name") === "RangeError";

/**
 * Creates the function that makes single attempts, and rejects with the error of the attempt. No other code of a client touches
 * the network. It resolves after the body has been read, so the timeout of the attempt also covers the body.
 */
export const createTransport = (baseUrl: string, fetchOption: FetchLike | undefined): Transport => {
  const fixed: RequestInit = { redirect: "manual", ...knownInit({ cache: "no-store" }) };
  const fetch = fetchOption ?? createDefaultAdapter();
  const isAdapter = isFetchAdapter(fetch);
  // Created for the first body, because a runtime may lack `TextDecoder`.
  let decoder: TextDecoder | undefined;

  return async ({ method, target, body }, { headers, attempt, redactor }) => {
    const url = baseUrl + target;
    const init = withoutRepeats({ ...fixed, method, headers });
    const sent = toUnrepeatableBody(method, body);
    if (sent !== undefined) init.body = sent;
    const toError = (thrown: unknown) => {
      const outcome = outcomeOf(attempt, { url, thrown });
      const advice = adviceOn(thrown, outcome === "not_sent");
      const durationMs = performance.now() - attempt.startedAt;
      return toTransportError(thrown, { url, outcome, advice, durationMs, redactor });
    };
    let response: Response;
    try {
      if (isAdapter) response = await (fetch as FetchAdapter)(url, init, attempt);
      else {
        attempt.handOver(init);
        response = await fetch(url, attempt.toOwnInit(init));
      }
    } catch (thrown) {
      throw toError(thrown);
    }
    attempt.progress = "written";
    let outcome: Outcome = "unknown";
    try {
      assertResponse(response);
      if (!response.ok) outcome = outcomeOf(attempt, { url, response });
      if (NO_CONTENT.includes(response.status)) {
        // A 205 may have a body nevertheless, even an endless one. After a 204, no parser reads a body.
        if (response.status === 205) attempt.end();
        return { response, outcome, body: "" };
      }
      const read = attempt.body;
      if (read instanceof Error) throw read;
      if (!read) return { response, outcome, body: await readBody(response) };
      decoder ??= new TextDecoder();
      return { response, outcome, body: decoder.decode(read) };
    } catch (thrown) {
      if (!isTooLong(thrown)) throw toError(thrown);
      return { response, outcome, body: undefined, isTooLong: true };
    }
  };
};
