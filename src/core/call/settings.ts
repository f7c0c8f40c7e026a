import {
  assertBoolean,
  assertFunction,
  assertOneOf,
  assertOptions,
  assertSignal,
  invalidOption,
  type OptionNames,
  or,
  readEach,
  toTimeLimit,
} from "../options.ts";
import { quote } from "../quote.ts";
import { DEFAULT_HEADERS } from "../transport/platform.ts";
import type { ClientEvent } from "./events.ts";
import { DEFAULT_RETRY, type RetryOptions, type RetrySettings, toRetrySettings } from "./retry.ts";

export const RESPONSE_VALIDATIONS = ["strict", "warn", "off"] as const;

export type ResponseValidation = (typeof RESPONSE_VALIDATIONS)[number];

export type HeaderFields =
  | Headers
  | Iterable<readonly [name: string, value: string]>
  | Readonly<Record<string, string | undefined>>;

/**
 * Options of one call. They take precedence over the client's, with three exceptions: both `onEvent` listeners are called,
 * `headers` are merged by name, and `retry` is merged by field.
 */
export interface RequestOptions {
  /** Signal that ends the call with an `AbortError`. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Timeout of one attempt in milliseconds, response body included, or `false` for none. A wait for the throttle does not
   * count. Default: 30 000.
   */
  readonly timeout?: number | false | undefined;
  /** Timeout of the whole call (queue, attempts and pauses) in milliseconds, or `false` for none. Default: `false`. */
  readonly totalTimeout?: number | false | undefined;
  /** Retries of failed attempts: their options, or their maximum number; 0 turns retries off. Default: `{ limit: 2 }`. */
  readonly retry?: number | RetryOptions | undefined;
  /**
   * Headers to add to every request, or to replace its `accept` or `content-type`: a plain object, or a collection of pairs of
   * strings, such as a `Map` or any `Headers`. They never replace the credentials. An iterator that can be read only once is
   * refused. Default: none.
   */
  readonly headers?: HeaderFields | undefined;
  /** Whether to check the documented rules before anything is sent; `false` sends exactly what you pass. Default: `true`. */
  readonly validateRequests?: boolean | undefined;
  /**
   * Treatment of a field of an undocumented type, unless the client relies on it: `"strict"` fails the call, `"warn"` reports the
   * field by an event and one `console.warn`, and `"off"` does not check. Default: `"warn"`.
   */
  readonly responseValidation?: ResponseValidation | undefined;
  /**
   * Listener for events: requests, responses, retries, waits, undocumented field types, results. Errors that it throws are
   * ignored. Default: none.
   */
  readonly onEvent?: ((event: ClientEvent) => unknown) | undefined;
}

/** Options of a call that walks through pages. */
export interface ListRequestOptions extends RequestOptions {
  /** Whether to request the next page while you consume the current page. Default: `false`. */
  readonly prefetch?: boolean | undefined;
}

export interface CallSettings {
  readonly timeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly retry: RetrySettings;
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, string>>;
  readonly validateRequests: boolean;
  readonly responseValidation: ResponseValidation;
  readonly listeners: readonly ((event: ClientEvent) => unknown)[];
}

export const DEFAULT_SETTINGS: CallSettings = /* @__PURE__ */ Object.freeze({
  timeoutMs: 30_000,
  totalTimeoutMs: Infinity,
  retry: DEFAULT_RETRY,
  headers: DEFAULT_HEADERS,
  credentials: {},
  validateRequests: true,
  responseValidation: "warn",
  listeners: [],
});

/** Returns the pairs of names and values in header fields; `undefined` for a value that cannot be read as header fields. */
const pairsOf = (fields: HeaderFields): Iterable<unknown> | undefined => {
  const object = Object(fields);
  const iterator = object[Symbol.iterator]?.();
  // An iterator yields its pairs only once, but the caller may pass the same options to several calls.
  if (iterator) return iterator === object ? undefined : object;
  const prototype = Object.getPrototypeOf(object);
  // An instance of a class may store its headers outside its own properties. A plain object may come from any realm.
  const isPlain = object === fields && !(prototype && Object.getPrototypeOf(prototype));
  return isPlain ? Object.entries(object).filter(([, value]) => value !== undefined) : undefined;
};

const isPair = (pair: unknown): pair is [name: string, value: string] =>
  Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === "string");

/** Headers that depend on the connection or the body. They are typically copied from a different request. */
const FOREIGN_HEADERS: readonly string[] = [
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "content-length",
  "expect",
  "host",
  "upgrade",
];

const toHeaders = (option: string, fields: HeaderFields): Record<string, string> => {
  const headers = new Headers();
  for (const pair of pairsOf(fields) ?? [undefined]) {
    if (!isPair(pair)) throw invalidOption(option, "an object of strings, or pairs of strings");
    try {
      headers.append(...pair);
      // `Headers` permits control characters, but no server accepts them.
      if (/[^\t\x20-\x7e\x80-\xff]/.test(`${headers.get(pair[0])}`)) throw pair;
    } catch {
      throw invalidOption(`${option}[${quote(JSON.stringify(pair[0]))}]`, "a valid header");
    }
  }
  const foreign = FOREIGN_HEADERS.find((name) => headers.has(name));
  if (foreign === undefined) return Object.fromEntries(headers);
  throw new TypeError(
    `option \`${option}[${foreign}]\` does not exist: the runtime sets this header itself`,
  );
};

/** Names of the options, without their checks. A bulk function needs only the names, because its client checks the options. */
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

const optionsOver = (base: CallSettings) => ({
  signal: or(assertSignal),
  timeout: or(toTimeLimit, base.timeoutMs),
  totalTimeout: or(toTimeLimit, base.totalTimeoutMs),
  retry: or((_, retry: number | RetryOptions) => toRetrySettings(base.retry, retry), base.retry),
  headers: or((name, fields: HeaderFields) => {
    return { ...base.headers, ...toHeaders(name, fields), ...base.credentials };
  }, base.headers),
  validateRequests: or(assertBoolean, base.validateRequests),
  responseValidation: or(assertOneOf(RESPONSE_VALIDATIONS), base.responseValidation),
  onEvent: or(assertFunction<(event: ClientEvent) => unknown>),
});

/** Completes the options of a call with those of the client. `own` lists the options that only this call has. */
export const toSettings = (
  base: CallSettings,
  options?: RequestOptions,
  own?: Readonly<Record<string, true>>,
): CallSettings => {
  if (options === undefined) return base;
  if (typeof options === "number") {
    const why = "not a number, such as the index that `map` passes: call the method in a function";
    throw invalidOption("options", `an object, ${why}`);
  }
  assertOptions("options", options, { ...CALL_OPTIONS, ...own });
  const read = readEach(options, optionsOver(base));
  const { timeout: timeoutMs, totalTimeout: totalTimeoutMs, signal: _, onEvent, ...others } = read;
  const listeners = onEvent ? [...base.listeners, onEvent] : base.listeners;
  return { ...others, timeoutMs, totalTimeoutMs, credentials: base.credentials, listeners };
};

/** Copies the options of several calls, because the caller may change the originals during the first call. */
export const copyOptions = ({ headers, retry, ...others }: RequestOptions): RequestOptions => ({
  ...others,
  headers: headers && toHeaders("headers", headers),
  retry:
    typeof retry === "object" && retry !== null
      ? { ...retry, backoff: retry.backoff && { ...retry.backoff } }
      : retry,
});
