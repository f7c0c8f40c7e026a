import {
  assertBoolean,
  assertCount,
  assertDuration,
  assertFunction,
  assertOneOf,
  assertOptions,
  assertSignal,
  invalidOption,
  type OptionNames,
  optionOr,
  toTimeLimit,
} from "../options.ts";
import { Redactor } from "../responses/redact.ts";
import type { ClientEventListener } from "./events.ts";
import {
  type HeaderFields,
  RESPONSE_VALIDATIONS,
  type RequestOptions,
  type ResponseValidation,
  type RetryOptions,
} from "./options.ts";
import { DEFAULT_HEADERS } from "./platform.ts";

/** Options of a call, checked and completed. */
export interface CallSettings {
  readonly timeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly retry: RetrySettings;
  /** Headers of every request, credentials included. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that no option replaces. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly validateRequests: boolean;
  readonly responseValidation: ResponseValidation;
  /** Listeners of the client and of the call. */
  readonly listeners: readonly ClientEventListener[];
}

export interface RetrySettings {
  readonly limit: number;
  readonly maxRetryAfterMs: number;
  readonly initialMs: number;
  readonly maxMs: number;
}

export const DEFAULT_SETTINGS: CallSettings = /* @__PURE__ */ Object.freeze({
  timeoutMs: 30_000,
  totalTimeoutMs: Infinity,
  retry: { limit: 2, maxRetryAfterMs: 60_000, initialMs: 500, maxMs: 8_000 },
  headers: DEFAULT_HEADERS,
  credentials: {},
  validateRequests: true,
  responseValidation: "warn",
  listeners: [],
});

/** Options of every call. */
export const CALL_OPTIONS: OptionNames<RequestOptions> = {
  signal: true,
  timeout: true,
  totalTimeout: true,
  retry: true,
  headers: true,
  validateRequests: true,
  responseValidation: true,
  onEvent: true,
};
const RETRY_OPTIONS: OptionNames<RetryOptions> = {
  limit: true,
  maxRetryAfter: true,
  backoff: true,
};
const BACKOFF_OPTIONS: OptionNames<NonNullable<RetryOptions["backoff"]>> = {
  initial: true,
  max: true,
};

/**
 * Returns the pairs of names and values in header fields; `undefined` for a value that has none. A `Headers` of any package
 * iterates over its pairs.
 */
const pairsOf = (fields: HeaderFields): Iterable<unknown> | undefined => {
  const object = Object(fields);
  const iterator = object[Symbol.iterator]?.();
  // An iterator gives its pairs once, but each page of a list and each item of a run reads the option again.
  if (iterator) return iterator === object ? undefined : object;
  const prototype = Object.getPrototypeOf(object);
  // An object of a class may hold its headers elsewhere. A plain object may come from any realm.
  const isPlain = object === fields && !(prototype && Object.getPrototypeOf(prototype));
  return isPlain ? Object.entries(object).filter(([, value]) => value !== undefined) : undefined;
};

const isPair = (pair: unknown): pair is [name: string, value: string] =>
  Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === "string");

/** Headers of the connection, or that depend on the body: they come along if the headers of another request are passed on. */
const FOREIGN_HEADERS: readonly string[] = [
  ...["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding"],
  ...["content-length", "expect", "host", "upgrade"],
];

/** Converts header fields to a plain object, with names and values as they are sent. */
const toHeaders = (option: string, fields: HeaderFields): Record<string, string> => {
  const headers = new Headers();
  for (const pair of pairsOf(fields) ?? [undefined]) {
    if (!isPair(pair)) throw invalidOption(option, "an object of strings, or pairs of strings");
    try {
      headers.append(...pair);
    } catch {
      const name = new Redactor([]).quote(JSON.stringify(pair[0]));
      throw invalidOption(`${option}[${name}]`, "a valid header");
    }
  }
  const foreign = FOREIGN_HEADERS.find((name) => headers.has(name));
  if (foreign === undefined) return Object.fromEntries(headers);
  throw new TypeError(
    `option \`${option}[${foreign}]\` does not exist: the runtime sets this header itself`,
  );
};

const toRetrySettings = (base: RetrySettings, retry: number | RetryOptions): RetrySettings => {
  if (typeof retry === "number") return { ...base, limit: assertCount("retry", retry) };
  const {
    limit,
    maxRetryAfter,
    backoff = {},
  } = assertOptions("retry", retry, RETRY_OPTIONS, "retry.");
  const { initial, max } = assertOptions(
    "retry.backoff",
    backoff,
    BACKOFF_OPTIONS,
    "retry.backoff.",
  );
  return {
    limit: optionOr("retry.limit", limit, base.limit, assertCount),
    maxRetryAfterMs: optionOr(
      "retry.maxRetryAfter",
      maxRetryAfter,
      base.maxRetryAfterMs,
      assertDuration,
    ),
    initialMs: optionOr("retry.backoff.initial", initial, base.initialMs, assertDuration),
    maxMs: optionOr("retry.backoff.max", max, base.maxMs, assertDuration),
  };
};

/**
 * Completes the options of a call with the client's.
 *
 * @throws TypeError that names an invalid or unknown option.
 */
export const toSettings = (base: CallSettings, options?: RequestOptions): CallSettings => {
  if (options === undefined) return base;
  const { signal, timeout, totalTimeout, retry, headers, validateRequests, responseValidation } =
    assertOptions("options", options, CALL_OPTIONS);
  optionOr("signal", signal, undefined, assertSignal);
  const listener = optionOr("onEvent", options.onEvent, undefined, assertFunction);
  return {
    timeoutMs: optionOr("timeout", timeout, base.timeoutMs, toTimeLimit),
    totalTimeoutMs: optionOr("totalTimeout", totalTimeout, base.totalTimeoutMs, toTimeLimit),
    retry: retry === undefined ? base.retry : toRetrySettings(base.retry, retry),
    headers:
      headers === undefined
        ? base.headers
        : { ...base.headers, ...toHeaders("headers", headers), ...base.credentials },
    credentials: base.credentials,
    validateRequests: optionOr(
      "validateRequests",
      validateRequests,
      base.validateRequests,
      assertBoolean,
    ),
    responseValidation: optionOr(
      "responseValidation",
      responseValidation,
      base.responseValidation,
      assertOneOf(RESPONSE_VALIDATIONS),
    ),
    listeners: listener ? [...base.listeners, listener] : base.listeners,
  };
};

/** Copies the options of several calls: the caller may change the originals while the first call is under way. */
export const copyOptions = ({ headers, retry, ...others }: RequestOptions): RequestOptions => ({
  ...others,
  headers: headers && toHeaders("headers", headers),
  retry:
    typeof retry === "object" && retry !== null
      ? { ...retry, backoff: retry.backoff && { ...retry.backoff } }
      : retry,
});
