import {
  type HeaderFields,
  RESPONSE_VALIDATIONS,
  type RequestOptions,
  type ResponseValidation,
  type RetryOptions,
} from "./call-options.ts";
import {
  checked,
  isCount,
  isDuration,
  isFlag,
  isObject,
  isOneOf,
  isSignal,
  isTimeLimit,
  misuse,
} from "./option-checks.ts";

/** The options of a call, checked and complete. */
export interface CallSettings {
  readonly timeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly retry: RetrySettings;
  /** What every request carries, credentials included. */
  readonly headers: Readonly<Record<string, string>>;
  /** The headers among them that no option replaces. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly validateRequests: boolean;
  readonly responseValidation: ResponseValidation;
}

export interface RetrySettings {
  readonly limit: number;
  readonly maxRetryAfterMs: number;
  readonly initialMs: number;
  readonly maxMs: number;
}

export const DEFAULT_SETTINGS: CallSettings = /* @__PURE__ */ Object.freeze({
  timeoutMs: 30_000,
  totalTimeoutMs: Number.POSITIVE_INFINITY,
  retry: { limit: 2, maxRetryAfterMs: 60_000, initialMs: 500, maxMs: 8_000 },
  headers: { accept: "application/json", "content-type": "application/json" },
  credentials: {},
  validateRequests: true,
  responseValidation: "warn",
});

/** Header fields with their names in lower case. */
const isHeaders = (name: string, fields: HeaderFields): Record<string, string> => {
  const headers: Record<string, string> = {};
  isObject(name, fields);
  for (const [key, value] of fields instanceof Headers ? fields : Object.entries(fields)) {
    if (value === undefined) continue;
    try {
      new Headers([[key, value]]);
    } catch {
      throw misuse(`${name}[${JSON.stringify(key)}]`, "a header's name and value");
    }
    headers[key.toLowerCase()] = value;
  }
  return headers;
};

const isRetry = (base: RetrySettings, retry: number | RetryOptions): RetrySettings => {
  if (typeof retry === "number") return { ...base, limit: isCount("retry", retry) };
  const { limit, maxRetryAfter, backoff = {} } = isObject("retry", retry);
  const { initial, max } = isObject("retry.backoff", backoff);
  return {
    limit: checked("retry.limit", limit, base.limit, isCount),
    maxRetryAfterMs: checked(
      "retry.maxRetryAfter",
      maxRetryAfter,
      base.maxRetryAfterMs,
      isDuration,
    ),
    initialMs: checked("retry.backoff.initial", initial, base.initialMs, isDuration),
    maxMs: checked("retry.backoff.max", max, base.maxMs, isDuration),
  };
};

/**
 * The settings of a call: the options given, over those of the client.
 *
 * @throws TypeError that names the option that is malformed.
 */
export const toSettings = (base: CallSettings, options?: RequestOptions): CallSettings => {
  if (options === undefined) return base;
  const { signal, timeout, totalTimeout, retry, headers, validateRequests, responseValidation } =
    isObject("options", options);
  checked("signal", signal, undefined, isSignal);
  return {
    timeoutMs: checked("timeout", timeout, base.timeoutMs, isTimeLimit),
    totalTimeoutMs: checked("totalTimeout", totalTimeout, base.totalTimeoutMs, isTimeLimit),
    retry: retry === undefined ? base.retry : isRetry(base.retry, retry),
    headers:
      headers === undefined
        ? base.headers
        : { ...base.headers, ...isHeaders("headers", headers), ...base.credentials },
    credentials: base.credentials,
    validateRequests: checked("validateRequests", validateRequests, base.validateRequests, isFlag),
    responseValidation: checked(
      "responseValidation",
      responseValidation,
      base.responseValidation,
      isOneOf(RESPONSE_VALIDATIONS),
    ),
  };
};
