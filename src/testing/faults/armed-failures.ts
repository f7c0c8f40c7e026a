import { assertOptions, type OptionNames } from "../../options.ts";
import { assertUsage } from "../assert-usage.ts";
import { type ArmedFailure, type FailureEffect, faults, type NextFailure } from "./failure.ts";
import {
  createFilter,
  FILTER_NAMES,
  type FilteredRequest,
  isDelay,
  MAX_DELAY_MS,
  type RequestFilter,
} from "./request-filter.ts";

const CALL = "failNext";

/** Every field that a failure can have. */
type AnyFailure = RequestFilter & FailureEffect & Pick<NextFailure, "times">;

const NAMES: OptionNames<AnyFailure> = {
  times: true,
  status: true,
  headers: true,
  body: true,
  fault: true,
  delayMs: true,
  ...FILTER_NAMES,
};

interface Armed {
  readonly failure: Omit<ArmedFailure, "timesLeft">;
  readonly effect: FailureEffect;
  readonly passes: (request: FilteredRequest) => boolean;
  timesLeft: number;
}

const isStatus = (status: unknown): boolean =>
  Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599;

/**
 * Converts the names of headers to lower case, so that they replace the fake's own; `undefined` if HTTP does not allow
 * them.
 */
const parseHeaders = (headers: Readonly<Record<string, string>>) => {
  try {
    return Object.fromEntries(new Headers(headers));
  } catch {
    return undefined;
  }
};

/** @throws TypeError when there is no such failure. */
const toEffect = ({ fault, delayMs, status, headers = {}, body }: FailureEffect): FailureEffect => {
  if (fault === undefined) {
    const expected = "status must be an integer from 200 to 599, or fault must be given";
    assertUsage(CALL, isStatus(status), expected);
  } else {
    assertUsage(CALL, faults.includes(fault), `fault must be one of ${faults.join(", ")}`);
    assertUsage(CALL, status === undefined, "status and fault cannot both be given");
  }
  const isKnownDelay = delayMs === undefined || isDelay(delayMs);
  assertUsage(CALL, isKnownDelay, `delayMs must be a number from 0 to ${MAX_DELAY_MS}`);
  const lowerCase = parseHeaders(headers);
  const hasHeaders = lowerCase !== undefined;
  assertUsage(CALL, hasHeaders, "headers must have names and values that HTTP allows");
  return fault === undefined ? { status, headers: lowerCase, body } : { fault, delayMs };
};

const given = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/** Failures that wait for their requests. */
export class ArmedFailures {
  readonly #armed: Armed[] = [];
  #lastId = 0;

  /** @throws TypeError when the failure is malformed. */
  arm(failure: NextFailure): ArmedFailure {
    assertUsage(CALL, Object(failure) === failure, "status or fault must be given, in an object");
    const known: AnyFailure = assertOptions("failure", failure, NAMES);
    const { times, endpoint, phone, share, seed, ...rest } = known;
    const isCount = times === undefined || (Number.isSafeInteger(times) && times > 0);
    assertUsage(CALL, isCount, "times must be a positive integer");
    const filter: RequestFilter = { endpoint, phone, share, seed };
    const passes = createFilter(CALL, filter);
    const effect = toEffect(rest);
    this.#lastId += 1;
    const armed: Armed = {
      failure: { id: this.#lastId, ...given({ ...filter, ...effect }) },
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
    const kept = this.#armed.filter(({ failure }) => id !== undefined && failure.id !== id);
    this.#armed.splice(0, this.#armed.length, ...kept);
  }

  /** Returns the effect of the first failure that is for a request, if any. */
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
