import {
  ApiError,
  AuthenticationError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
} from "../errors/api-error.ts";
import type { CallContext } from "../errors/base.ts";
import type { Outcome } from "../errors/outcome.ts";
import { ValidationError } from "../errors/validation-error.ts";
import type { ValidationIssue } from "../errors/validation-issue.ts";
import { parseRetryAfter } from "../http/retry.ts";
import type { Answer } from "../http/transport.ts";
import { redact } from "./redact.ts";
import { requestIdOf } from "./request-id.ts";

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** The body of an error: JSON where it is, else its text. */
const parseBody = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** The longest message of one field. */
const LONGEST_ISSUE = 2000;
/** How deep in a body words are looked for. */
const MAX_DEPTH = 4;

/** What the service says of an error, in whichever shape; the one of version 2 is not documented. */
const wordsOf = (body: unknown, depth = 0): string | undefined => {
  if (typeof body === "string") return /^\s*(<|$)/.test(body) ? undefined : body;
  if (!isObject(body) || depth > MAX_DEPTH) return undefined;
  const within = (part: unknown) => wordsOf(part, depth + 1);
  if (Array.isArray(body)) return body.map(within).filter(Boolean).join("; ") || undefined;
  const { error, message, errors } = body;
  return within(error) ?? within(message) ?? within(errors) ?? wordsOfFields(errors);
};

/** `{ "name": ["is too long"] }` as "name is too long". */
const wordsOfFields = (errors: unknown): string | undefined => {
  if (!isObject(errors)) return undefined;
  const fields = Object.entries(errors).map(([field, words]) => `${field} ${wordsOf(words) ?? ""}`);
  return fields.join("; ") || undefined;
};

const isPath = (path: unknown): path is (string | number)[] =>
  Array.isArray(path) && path.every((key) => typeof key === "string" || typeof key === "number");

/** The documented items of a version 3 error body; `undefined` when it has another shape. */
const issuesOf = (body: unknown, quote: (text: string, longest?: number) => string) => {
  if (!isObject(body) || !Array.isArray(body.errors) || body.errors.length === 0) return undefined;
  // The name of a field or a kind stays; anything else in its place is words of the service.
  const nameOf = <T>(name: T) =>
    typeof name !== "string" || /^[a-z_]{1,40}$/i.test(name) ? name : quote(name);
  const issues: ValidationIssue[] = [];
  for (const item of body.errors) {
    if (!isObject(item)) return undefined;
    const { code, message, path, validation, minimum, maximum, type, inclusive, exact } = item;
    if (typeof code !== "string" || typeof message !== "string" || !isPath(path)) return undefined;
    const details = {
      ...{ validation: nameOf(validation), type: nameOf(type) },
      ...{ minimum, maximum, inclusive, exact },
    };
    issues.push({
      code: nameOf(code) as string,
      message: quote(message, LONGEST_ISSUE),
      path: path.map(nameOf),
      ...Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined)),
    });
  }
  return issues;
};

const CLASSES: Readonly<Record<number, typeof ApiError>> = {
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  429: RateLimitError,
};

const isRedirect = (status: number) => status === 0 || (status >= 300 && status < 400);

/** Where a redirect leads, without its query. */
const targetOf = (headers: Headers): string | undefined => {
  const location = headers.get("location");
  return location === null ? undefined : location.replace(/[?#].*$/, "");
};

const outcomeOf = (status: number): Outcome =>
  // 0 is a redirect of which a browser tells nothing: it may be the 303 that follows a deed.
  status === 0 || status === 303 || status === 408 || status >= 500 ? "unknown" : "rejected";

/** The error that an answer outside 2xx is. */
export const toResponseError = (
  answer: Answer,
  secrets: Iterable<string>,
  context: CallContext,
): ApiError | ValidationError => {
  const { status, statusText, headers } = answer.response;
  const quote = (text: string, longest?: number) => redact(text, secrets, longest);
  const body = parseBody(answer.text);
  const response = { status, headers, body, requestId: requestIdOf(headers) };

  const issues = status === 400 ? issuesOf(body, quote) : undefined;
  if (issues) {
    const { error } = body as { error?: unknown };
    const summary = typeof error === "string" ? quote(error) : undefined;
    return new ValidationError(issues, { summary, response }, context);
  }
  const target = isRedirect(status) ? targetOf(headers) : undefined;
  const words = isRedirect(status)
    ? `a redirect${target === undefined ? "" : ` to ${target}`}, which is not followed`
    : wordsOf(body);
  const what = [status, quote(statusText)].filter(Boolean).join(" ");
  const Class = CLASSES[status] ?? (status >= 500 ? ServerError : ApiError);
  return new Class(
    words === undefined ? what : `${what}: ${quote(words)}`,
    outcomeOf(status),
    { ...response, retryAfterMs: parseRetryAfter(headers) },
    context,
  );
};
