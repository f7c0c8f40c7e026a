import * as z from "zod/mini";
import type { Problem } from "../../rules/problem.ts";
import { assertUsage, parseOptions, withoutUndefined } from "../fake/checks.ts";
import type { FakeResponse } from "../fake/exchange.ts";
import {
  type DeepReadonly,
  integer,
  integerFrom,
  mustBe,
  numberThat,
  objectOf,
  oneOf,
  positiveInteger,
  rule,
  string,
  that,
} from "../fake/fields.ts";
import {
  createFilter,
  type FilteredRequest,
  isDelay,
  MAX_DELAY_MS,
  type RequestFilter,
  requestFilterSchema,
} from "./request-filter.ts";

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
 * - `network`: the connection breaks before the service reads the request. The request is not recorded.
 * - `hang`: no response ever comes; nothing was done.
 * - `stalled_body`: the request is carried out; only the beginning of the response's body arrives.
 * - `truncated`: the request is carried out; the JSON of the response breaks off.
 * - `html`: the response is a 200 with an HTML page; nothing was done.
 * - `dropped`: the request is carried out; then the connection breaks.
 * - `slow`: the request is carried out; the response arrives after `delayMs` of real time.
 * - `wrong_page`: the response holds the requested items under the number of the next page.
 * - `drift`: the request is carried out; a field of the response has an undocumented type.
 */
export type Fault = (typeof faults)[number];

/**
 * Converts the names of headers to lower case: they then replace the fake's own headers. Returns `undefined` if HTTP does
 * not allow a name or a value.
 */
const parseHeaders = (headers: Readonly<Record<string, string>>) => {
  try {
    return Object.fromEntries(new Headers(headers));
  } catch {
    return undefined;
  }
};

const effectSchema = objectOf({
  /** Fault that the request meets. */
  fault: z.exactOptional(oneOf(faults)),
  /** Real time in milliseconds by which `slow` delays a response, 0 to 1 000 000 000. Default: 1000. */
  delayMs: z.optional(
    numberThat(`a number from 0 to ${MAX_DELAY_MS}`, isDelay, {
      minimum: 0,
      maximum: MAX_DELAY_MS,
    }),
  ),
  /** Status of the response, 200 to 599. The request is not carried out. */
  status: z.exactOptional(integerFrom(200, 599)),
  /** Headers of that response, such as `retry-after`. Default: none. */
  headers: z.optional(
    z
      .record(z.string(), string, mustBe("an object of strings"))
      .check(
        that("must have names and values that HTTP allows", (headers) => !!parseHeaders(headers)),
      ),
  ),
  /** Body of that response: a string as it is, anything else as JSON. Default: an error in the fake's own shape. */
  body: z.optional(z.unknown()),
});

/** Effect of a failure on a request that meets it. */
export interface FailureEffect extends DeepReadonly<z.infer<typeof effectSchema>> {}

function* effectProblems({ fault, status }: FailureEffect): Generator<Problem> {
  if (fault === undefined && status === undefined) {
    const message = "must be an integer from 200 to 599, or fault must be given";
    yield { code: "custom", path: ["status"], message };
  } else if (fault !== undefined && status !== undefined) {
    yield { code: "custom", path: ["status"], message: "cannot be given with a fault" };
  }
}

/** Failure that the next requests meet. */
export const failureSchema = objectOf({
  ...effectSchema.shape,
  times: z.optional(positiveInteger),
  ...requestFilterSchema.shape,
}).check(rule(effectProblems));

/** Failure that the next requests meet. */
export type NextFailure = RequestFilter & {
  /** Number of requests that meet the failure, 1 or more. Default: 1; with `share`, no limit until it is disarmed. */
  readonly times?: number | undefined;
} & (
    | (Required<Pick<FailureEffect, "status">> & Pick<FailureEffect, "headers" | "body">)
    | (Required<Pick<FailureEffect, "fault">> & Pick<FailureEffect, "delayMs">)
  );

const armedFields = objectOf({
  /** Id of the failure, for `clearFailures(id)`. */
  id: integer,
  /** Number of requests that will still meet the failure; `null` when there is no limit. */
  timesLeft: z.nullable(integer),
});

/** Armed failure, which waits for its requests. */
export const armedFailureSchema = objectOf({
  ...armedFields.shape,
  ...requestFilterSchema.shape,
  ...effectSchema.shape,
});

/** Armed failure, which waits for its requests. */
export interface ArmedFailure
  extends RequestFilter,
    FailureEffect,
    DeepReadonly<z.infer<typeof armedFields>> {}

interface Armed {
  readonly failure: Omit<ArmedFailure, "timesLeft">;
  readonly effect: FailureEffect;
  readonly passes: (request: FilteredRequest) => boolean;
  timesLeft: number;
}

/** Failures that wait for their requests. */
export class ArmedFailures {
  readonly #armed: Armed[] = [];
  #lastId = 0;

  /** @throws TypeError when the failure is malformed. */
  arm(failure: NextFailure): ArmedFailure {
    const isObject = Object(failure) === failure;
    assertUsage("failNext", isObject, "status or fault must be given, in an object");
    const { times, endpoint, phone, share, seed, fault, delayMs, status, headers, body } =
      parseOptions("failNext", failureSchema, failure, "failure");
    const filter: RequestFilter = { endpoint, phone, share, seed };
    const passes = createFilter(filter);
    const effect: FailureEffect =
      status === undefined
        ? { ...(fault !== undefined && { fault }), delayMs }
        : { status, headers: parseHeaders(headers ?? {}), body };
    this.#lastId += 1;
    const armed: Armed = {
      failure: {
        id: this.#lastId,
        ...withoutUndefined({ ...filter, phone: failure.phone, ...effect }),
      },
      effect,
      passes,
      timesLeft: times ?? (share === undefined ? 1 : Number.POSITIVE_INFINITY),
    };
    this.#armed.push(armed);
    return toArmedFailure(armed);
  }

  get list(): readonly ArmedFailure[] {
    return this.#armed.map(toArmedFailure);
  }

  /** Disarms one failure, or all of them. */
  clear(id?: number): void {
    const isId = id === undefined || Number.isInteger(id);
    assertUsage("clearFailures", isId, "id must be the id of an armed failure");
    const kept = this.#armed.filter(({ failure }) => id !== undefined && failure.id !== id);
    this.#armed.splice(0, this.#armed.length, ...kept);
  }

  /** Returns the effect of the first failure that applies to a request, if there is one. */
  next(request: FilteredRequest): FailureEffect | undefined {
    const armed = this.#armed.find(({ passes }) => passes(request));
    if (!armed) return undefined;
    armed.timesLeft -= 1;
    if (armed.timesLeft === 0) this.clear(armed.failure.id);
    return armed.effect;
  }
}

const toArmedFailure = ({ failure, timesLeft }: Armed): ArmedFailure => ({
  ...failure,
  timesLeft: Number.isFinite(timesLeft) ? timesLeft : null,
});

const HTML = "<!doctype html><title>Maintenance</title><h1>We will be back soon</h1>";

/** Fields that the clients require; the `drift` fault never changes them. */
const REQUIRED_FIELDS = ["status", "transactionId", "opt_in_type"];

/** Changes the first string of a value, at any depth, to a number. */
const drift = (value: unknown, progress = { isDone: false }): unknown => {
  if (typeof value === "string" && !progress.isDone) {
    progress.isDone = true;
    return 42;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => drift(item, progress));
  const fields = Object.entries(value).map(([key, field]) => [
    key,
    REQUIRED_FIELDS.includes(key) ? field : drift(field, progress),
  ]);
  return Object.fromEntries(fields);
};

const withBody = (
  response: FakeResponse,
  change: (body: Record<string, unknown>) => unknown,
): FakeResponse => ({ ...response, body: JSON.stringify(change(JSON.parse(response.body))) });

/** Builds the response to a request that meets a failure; `respond` carries the request out. */
export const failWith = (
  { fault, delayMs = 1000, status = 0, headers, body }: FailureEffect,
  errorResponse: (status: number, error: string) => FakeResponse,
  respond: () => FakeResponse,
): FakeResponse => {
  if (fault === undefined) {
    if (typeof body === "string") return { status, headers: { ...headers }, body };
    const planned = errorResponse(status, `Planned failure ${status}`);
    return {
      status,
      headers: { ...planned.headers, ...headers },
      body: body === undefined ? planned.body : JSON.stringify(body),
    };
  }
  switch (fault) {
    case "network":
      return { status: 0, headers: {}, body: "", arrives: "breaks" };
    case "hang":
      return { status: 0, headers: {}, body: "", arrives: "never" };
    case "html":
      return { status: 200, headers: { "content-type": "text/html" }, body: HTML };
    case "dropped":
      return { ...respond(), arrives: "breaks" };
    case "stalled_body":
      return { ...respond(), arrives: "stalls" };
    case "slow":
      return { ...respond(), delayMs };
    case "truncated": {
      const whole = respond();
      return { ...whole, body: whole.body.slice(0, Math.floor(whole.body.length / 2)) };
    }
    case "wrong_page":
      return withBody(respond(), ({ page, pages_count, ...rest }) => ({
        ...rest,
        page: Number(page) + 1,
        pages_count: Number(pages_count) + 1,
      }));
    case "drift":
      return withBody(respond(), (whole) => drift(whole));
  }
};
