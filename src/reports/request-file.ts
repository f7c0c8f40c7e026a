import ky, { isHTTPError, isTimeoutError, type Options } from "ky";
import {
  AbortError,
  type ApiError,
  apiErrorClassOf,
  ConnectionError,
  customIssue,
  MessagingServiceError,
  ResponseValidationError,
  TimeoutError,
  toCallError,
  ValidationError,
} from "../core/errors.ts";
import { parseRetryAfter } from "../core/responses/response-error.ts";
import { isSecureUrl } from "../core/rules/https-url.ts";
import { NO_FETCH } from "../core/transport/attempt.ts";
import {
  asMistake,
  errorCodeOf,
  FetchMistake,
  isControlFlow,
  mistakeOf,
} from "../core/transport/connection-error.ts";
import { assertResponse, type FetchLike, knownInit } from "../core/transport/transport.ts";
import { parseJson } from "../core/wire/encodings.ts";
import { codingsOf, followRedirects } from "./redirects.ts";

// The link is a secret, because it is often signed. No error contains the link, or a sentence of the host that may repeat it.
// The outcome of an error is never `unknown`, because a download changes nothing.

const inDownload = <E extends Error>(error: E): E =>
  toCallError(error, { endpoint: "GET {s3_url}" });

const linkError = (problem: string): ValidationError =>
  new ValidationError([customIssue(problem, ["s3_url"])]);

export const abortError = (signal: AbortSignal): AbortError =>
  inDownload(new AbortError("aborted", "not_sent", { cause: signal.reason }));

export const stallError = (stallTimeoutMs: number): TimeoutError => {
  const error = new TimeoutError("attempt", stallTimeoutMs, "not_sent");
  error.message = `no byte arrived for ${stallTimeoutMs} ms`;
  return inDownload(error);
};

/** Creates an error with the error code of whatever was thrown, or with the mistake in the code around `fetch`. */
export const brokenError = (problem: string, thrown?: unknown): ConnectionError => {
  const mistake = mistakeOf(thrown);
  if (mistake) return inDownload(asMistake(new ConnectionError(mistake, "not_sent")));
  const code = errorCodeOf(thrown);
  const what = code === undefined ? problem : `${problem} (${code})`;
  return inDownload(new ConnectionError(what, "not_sent"));
};

export const fileError = (problem: string, status = 200): ResponseValidationError =>
  inDownload(
    new ResponseValidationError(problem, "not_sent", {
      status,
      body: undefined,
      issues: [customIssue(problem)],
    }),
  );

/** Returns the error code in the XML or JSON of a host, such as `AccessDenied`, unless it is a part of the link. */
const codeOf = (data: unknown, link: string): string | undefined => {
  const text = typeof data === "string" ? data : "";
  const { code, Code, error } = Object(parseJson(text) ?? data);
  const xml = /<Code>([^<]*)</.exec(text)?.[1]?.trim();
  return [xml, code, Code, Object(error).code, error].find(
    (said): said is string =>
      typeof said === "string" && /^[a-z][\w.-]{1,63}$/i.test(said) && !link.includes(said),
  );
};

/** Converts a response that is not the file into its error, without the host's headers and body. */
const statusError = (
  { ok, status, headers }: Response,
  code?: string,
): ApiError | ResponseValidationError => {
  const isExpired = /expire/i.test(code ?? "");
  const verb = isExpired ? "has" : "may have";
  const problem = [
    `the host of the file responded with ${status}`,
    code === undefined ? "" : ` (${code})`,
    isExpired || status === 403 ? `: the link ${verb} expired; retrieve the report again` : "",
  ].join("");
  if (ok) return fileError(`${problem}, not with the whole file`, status);
  const retryAfterMs = parseRetryAfter(headers);
  const ErrorClass = apiErrorClassOf(status);
  const response = { status, headers: new Headers(), body: undefined, retryAfterMs };
  return inDownload(new ErrorClass(problem, "rejected", response));
};

export interface FileRequest {
  readonly link: URL;
  readonly fetch: FetchLike | undefined;
  /** Number of retries that are left for all requests of the download. */
  retriesLeft: number;
  /** Longest time in milliseconds without a byte; `Infinity` for no limit. */
  readonly stallTimeoutMs: number;
}

const RETRIED_STATUSES = [408, 429, 500, 502, 503, 504];
const MAX_RETRY_AFTER_MS = 60_000;
const MAX_BACKOFF_MS = 8_000;

/** @throws A {@link ValidationError} at `["s3_url"]` that does not quote the link. */
export const toFileUrl = (link: unknown): URL => {
  if (link === null || link === undefined) {
    throw linkError(
      "must be a URL, but the report has no file: wait until it is finished. A report that is cancelled or has run errors may get no file",
    );
  }
  const url = typeof link === "string" && URL.canParse(link) ? new URL(link) : undefined;
  if (!url || !isSecureUrl(url)) throw linkError("must be an https URL");
  if (url.username || url.password) throw linkError("must not have a user name or a password");
  return url;
};

const NO_PASSWORD = "must not redirect to a URL with a user name or a password";
const WITHOUT_BYTES = "`fetch` returned a Response without `body` and `arrayBuffer()`";
const READ_BEFORE = "`fetch` returned a Response whose body was read before";

/**
 * Returns the header that requests the file without compression. The size of a compressed file is unknown, so progress has no total.
 * In Deno, `fetch` leaves a compressed file as it is if the header is `identity` alone.
 */
const asItIs = () => ({ "accept-encoding": "Deno" in globalThis ? "identity, *;q=0" : "identity" });

const optionsOf = (request: FileRequest, signal: AbortSignal) => {
  const { fetch, retriesLeft, stallTimeoutMs } = request;
  /** Pause in milliseconds that the latest response demanded. */
  let toldMs: number | undefined;
  const privacy = knownInit({
    cache: "no-store",
    credentials: "omit",
    referrerPolicy: "no-referrer",
  });
  return {
    ...(privacy as Options),
    headers: asItIs(),
    signal,
    timeout: stallTimeoutMs < Infinity ? stallTimeoutMs : false,
    throwHttpErrors: (status) => status >= 400,
    retry: {
      limit: retriesLeft,
      statusCodes: RETRIED_STATUSES,
      // By default, ky reads `Retry-After` for some of these statuses only, and other headers as well. This disables both.
      afterStatusCodes: [],
      shouldRetry: ({ error }) => {
        const hasStatus = isHTTPError(error);
        toldMs = hasStatus ? parseRetryAfter(error.response.headers) : undefined;
        const isFinal = mistakeOf(error) || isControlFlow(error) || MessagingServiceError.is(error);
        if (isFinal || signal.aborted || request.retriesLeft === 0) return false;
        if ((toldMs ?? 0) > MAX_RETRY_AFTER_MS) return false;
        request.retriesLeft -= 1;
        // ky recognizes a failed connection by its message, which is different in Bun and in other HTTP clients.
        return hasStatus ? undefined : true;
      },
      jitter: (delayMs) => toldMs ?? Math.random() * Math.min(delayMs, MAX_BACKOFF_MS),
    },
    fetch: async (input, init) => {
      const request = input as Request;
      const anySignal = AbortSignal.any([signal, request.signal]);
      // The signals that ky creates may be garbage-collected, and in WebKit, so may this one. An abort would then no longer end
      // the body. This listener keeps the signal alive.
      signal.addEventListener("abort", () => anySignal);
      // A request with new options loses its referrer policy.
      const both = { ...privacy, ...init, signal: anySignal };
      if (!fetch) return globalThis.fetch(request, both);
      const { method, redirect, headers } = request;
      const response = await fetch(request.url, { ...both, method, redirect, headers });
      assertResponse(response);
      return response;
    },
  } satisfies Options;
};

/** @throws A {@link MessagingServiceError} without the link, including for a response that is not the whole file. */
export const requestFile = async (request: FileRequest, signal: AbortSignal): Promise<Response> => {
  try {
    if (!request.fetch && !globalThis.fetch) throw new FetchMistake(NO_FETCH);
    const options = optionsOf(request, signal);
    const response = await followRedirects(
      request.link,
      (target, redirect) => {
        // `fetch` does not accept a URL with credentials.
        if (target.username || target.password) throw linkError(NO_PASSWORD);
        return ky(target, { ...options, ...redirect });
      },
      (where) => linkError(`must not redirect ${where}`),
    );
    if (response.status !== 200) throw statusError(response);
    if (response.bodyUsed || response.body?.locked) throw new FetchMistake(READ_BEFORE);
    if (!response.body && !response.arrayBuffer) throw new FetchMistake(WITHOUT_BYTES);
    const { codings, isLabeled } = codingsOf(response);
    if (isLabeled && !/^((x-)?gzip)?$/.test(codings.join())) {
      throw fileError(
        `the host of the file labels its coding ${codings.join()} in a way that \`fetch\` does not decode`,
      );
    }
    return response;
  } catch (thrown) {
    if (MessagingServiceError.is(thrown) || isControlFlow(thrown)) throw thrown;
    if (isHTTPError(thrown)) {
      const { response, data, request: asked } = thrown;
      throw statusError(response, codeOf(data, `${request.link.href} ${asked.url}`));
    }
    if (isTimeoutError(thrown)) throw stallError(request.stallTimeoutMs);
    throw brokenError("the connection failed", thrown);
  }
};
