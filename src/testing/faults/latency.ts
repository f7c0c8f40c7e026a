import { assertOptions, type OptionNames } from "../../options.ts";
import { assertUsage } from "../assert-usage.ts";
import { createRandom } from "./random.ts";
import {
  createFilter,
  FILTER_NAMES,
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
const NAMES: OptionNames<LatencyOptions> = { min: true, max: true, ...FILTER_NAMES };

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
  const options: LatencyOptions = typeof option === "number" ? { min: option } : option;
  const { min = 0, max = min, ...filter } = assertOptions("latency", options, NAMES, "latency.");
  const range = `milliseconds from 0 to ${MAX_DELAY_MS}`;
  assertUsage(CALL, isDelay(min), `latency must be a number of ${range}`);
  const isRange = isDelay(max) && max >= min;
  assertUsage(CALL, isRange, `latency.max must be a number of ${range}, not below latency.min`);
  const passes = createFilter(CALL, filter);
  const random = createRandom(filter.seed ?? 1);
  return (request) => (passes(request) ? min + random() * (max - min) : 0);
};
