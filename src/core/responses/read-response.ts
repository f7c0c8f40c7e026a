import * as z from "zod/mini";
import {
  customIssue,
  type Outcome,
  ResponseValidationError,
  type ValidationIssue,
} from "../errors.ts";
import { ignoreErrors, isJsonObject, orUndefined } from "../options.ts";
import { toValidationIssues } from "../schemas/validation-issues.ts";
import { parseJson } from "../wire/encodings.ts";
import type { Endpoint, EndpointInput, RequiredFields, StandardSchema } from "../wire/endpoint.ts";
import { type FetchedResponse, keptPart, TOO_LONG, UNREADABLE } from "./fetched-response.ts";
import { reasonOf } from "./reason.ts";
import type { Redactor } from "./redact.ts";
import { type CalledUrl, toResponseError } from "./response-error.ts";

export interface ReadContext<Data = unknown> {
  readonly endpoint: Endpoint<unknown, never, Data>;
  readonly sent: EndpointInput;
  readonly redactor: Redactor;
  readonly called?: CalledUrl;
  /** Longest `Retry-After` that the call waits for after a 429, in milliseconds. Default: no limit. */
  readonly maxRetryAfterMs?: number;
  readonly responseValidation: "strict" | "warn" | "off";
  /** Timer of the call, which ends the validation by a caller's schema if it takes too long. */
  readonly timer: { run<T>(work: () => Promise<T>, outcomeIfEnded: () => Outcome): Promise<T> };
}

export interface ReadResponse<Data> {
  readonly data: Data;
  /** Parsed JSON; `undefined` for an empty body. */
  readonly body: unknown;
  /** Issues of fields with undocumented types; `undefined` if there are no such fields, or if they were not checked. */
  readonly mismatches: readonly ValidationIssue[] | undefined;
}

/** Reads a response, synchronously unless the caller has a schema. */
export const readResponse = <Data>(
  fetched: FetchedResponse,
  context: ReadContext<Data>,
): ReadResponse<Data> | Promise<ReadResponse<Data>> => {
  const { endpoint, redactor, responseValidation, timer } = context;
  const { schema } = endpoint;
  const body = parseBody(fetched, context);
  if (schema) {
    return timer
      .run(
        () => parseWith(schema, body, redactor),
        () => "done",
      )
      .then((parsed) => {
        if ("data" in parsed) return { data: parsed.data, body, mismatches: undefined };
        const why = "your schema rejects it";
        throw toResponseValidationError(fetched, why, "done", parsed.issues);
      });
  }
  const mismatches =
    responseValidation === "off"
      ? undefined
      : mismatchesOf(endpoint as Endpoint, body, responseValidation === "strict");
  return { data: endpoint.unwrap(body as never), body, mismatches };
};

const parseBody = (fetched: FetchedResponse, context: ReadContext): unknown => {
  const { endpoint, sent, redactor, called, maxRetryAfterMs } = context;
  const { response, body } = fetched;
  if (!response.ok) throw toResponseError(fetched, redactor, called, maxRetryAfterMs);
  const toError = (why: string, issues: readonly ValidationIssue[] = []) =>
    toResponseValidationError(fetched, why, fetched.outcome, issues);
  if (body === undefined) throw toError(fetched.isTooLong ? TOO_LONG : UNREADABLE);
  if (body === "") {
    if (endpoint.requiredFields) throw toError("its body is empty");
    return undefined;
  }
  const json = parseJson(body);
  if (json === undefined) {
    throw toError(/^\s*</.test(body) ? "its body is HTML, not JSON" : "its body is not JSON");
  }
  // The documented success is `OK`, in capital letters.
  if (isJsonObject(json) && (json.status === "error" || json.status === "ERROR")) {
    const reason = reasonOf(json);
    const quotation = reason === undefined ? "" : `: ${redactor.quote(reason)}`;
    throw toError(`its body reports an error${quotation}`);
  }
  const missing = missingFields(json, endpoint.requiredFields ?? {});
  if (missing.length > 0) {
    const fields = missing.map(({ path, type }) => `\`${path[0]}\` (${type})`);
    throw toError(`its body lacks ${fields.join(", ")}`, missing);
  }
  const issue = endpoint.responseIssue?.(json as never, sent);
  if (issue) throw toError(`its \`${fieldOf(issue)}\` ${issue.message}`, [issue]);
  return json;
};

const TYPE_TESTS: Readonly<Record<RequiredFields[string], (value: unknown) => boolean>> = {
  object: isJsonObject,
  array: (value) => Array.isArray(value),
  string: (value) => typeof value === "string" && value !== "",
  integer: (value) => Number.isSafeInteger(value),
};

const missingFields = (body: unknown, required: RequiredFields): ValidationIssue[] => {
  const fields = isJsonObject(body) ? body : {};
  const issues: ValidationIssue[] = [];
  for (const [key, type] of Object.entries(required)) {
    if (TYPE_TESTS[type](fields[key])) continue;
    const message = `is required and must be ${/^[aio]/.test(type) ? "an" : "a"} ${type}`;
    issues.push({ code: "invalid_type", type, path: [key], message });
  }
  return issues;
};

type Parsed<T> = { readonly data: T } | { readonly issues: readonly ValidationIssue[] };

const MAX_ISSUES = 1000;

/** Parses a body with the caller's own schema. Redacts the issues, because they may quote the body. Never throws. */
const parseWith = async <T>(
  schema: StandardSchema<T>,
  body: unknown,
  redactor: Redactor,
): Promise<Parsed<T>> => {
  const toKey = (key: PropertyKey): string | number =>
    typeof key === "number" ? key : redactor.quote(String(key));
  try {
    const result = await schema["~standard"].validate(body);
    if (!result.issues) return { data: result.value };
    const issues = result.issues.slice(0, MAX_ISSUES).map(({ message, path = [] }) =>
      customIssue(
        redactor.quote(String(message)),
        path.map((key) => toKey(typeof key === "object" ? key.key : key)),
      ),
    );
    return { issues };
  } catch {
    return { issues: [customIssue("the schema threw an error")] };
  }
};

export const toResponseValidationError = (
  { response, body }: FetchedResponse,
  why: string,
  outcome: Outcome,
  issues: readonly ValidationIssue[],
): ResponseValidationError => {
  const { status } = response;
  const details = { status, body: keptPart(body ?? ""), issues };
  return new ResponseValidationError(`${status}, but ${why}`, outcome, details);
};

/** Returns the path of a field without indexes, such as `lists[].counts.cleaned`. */
export const fieldOf = ({ path }: ValidationIssue): string =>
  path
    .map((key) => (typeof key === "number" ? "[]" : `.${key}`))
    .join("")
    .replace(/^\./, "");

/** Maximum number of records that zod checks, because it fails on more than about a hundred thousand issues at once. */
const MAX_RECORDS = 1000;

/**
 * Returns one issue for each field of a body with an undocumented type; `undefined` if all types are as documented. Never throws.
 *
 * @param isStrict Whether fields beyond the first {@link MAX_RECORDS} records also count.
 */
const mismatchesOf = (
  { response, matchesResponse }: Endpoint,
  body: unknown,
  isStrict: boolean,
): readonly ValidationIssue[] | undefined => {
  if (!response || orUndefined(() => matchesResponse?.()(body))) return undefined;
  const issues = orUndefined(() => explain(response(), body as object));
  if (issues?.length === 0 && !isStrict) return undefined;
  // A single record can contain more values of wrong types than zod can report.
  return issues?.length ? issues : [customIssue("must have the documented types everywhere")];
};

/** Warns about each field once. `warned` contains the fields that the client has already warned about. */
export const warnOf = (
  endpoint: string,
  issues: readonly ValidationIssue[],
  warned: Set<string>,
): void => {
  for (const issue of issues) {
    const field = `${endpoint}: ${fieldOf(issue)}`;
    if (warned.has(field)) continue;
    warned.add(field);
    const warning = `messaging-service-client: ${field} is not as documented: it ${issue.message}`;
    ignoreErrors(() => console.warn(warning));
  }
};

/**
 * Returns one issue for each field of the first records that is not as documented. If several items have such a field, the issue
 * names the first item.
 */
const explain = (schema: z.ZodMiniType, body: object): readonly ValidationIssue[] => {
  const fields = Object.entries(body).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.slice(0, MAX_RECORDS) : value,
  ]);
  const { error } = z.safeParse(schema, Object.fromEntries(fields));
  const issues = toValidationIssues(error?.issues ?? []).reverse();
  return [...new Map(issues.map((issue) => [fieldOf(issue), issue])).values()].reverse();
};
