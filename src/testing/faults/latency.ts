import { assertUsage } from "../assert-usage.ts";
import { createRandom } from "./random.ts";
import { createFilter, type FilteredRequest, type RequestFilter } from "./request-filter.ts";

/** Real time that responses take. */
export interface LatencyOptions extends RequestFilter {
  /** Shortest time in milliseconds. Default: 0. */
  readonly min?: number | undefined;
  /** Longest time in milliseconds. Default: `min`. */
  readonly max?: number | undefined;
}

const CALL = "createFakeService";

const isTime = (ms: unknown): boolean => Number.isFinite(ms) && Number(ms) >= 0;

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
  assertUsage(CALL, isTime(min), "latency must be a number of 0 or more milliseconds");
  const isRange = isTime(max) && max >= min;
  assertUsage(CALL, isRange, "latency.max must be a number of milliseconds, not below latency.min");
  const passes = createFilter(CALL, filter);
  const random = createRandom(filter.seed ?? 1);
  return (request) => (passes(request) ? min + random() * (max - min) : 0);
};
