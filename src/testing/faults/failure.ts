import type { RequestFilter } from "./request-filter.ts";

/** The faults that a fake service can show. */
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
 * A way in which a request goes wrong.
 *
 * - `network`: the connection breaks before the service reads the request, which is not recorded.
 * - `hang`: no response ever comes; nothing was done.
 * - `stalled_body`: the request is carried out; only the beginning of the response's body comes.
 * - `truncated`: the request is carried out; the response is JSON that breaks off.
 * - `html`: the response is a 200 with an HTML page; nothing was done.
 * - `dropped`: the request is carried out; then the connection breaks.
 * - `slow`: the request is carried out; the response comes after `delayMs` of real time.
 * - `wrong_page`: the response holds the page after the one asked for, as its page number says.
 * - `drift`: the request is carried out; a field of the response has another type than documented.
 */
export type Fault = (typeof faults)[number];

/** A failure that the next requests meet. */
export type NextFailure = RequestFilter & {
  /**
   * Number of requests that meet the failure. Default: 1; with `share` no limit, until `clearFailures()`.
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
        /** The fault. */
        readonly fault: Fault;
        /** Milliseconds of real time that `slow` waits. Default: 1000. */
        readonly delayMs?: number | undefined;
      }
  );

/** The effect of a failure on a request that meets it. */
export interface FailureEffect {
  /** The fault, where it is one. */
  readonly fault?: Fault | undefined;
  /** Milliseconds of real time that `slow` waits. */
  readonly delayMs?: number | undefined;
  /** Status of the response, where it is not a fault. */
  readonly status?: number | undefined;
  /** Headers of the response. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Body of the response. */
  readonly body?: unknown;
}

/** A failure that waits for its requests. */
export interface ArmedFailure extends RequestFilter, FailureEffect {
  /** Number of the failure, for `clearFailures(id)`. */
  readonly id: number;
  /** Number of requests that will still meet it; `null` when there is no limit. */
  readonly timesLeft: number | null;
}
