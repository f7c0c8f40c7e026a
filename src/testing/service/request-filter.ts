import * as z from "zod/mini";
import { e164Of } from "../../core/rules/phone.ts";
import { parseJson } from "../../core/wire/encodings.ts";
import { assertUsage, CREATE, parseOptions, parseUsage } from "../fake/checks.ts";
import * as f from "../fake/fake-fields.ts";
import { endpointIds, type FakeEndpoint, type RoutedRequest } from "./router.ts";

/** Endpoints that a failure can be limited to, sorted. */
export const endpoints = endpointIds.toSorted() as [FakeEndpoint, ...FakeEndpoint[]];

export const requestFilterSchema = f.objectOf({
  /** Endpoint of the requests, such as `GET /api/v2/lists`. Default: any. */
  endpoint: z.optional(f.oneOf(endpoints)),
  /** Phone number of the requests, in any common format: the recipient of a send, or the subscriber to remove. Default: any. */
  phone: z.optional(f.phoneSchema),
  /** Share of the requests that pass the rest of the filter, above 0 and up to 1, chosen at random. Default: 1. */
  share: z.optional(
    f.numberThat("a number above 0 and at most 1", (share) => share > 0 && share <= 1, {
      exclusiveMinimum: 0,
      maximum: 1,
    }),
  ),
  /** Seed of the random choice, an integer: the same seed makes the same choices in the order of arrival. Default: 1. */
  seed: z.optional(f.integer),
});

/** Filter for the requests of a failure or a latency. */
export interface RequestFilter extends f.DeepReadonly<z.input<typeof requestFilterSchema>> {
  /** Endpoint of the requests, such as `"GET /api/v2/lists"`. Default: any. */
  readonly endpoint?: FakeEndpoint | undefined;
}

/** Returns a random generator of numbers from 0 up to 1, whose sequence is the same for the same seed (mulberry32). */
export const createRandom = (seed: number): (() => number) => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** Maximum delay of a response in milliseconds. The sum of a latency and a fault's delay fits a timer. */
export const MAX_DELAY_MS = 1_000_000_000;

export const delaySchema = f.numberFrom(0, MAX_DELAY_MS);

/** Returns the phone number of a request in E.164: the recipient of a send, or the subscriber to remove. */
const phoneOf = ({ request, route }: RoutedRequest): string | undefined => {
  const { phoneNumber } = Object(parseJson(request.body));
  return e164Of(route?.params.SUBSCRIBER_ID ?? phoneNumber);
};

/** Returns the predicate of a checked filter. Its `share` is a share of the requests that pass the rest of the filter. */
export const createFilter = ({
  endpoint,
  phone,
  share = 1,
  seed = 1,
}: RequestFilter): ((routed: RoutedRequest) => boolean) => {
  const random = createRandom(seed);
  return (routed) =>
    (endpoint === undefined || routed.route?.endpoint.id === endpoint) &&
    (phone === undefined || phoneOf(routed) === phone) &&
    (share === 1 || random() < share);
};

const latencyFields = f.objectOf({
  /** Shortest time in milliseconds, 0 to 1 000 000 000. Default: 0. */
  min: z.optional(delaySchema),
  /** Longest time in milliseconds, `min` to 1 000 000 000. Default: `min`. */
  max: z.optional(delaySchema),
});

/** Real time that responses take. */
export interface LatencyOptions
  extends RequestFilter,
    f.DeepReadonly<z.input<typeof latencyFields>> {}

const latencySchema = f.objectOf({ ...latencyFields.shape, ...requestFilterSchema.shape }).check(
  z.refine(({ min = 0, max = min }: LatencyOptions) => !(max < min), {
    path: ["max"],
    error: "must not be below latency.min",
  }),
);

/** Time in milliseconds that the response to a request takes. */
export type Latency = (routed: RoutedRequest) => number;

/** @throws TypeError when the option is malformed. */
export const createLatency = (option: number | LatencyOptions): (() => Latency) => {
  const isKnown = typeof option === "number" || (typeof option === "object" && option !== null);
  assertUsage(CREATE, isKnown, "latency must be a number of milliseconds, or an object");
  const {
    min = 0,
    max = min,
    ...filter
  } = typeof option === "number"
    ? { min: parseUsage(CREATE, delaySchema, option, "latency") }
    : parseOptions(CREATE, latencySchema, option, "latency", "latency");
  return () => {
    const passes = createFilter(filter);
    const random = createRandom(filter.seed ?? 1);
    return (routed) => (passes(routed) ? min + random() * (max - min) : 0);
  };
};
