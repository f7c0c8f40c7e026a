import {
  type CallContext,
  type Outcome,
  ResponseValidationError,
  type ValidationIssue,
} from "../errors.ts";
import type { Endpoint, EndpointInput } from "../wire/endpoint.ts";
import { fieldOf } from "./field-of.ts";
import { isJsonObject } from "./json.ts";
import { MAX_KEPT_BODY, type Received } from "./received.ts";
import type { Redactor } from "./redact.ts";
import { missingFields } from "./required-fields.ts";
import { toResponseError, wordsOf } from "./response-error.ts";

/** Parts of a request that are needed to read its response. */
export interface ReadContext {
  readonly endpoint: Endpoint;
  readonly input: EndpointInput;
  readonly redactor: Redactor;
  /** Returns the description of the call for its errors. */
  readonly contextOf: () => CallContext;
}

/**
 * Returns the body of a response that proves the success of the call.
 *
 * @throws the error of its status, or a {@link ResponseValidationError} for a 2xx without the required fields.
 */
export const readResponse = (received: Received, context: ReadContext): unknown => {
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
    const words = wordsOf(json);
    const quotation = words === undefined ? "" : `: ${redactor.quote(words)}`;
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
  const kept = body.slice(0, MAX_KEPT_BODY);
  return new ResponseValidationError(
    `${status}, but ${why}`,
    outcome,
    { status, body: kept, issues },
    call,
  );
};
