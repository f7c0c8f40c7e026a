import {
  type ApiError,
  apiErrorClassOf,
  ValidationError,
  type ValidationIssue,
} from "../errors.ts";
import { parseJson } from "../wire/encodings.ts";
import { type FetchedResponse, requestIdOf, UNREADABLE } from "./fetched-response.ts";
import { reasonOf } from "./reason.ts";
import type { Redactor } from "./redact.ts";

const LONGEST_ISSUE = 2000;

/** Item of `errors` with its required fields. Its other fields may have any type. */
interface DocumentedItem extends Readonly<Record<string, unknown>> {
  readonly code: string;
  readonly message: string;
  readonly path: readonly (string | number)[];
}

const isDocumentedItem = (item: unknown): item is DocumentedItem => {
  const { code, message, path } = Object(item);
  return (
    typeof code === "string" &&
    typeof message === "string" &&
    Array.isArray(path) &&
    path.every((key) => typeof key === "string" || typeof key === "number")
  );
};

/** Returns whether a body has the documented shape of a validation error (specification: "Validation error (version 3)"). */
export const isDocumentedRefusal = (
  body: unknown,
): body is { readonly errors: readonly DocumentedItem[] } => {
  const { errors } = Object(body);
  return Array.isArray(errors) && errors.length > 0 && errors.every(isDocumentedItem);
};

/** Matches names that the validation library of the service uses. They reveal nothing that was sent. */
const KNOWN_NAME =
  /^(custom|too_big|too_small|invalid_[a-z_]{1,30}|unrecognized_keys|url|regex|phone|string|number|boolean|array|object)$/;
const NAME = /^[a-z_]{1,40}$/i;

const DETAILS = {
  validation: "string",
  minimum: "number",
  maximum: "number",
  type: "string",
  inclusive: "boolean",
  exact: "boolean",
};

const listedIssues = (body: unknown, redactor: Redactor): ValidationIssue[] | undefined => {
  if (!isDocumentedRefusal(body)) return undefined;
  // Names of fields and codes are kept unless the caller sent them. Anything else is redacted like a message.
  const nameOf = (name: string) =>
    KNOWN_NAME.test(name) ? name : NAME.test(name) ? redactor.token(name) : redactor.quote(name);
  const keyOf = (key: unknown) => (typeof key === "string" ? nameOf(key) : key);
  return body.errors.map((item) => {
    const issue = {
      code: nameOf(item.code),
      message: redactor.quote(item.message, LONGEST_ISSUE),
      path: item.path.map(keyOf),
    } as ValidationIssue;
    const details = Object.entries(DETAILS)
      .filter(([name, type]) => typeof item[name] === type)
      .map(([name]) => [name, keyOf(item[name])]);
    return Object.assign(issue, Object.fromEntries(details));
  });
};

/** Returns whether a status is a redirect, which 304 is not. In a browser, every redirect has the status 0. */
export const isRedirect = (status: number) => /^(0|3(?!04)..)$/.test(`${status}`);

/** Describes a redirect. The target is shown without its query, which may contain data. */
const redirectTo = (headers: Headers): string => {
  const target = headers.get("location")?.replace(/[?#].*/, "");
  return `a redirect${target === undefined ? "" : ` to ${target}`}, which is not followed`;
};

const WEEK_MS = 604_800_000;
const YEAR_MS = 31_536_000_000;

/** Matches each value of a `Retry-After` header. Several values are joined by commas, and a date also contains a comma. */
const WAITS = /(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,[^,]+|[^,]+/gi;

/** Returns a date in epoch milliseconds, or `NaN`. One of the three date formats of HTTP does not state that it is in GMT. */
const parseDate = (date: string): number => {
  if (!/\d:\d\d/.test(date)) return Number.NaN;
  const hasZone = /[a-z]$|[+-]\d\d:?\d\d$/i.test(date);
  return Date.parse(hasZone ? date : `${date} GMT`);
};

const toMs = (wait: string, serverNow: number): number | undefined => {
  if (!/^\d+(\.\d+)?$/.test(wait)) {
    const ms = parseDate(wait) - serverNow;
    return ms <= YEAR_MS ? Math.max(0, ms) : undefined;
  }
  const ms = Math.ceil(Number(wait) * 1000);
  if (ms <= YEAR_MS) return ms;
  // The number may be a point in time: the seconds or the milliseconds since 1970.
  const waits = [ms - serverNow, Number(wait) - serverNow];
  const left = waits.find((leftMs) => Math.abs(leftMs) <= WEEK_MS);
  return left === undefined ? undefined : Math.max(0, left);
};

/**
 * Returns the wait in milliseconds that `Retry-After` states, at most a year; `undefined` if the header is absent or malformed.
 *
 * A date is compared with the response's own `Date`, because the local clock may be wrong. A number of more than a year is
 * interpreted as a point in time if it is at most a week away, and is malformed otherwise. If both a gateway and the application
 * sent the header, the longest wait counts.
 */
export const parseRetryAfter = (headers: Headers, now = Date.now()): number | undefined => {
  const date = parseDate(headers.get("date") ?? "");
  const serverNow = Number.isNaN(date) ? now : date;
  const waits = (headers.get("retry-after")?.match(WAITS) ?? [])
    .map((wait) => toMs(wait.trim(), serverNow))
    .filter((ms) => ms !== undefined);
  return waits.length > 0 ? Math.max(...waits) : undefined;
};

/** URL of a request, for the error of a 404. */
export interface CalledUrl {
  readonly url: string;
  /** Whether it is unlikely that a 404 means that a record is missing. */
  readonly isDoubtful: boolean;
}

/**
 * Returns whether a reason names a record of the path, such as "List not found" for `/lists/{ID}`. Only the service itself gives
 * such a reason.
 */
const namesRecord = (reason: string, url: string): boolean =>
  Array.from(url.matchAll(/([a-z]+)s\/\{/gi)).some(([, record]) =>
    new RegExp(`(?<![/\\w])${record}(?!\\w)`, "i").test(reason),
  );

export const toResponseError = (
  fetched: FetchedResponse,
  redactor: Redactor,
  called?: CalledUrl,
  maxRetryAfterMs = Infinity,
): ApiError | ValidationError => {
  // The response of a caller's `fetch` may have only the fields of `FetchOption`.
  const { status, statusText = "", headers } = fetched.response;
  const text = fetched.body ?? "";
  const json = parseJson(text);
  const body = json === undefined ? text : json;
  const response = { status, headers, body, requestId: requestIdOf(headers, redactor) };

  const issues = status === 400 ? listedIssues(body, redactor) : undefined;
  if (issues) {
    const { error } = body as { error?: unknown };
    const summary = typeof error === "string" ? redactor.quote(error) : undefined;
    return new ValidationError(issues, { summary, response });
  }
  const unread = fetched.body === undefined ? UNREADABLE : undefined;
  const reason = isRedirect(status) ? redirectTo(headers) : (unread ?? reasonOf(body, statusText));
  const parts = [
    [status, redactor.quote(statusText)].filter(Boolean).join(" "),
    reason && redactor.quote(reason),
  ];
  const isOwn = called && reason && namesRecord(reason, called.url);
  const isUrlSuspect =
    status === 404 && called && !isOwn && (called.isDoubtful || /^\s*</.test(text));
  const advice = isUrlSuspect ? ` (check baseUrl: the URL was ${called.url})` : "";
  const retryAfterMs = parseRetryAfter(headers);
  const pause =
    status === 429 && retryAfterMs !== undefined && retryAfterMs > maxRetryAfterMs
      ? `; the service asks for a pause of ${retryAfterMs} ms, longer than \`retry.maxRetryAfter\` (\`maxPause\` in a run) allows`
      : "";
  const Class = apiErrorClassOf(status);
  return new Class(parts.filter(Boolean).join(": ") + advice + pause, fetched.outcome, {
    ...response,
    retryAfterMs,
  });
};
