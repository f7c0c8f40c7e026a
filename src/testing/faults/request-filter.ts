import type { OptionNames } from "../../options.ts";
import { assertUsage, toPhoneNumber } from "../assert-usage.ts";
import { endpointIds, type FakeEndpoint } from "../handlers/endpoint-ids.ts";
import { createRandom } from "./random.ts";

/** Filter for the requests of a failure or a latency. */
export interface RequestFilter {
  /** Endpoint of the requests, such as `"GET /api/v2/lists"`. Default: any. */
  readonly endpoint?: FakeEndpoint | undefined;
  /** Phone of the requests, in any common format: the one sent to, or the subscriber removed. Default: any. */
  readonly phone?: string | undefined;
  /** Share of these requests, more than 0 and up to 1, chosen by a random generator. Default: 1. */
  readonly share?: number | undefined;
  /** Seed of that generator, an integer: the same seed chooses the same requests. Default: 1. */
  readonly seed?: number | undefined;
}

/** Names of the fields of a filter. */
export const FILTER_NAMES: OptionNames<RequestFilter> = {
  endpoint: true,
  phone: true,
  share: true,
  seed: true,
};

/** Longest delay of a response in milliseconds. The sum of a latency and a fault's delay fits a timer. */
export const MAX_DELAY_MS = 1_000_000_000;

/** Returns whether a value is a delay in milliseconds. */
export const isDelay = (ms: unknown): ms is number =>
  typeof ms === "number" && ms >= 0 && ms <= MAX_DELAY_MS;

/** Parts of a request that a filter checks. */
export interface FilteredRequest {
  readonly endpoint: string | undefined;
  /** Phone number in E.164. */
  readonly phone: string | undefined;
}

/**
 * Builds the function that returns whether a request passes a filter; a share counts only the requests that pass the
 * rest of the filter.
 *
 * @throws TypeError when the filter is malformed.
 */
export const createFilter = (
  call: string,
  { endpoint, phone, share = 1, seed = 1 }: RequestFilter,
): ((request: FilteredRequest) => boolean) => {
  const isKnown = endpoint === undefined || endpointIds.includes(endpoint);
  assertUsage(call, isKnown, `endpoint must be one of ${endpointIds.join(", ")}`);
  const e164 = phone === undefined ? undefined : toPhoneNumber(call, phone);
  const isShare = typeof share === "number" && share > 0 && share <= 1;
  assertUsage(call, isShare, "share must be a number above 0 and at most 1");
  assertUsage(call, Number.isSafeInteger(seed), "seed must be an integer");
  const random = createRandom(seed);
  return (request) =>
    (endpoint === undefined || request.endpoint === endpoint) &&
    (e164 === undefined || request.phone === e164) &&
    (share === 1 || random() < share);
};
