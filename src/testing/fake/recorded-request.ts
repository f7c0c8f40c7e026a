import * as z from "zod/mini";
import type { ValidationIssue } from "../../errors.ts";
import { integer, listOf, number, oneOf, string } from "../../schemas/fields.ts";
import { type DeepReadonly, objectOf } from "./shapes.ts";

/** Faults that a fake service can simulate. */
export const faults = [
  "network",
  "hang",
  "stalled_body",
  "truncated",
  "html",
  "dropped",
  "slow",
  "wrong_page",
  "drift",
] as const;

/**
 * Fault that a request can meet.
 *
 * - `network`: the connection breaks before the service reads the request, which is not recorded.
 * - `hang`: no response ever comes; nothing was done.
 * - `stalled_body`: the request is carried out; only the beginning of the response's body arrives.
 * - `truncated`: the request is carried out; the JSON of the response breaks off.
 * - `html`: the response is a 200 with an HTML page; nothing was done.
 * - `dropped`: the request is carried out; then the connection breaks.
 * - `slow`: the request is carried out; the response arrives after `delayMs` of real time.
 * - `wrong_page`: the response holds the page after the requested one, with that page's number.
 * - `drift`: the request is carried out; a field of the response has another type than documented.
 */
export type Fault = (typeof faults)[number];

/** Field that broke a rule. */
export const problemSchema = objectOf({
  /** Keys and indexes that lead to the field. */
  path: listOf(z.union([z.string(), z.number()])),
  /** Message for people: the problem, then what would be right. */
  message: string,
});

const strings = z.record(z.string(), z.string());

/** Request that the fake received. */
export const recordedRequestSchema = objectOf({
  /** Id of the request, counted from 1 in the order of arrival. */
  id: integer,
  /** Time of the fake's clock at its arrival, ISO 8601. */
  at: string,
  /** HTTP method. */
  method: string,
  /** Path, without the query. */
  path: string,
  /** Method and path template; absent if there is no such endpoint. */
  endpoint: z.exactOptional(string),
  /** Query parameters, decoded. */
  query: strings,
  /** Headers by lower-case name; credentials are replaced by `[redacted]`. */
  headers: strings,
  /**
   * Body, parsed if it is JSON; absent if there is none. Of a body of more than 65 536 characters, only that many are kept,
   * as a string.
   */
  body: z.optional(z.unknown()),
  /** Status of the response; 0 if none was sent. */
  status: integer,
  /** Real time in milliseconds until the response, latency included. */
  durationMs: number,
  /** Fault that the request met, or `status`; absent if it met none. */
  failure: z.exactOptional(oneOf([...faults, "status"])),
  /** Fields that the fake refused. */
  errors: listOf(problemSchema),
});

/** A request that arrived, with `[redacted]` in place of its credentials. */
export interface RecordedRequest extends DeepReadonly<z.infer<typeof recordedRequestSchema>> {
  /**
   * Body: parsed if it is JSON, otherwise a string; `undefined` if there is none. Of a body of more than 65 536 characters,
   * only that many are kept, as a string.
   */
  readonly body: unknown;
  /** Validation errors that the response reports. */
  readonly errors: readonly ValidationIssue[];
}
