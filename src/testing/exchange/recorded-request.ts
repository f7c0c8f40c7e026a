import type { ValidationIssue } from "../../errors.ts";
import type { Fault } from "../faults/failure.ts";
import type { FakeRequest, FakeResponse } from "./fake-response.ts";

/** A request that arrived, with `[redacted]` in place of its credentials. */
export interface RecordedRequest {
  /** Number of the request, counted from 1 in the order of arrival. */
  readonly id: number;
  /** Time of the fake's clock, ISO 8601. */
  readonly at: string;
  /** HTTP method. */
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** Method and path template of the endpoint; absent when no route matches. */
  readonly endpoint?: string;
  /** Query parameters, decoded. */
  readonly query: Readonly<Record<string, string>>;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Body: parsed if it is JSON, otherwise a string; `undefined` if there is none. Of a body of more than 65 536 characters,
   * only that many are kept, as a string.
   */
  readonly body: unknown;
  /** Status of the response; 0 when none is sent. */
  readonly status: number;
  /** Real time in milliseconds until the response is sent, latency included. */
  readonly durationMs: number;
  /** Fault of `failNext` that the request met, or `status`; absent if it met none. */
  readonly failure?: Fault | "status";
  /** Validation errors that the response reports. */
  readonly errors: readonly ValidationIssue[];
}

/** Longest body, in characters, that is recorded whole. */
const MAX_BODY_LENGTH = 65_536;

const CREDENTIAL_HEADERS = ["authorization", "x-api-key", "cookie"];

const parseBody = (body: string): unknown => {
  if (body === "") return undefined;
  if (body.length > MAX_BODY_LENGTH) return body.slice(0, MAX_BODY_LENGTH);
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
};

/** Builds the record of a request and its response. */
export const recordRequest = (
  { method, path, query, headers, body }: FakeRequest,
  { status, endpoint, arrives, errors = [] }: FakeResponse,
  record: Pick<RecordedRequest, "id" | "at" | "durationMs"> & {
    readonly failure: Fault | "status" | undefined;
  },
): RecordedRequest => {
  const shown = { ...headers };
  for (const name of CREDENTIAL_HEADERS) {
    if (name in shown) shown[name] = "[redacted]";
  }
  const { failure, ...rest } = record;
  return {
    ...rest,
    method,
    path,
    ...(endpoint !== undefined && { endpoint }),
    query,
    headers: shown,
    body: parseBody(body),
    status: arrives === "breaks" ? 0 : status,
    ...(failure !== undefined && { failure }),
    errors,
  };
};
