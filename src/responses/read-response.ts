import {
  type CallContext,
  type Outcome,
  ResponseValidationError,
  type ValidationIssue,
} from "../errors.ts";
import type { Endpoint, EndpointInput } from "../wire/endpoint.ts";
import type { DriftWatch } from "./drift.ts";
import { fieldOf } from "./field-of.ts";
import { isJsonObject } from "./json.ts";
import { keptPart, type Received } from "./received.ts";
import type { Redactor } from "./redact.ts";
import { missingFields } from "./required-fields.ts";
import { messageOf, toResponseError } from "./response-error.ts";

/** What is needed to read the response to a request. */
export interface ReadContext {
  readonly endpoint: Endpoint;
  readonly input: EndpointInput;
  readonly redactor: Redactor;
  readonly drift: DriftWatch;
  /** Treatment of a field that is not as documented: see `RequestOptions`. */
  readonly responseValidation: "strict" | "warn" | "off";
  /** Returns the description of the call for its errors. */
  readonly contextOf: () => CallContext;
}

/** Body of a response that proves the success of the call. */
export interface ProvenResponse {
  /** Parsed JSON; a string or bytes if the endpoint asks for them; `undefined` for an empty body. */
  readonly body: unknown;
  /** Issues of fields that are not as documented, if they were looked for and found. */
  readonly drift: readonly ValidationIssue[] | undefined;
}

/**
 * Reads a response, and warns of fields that are not as documented.
 *
 * @throws the error of its status, or a {@link ResponseValidationError} for a 2xx without the required fields.
 */
export const readResponse = (received: Received, context: ReadContext): ProvenResponse => {
  const { endpoint, drift, responseValidation } = context;
  const body = readBody(received, context);
  if (responseValidation === "off") return { body, drift: undefined };
  const issues = drift.issuesOf(endpoint, body, responseValidation === "strict");
  if (issues && responseValidation === "warn") drift.warn(endpoint, issues);
  return { body, drift: issues };
};

const readBody = (received: Received, context: ReadContext): unknown => {
  const { endpoint, input, redactor, contextOf } = context;
  const { response, body } = received;
  if (!response.ok) throw toResponseError(received, redactor, contextOf());
  if (endpoint.responseType !== undefined || typeof body !== "string") return body;

  const refuse = (why: string, issues: readonly ValidationIssue[] = []) =>
    toResponseValidationError(received, why, "unknown", issues, contextOf());
  if (body === "") {
    if (endpoint.requiredFields) throw refuse("its body is empty");
    return undefined;
  }
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw refuse(/^\s*</.test(body) ? "its body is HTML, not JSON" : "its body is not JSON");
  }
  if (isJsonObject(json) && json.status === "error") {
    const said = messageOf(json);
    const quotation = said === undefined ? "" : `: ${redactor.quote(said)}`;
    throw refuse(`its body reports an error${quotation}`);
  }
  const missing = missingFields(json, endpoint.requiredFields ?? {});
  if (missing.length > 0) {
    const fields = missing.map(({ path, type }) => `\`${path[0]}\` (${type})`);
    throw refuse(`its body lacks ${fields.join(", ")}`, missing);
  }
  const mismatch = endpoint.mismatch?.(json as never, input);
  if (mismatch) throw refuse(`its \`${fieldOf(mismatch)}\` ${mismatch.message}`, [mismatch]);
  return json;
};

/** Converts a 2xx that is refused into its error. */
export const toResponseValidationError = (
  { response, body }: Received,
  why: string,
  outcome: Outcome,
  issues: readonly ValidationIssue[],
  call: CallContext,
): ResponseValidationError => {
  const { status } = response;
  return new ResponseValidationError(
    `${status}, but ${why}`,
    outcome,
    { status, body: keptPart(body), issues },
    call,
  );
};
