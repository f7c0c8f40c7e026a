import type { RequestFilter } from "./request-filter.ts";

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

/** Failure that the next requests meet. */
export type NextFailure = RequestFilter & {
  /**
   * Number of requests that meet the failure. Default: 1; with `share`, no limit until `clearFailures()`.
   */
  readonly times?: number | undefined;
} & (
    | {
        /** Status of the response, 200 to 599; nothing was done. */
        readonly status: number;
        /** Headers of the response, such as `retry-after`. Default: the usual ones only. */
        readonly headers?: Readonly<Record<string, string>> | undefined;
        /** Body of the response: a string as it is, anything else as JSON. Default: an error in the fake's own shape. */
        readonly body?: unknown;
      }
    | {
        /** Kind of fault. */
        readonly fault: Fault;
        /** Real time in milliseconds by which `slow` delays a response, 0 to 1 000 000 000. Default: 1000. */
        readonly delayMs?: number | undefined;
      }
  );

/** Effect of a failure on a request that meets it. */
export interface FailureEffect {
  /** Kind of fault, if it is one. */
  readonly fault?: Fault | undefined;
  /** Real time in milliseconds by which `slow` delays a response. */
  readonly delayMs?: number | undefined;
  /** Status of the response, if it is not a fault. */
  readonly status?: number | undefined;
  /** Headers of the response. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Body of the response. */
  readonly body?: unknown;
}

/** Armed failure, which waits for its requests. */
export interface ArmedFailure extends RequestFilter, FailureEffect {
  /** Id of the failure, for `clearFailures(id)`. */
  readonly id: number;
  /** Number of requests that will still meet the failure; `null` when there is no limit. */
  readonly timesLeft: number | null;
}
