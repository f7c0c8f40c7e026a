// Requests that the fake received, as it returns them.
import * as z from "zod/mini";
import type { ValidationIssue } from "../../core/errors.ts";
import { parseJson } from "../../core/wire/encodings.ts";
import type { FakeRequest, FakeResponse } from "./exchange.ts";
import * as f from "./fake-fields.ts";
import { faults } from "./fault-table.ts";

const strings = z.record(z.string(), z.string());

/** Request that the fake received. */
export const recordedRequestSchema = f.objectOf({
  /** Id of the request, counted from 1 in the order of arrival. */
  id: f.integer,
  /** Time of the fake's clock at its arrival, ISO 8601. */
  at: f.string,
  /** HTTP method. */
  method: f.string,
  /** Path, without the query. */
  path: f.string,
  /** Method and path template; absent if there is no such endpoint. */
  endpoint: z.exactOptional(f.string),
  /** Query parameters, decoded. */
  query: strings,
  /** Headers by lower-case name; credentials are replaced by `[redacted]`. */
  headers: strings,
  /**
   * Body: parsed if it is JSON, otherwise a string; absent if there is none. A body of more than 65 536 characters is
   * truncated to that length and recorded as a string.
   */
  body: f.anyJson,
  /** Status of the response; 0 if none was sent. */
  status: f.integer,
  /** Real time in milliseconds until the response, latency included. */
  durationMs: f.number,
  /** Fault that the request met, or `status` or `refuse`; absent if it met none. */
  failure: z.exactOptional(f.oneOf([...faults, "status", "refuse"])),
  errors: f.listOf(f.problemSchema),
});

/** A request that arrived, with `[redacted]` in place of its credentials. */
export interface RecordedRequest extends f.DeepReadonly<z.infer<typeof recordedRequestSchema>> {
  /** Validation errors that the response reports. */
  readonly errors: readonly ValidationIssue[];
}

/** Longest body, in characters, that is recorded whole. */
const MAX_BODY_LENGTH = 65_536;

const CREDENTIAL_HEADERS = ["authorization", "x-api-key", "cookie"];

const toRecordedBody = (body: string): unknown => {
  if (body === "") return undefined;
  if (body.length > MAX_BODY_LENGTH) return body.slice(0, MAX_BODY_LENGTH);
  const parsed = parseJson(body);
  return parsed === undefined ? body : parsed;
};

export const recordRequest = (
  { method, path, query, headers, body }: FakeRequest,
  { status, endpoint, arrives, errors = [] }: FakeResponse,
  record: Pick<RecordedRequest, "id" | "at" | "durationMs" | "failure">,
): RecordedRequest => {
  const shown = { ...headers };
  for (const name of CREDENTIAL_HEADERS) {
    if (name in shown) shown[name] = "[redacted]";
  }
  return {
    ...record,
    method,
    path,
    ...(endpoint !== undefined && { endpoint }),
    query,
    headers: shown,
    body: toRecordedBody(body),
    status: arrives === "breaks" ? 0 : status,
    errors,
  };
};
