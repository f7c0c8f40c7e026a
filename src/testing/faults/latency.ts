import { assertUsage } from "../assert-usage.ts";
import { createRandom } from "./random.ts";
import {
  createFilter,
  type FilteredRequest,
  isDelay,
  MAX_DELAY_MS,
  type RequestFilter,
} from "./request-filter.ts";

/** Real time that responses take. */
export interface LatencyOptions extends RequestFilter {
  /** Shortest time in milliseconds, 0 to 1 000 000 000. Default: 0. */
  readonly min?: number | undefined;
  /** Longest time in milliseconds, `min` to 1 000 000 000. Default: `min`. */
  readonly max?: number | undefined;
}

const CALL = "createFakeService";

/**
 * Builds the function that returns the latency of a request in milliseconds.
 *
 * @throws TypeError when the option is malformed.
 */
export const createLatency = (
  option: number | LatencyOptions,
): ((request: FilteredRequest) => number) => {
  const isKnown = typeof option === "number" || (typeof option === "object" && option !== null);
  assertUsage(CALL, isKnown, "latency must be a number of milliseconds, or an object");
  const { min = 0, max = min, ...filter } = typeof option === "number" ? { min: option } : option;
  const range = `milliseconds from 0 to ${MAX_DELAY_MS}`;
  assertUsage(CALL, isDelay(min), `latency must be a number of ${range}`);
  const isRange = isDelay(max) && max >= min;
  assertUsage(CALL, isRange, `latency.max must be a number of ${range}, not below latency.min`);
  const passes = createFilter(CALL, filter);
  const random = createRandom(filter.seed ?? 1);
  return (request) => (passes(request) ? min + random() * (max - min) : 0);
};
