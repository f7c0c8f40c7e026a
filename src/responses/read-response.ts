import type { Outcome } from "../errors/outcome.ts";
import { ResponseValidationError } from "../errors/response-validation-error.ts";
import type { ValidationIssue } from "../errors/validation-issue.ts";
import type { ApiResponse } from "../http/api-promise.ts";
import { type Call, contextOf } from "../http/call.ts";
import { type Answer, MAX_KEPT_BODY } from "../http/transport.ts";
import type { StandardSchema } from "../wire/standard-schema.ts";
import { redact, textsWithin } from "./redact.ts";
import { proveBody } from "./required-fields.ts";
import { toResponseError } from "./response-error.ts";

/**
 * What a call resolves to.
 *
 * @throws the error that the answer is: of its status, or because it does not prove itself.
 */
export const readAnswer = async <Data>(
  call: Call<Data>,
  answer: Answer,
): Promise<ApiResponse<Data>> => {
  const { connection, endpoint, input } = call;
  const { response, text } = answer;
  if (!response.ok) {
    const secrets = [...connection.secrets, ...textsWithin(input)];
    throw toResponseError(answer, secrets, contextOf(call));
  }
  const proof = proveBody(endpoint, input, text);
  if (!proof.proved) throw unproved(call, answer, proof.what, "unknown", proof.issues);
  const { body } = proof;
  const drifted = reportDrift(call, body);
  if (drifted) throw unproved(call, answer, "a field is not as documented", "done", drifted);
  if (!endpoint.schema) return { data: endpoint.unwrap(body as never), body, response };
  const parsed = await parseBy(endpoint.schema, body);
  if ("data" in parsed) return { data: parsed.data, body, response };
  throw unproved(call, answer, "the caller's schema refuses it", "done", parsed.issues);
};

const unproved = (
  call: Call,
  { response, text }: Answer,
  what: string,
  outcome: Outcome,
  issues: readonly ValidationIssue[],
): ResponseValidationError => {
  const { status } = response;
  const details = { status, body: text.slice(0, MAX_KEPT_BODY), issues };
  return new ResponseValidationError(`${status}, but ${what}`, outcome, details, contextOf(call));
};

/** The output of a caller's own schema, or what it finds wrong. */
const parseBy = async <T>(
  schema: StandardSchema<T>,
  body: unknown,
): Promise<{ data: T } | { issues: ValidationIssue[] }> => {
  try {
    const result = await schema["~standard"].validate(body);
    if (!result.issues) return { data: result.value };
    const issues = result.issues.map(({ message, path = [] }) => ({
      code: "custom",
      message: redact(message, []),
      path: path.map((key) => {
        const plain = typeof key === "object" ? key.key : key;
        return typeof plain === "symbol" ? String(plain) : plain;
      }),
    }));
    return { issues };
  } catch {
    return { issues: [{ code: "custom", message: "the schema threw an error", path: [] }] };
  }
};

/** Reports the fields that are not as documented; returns them where they fail the call. */
const reportDrift = (call: Call, body: unknown): readonly ValidationIssue[] | undefined => {
  const { connection, endpoint, settings, events } = call;
  if (settings.responseValidation === "off") return undefined;
  const issues = connection.drift.issuesOf(endpoint, body);
  if (!issues) return undefined;
  events?.emit({ type: "response_mismatch", issues });
  if (settings.responseValidation === "strict") return issues;
  connection.drift.warn(endpoint, issues);
  return undefined;
};
