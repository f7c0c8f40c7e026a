import * as z from "zod/mini";
import { customIssue } from "../../core/errors.ts";
import { orUndefined, withoutUndefined } from "../../core/options.ts";
import type { Problem } from "../../core/rules/problem.ts";
import { assertUsage, parseOptions } from "../fake/checks.ts";
import type { FakeResponse } from "../fake/exchange.ts";
import * as f from "../fake/fake-fields.ts";
import { type FaultEntry, faults, faultTable } from "../fake/fault-table.ts";
import type { FakeApi } from "./handler.ts";
import {
  createFilter,
  delaySchema,
  type RequestFilter,
  requestFilterSchema,
} from "./request-filter.ts";
import type { RoutedRequest } from "./router.ts";

/** Headers that mark the end of a body. The server writes them. */
const FRAMING = /^(?:content-length|trailer|transfer-encoding)$/i;

/** Converts the names of headers to lower case, to replace the fake's own; `undefined` if a name or a value is not allowed. */
const parseHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.keys(headers).some((name) => FRAMING.test(name))
    ? undefined
    : orUndefined(() => Object.fromEntries(new Headers(headers)));

const effectSchema = f.objectOf({
  /** Fault that the request meets. */
  fault: z.exactOptional(f.oneOf(faults)),
  /** Real time in milliseconds by which `slow` delays a response, 0 to 1 000 000 000. Default: 1000. */
  delayMs: z.optional(delaySchema),
  /** Status of the response, 200 to 599. The request is not processed. */
  status: z.exactOptional(f.integerFrom(200, 599)),
  /** Headers of that response, such as `retry-after`. Default: none. */
  headers: z.optional(
    z
      .record(z.string(), f.string, f.mustBe("an object of strings"))
      .check(
        f.that(
          "must have names and values that HTTP allows, and must not state the length of the body",
          (headers) => !!parseHeaders(headers),
        ),
      ),
  ),
  /** Body of that response: a string as it is, anything else as JSON. Default: an error in the fake's own shape. */
  body: z.optional(z.unknown()),
  /**
   * Messages by field, such as `{ phoneNumber: "Invalid phone number" }` or `{ "rcsPayload.text": "…" }`. The service responds
   * with its documented 400, with one item for each field. Version 2 does not document one, so the fake's own 422 names the
   * fields. The request is not processed.
   */
  refuse: z.exactOptional(
    z
      .record(z.string(), f.string, f.mustBe("an object of messages by field"))
      .check(f.that("must name a field", (refuse) => Object.keys(refuse).length > 0)),
  ),
});

/** Effect of a failure on a request that meets it. */
type FailureEffect = f.DeepReadonly<z.infer<typeof effectSchema>>;

function* effectProblems(effect: FailureEffect): Generator<Problem> {
  const { fault, status, refuse } = effect;
  const given = [fault, status, refuse].filter((value) => value !== undefined);
  if (given.length === 1) {
    const owners = { delayMs: fault, headers: status, body: status };
    for (const [field, owner] of Object.entries(owners)) {
      if (owner !== undefined || effect[field as keyof typeof owners] === undefined) continue;
      yield { code: "custom", path: [field], message: "does not apply to this failure" };
    }
    return;
  }
  const message =
    given.length === 0
      ? "must be an integer from 200 to 599, unless fault or refuse is given"
      : "cannot be given with a fault or refuse, and a fault cannot be given with refuse";
  yield { code: "custom", path: ["status"], message };
}

export const failureSchema = f
  .objectOf({
    ...effectSchema.shape,
    times: z.optional(f.positiveInteger),
    ...requestFilterSchema.shape,
  })
  .check(f.rule(effectProblems));

/** Failure that the next requests meet. */
export type NextFailure = RequestFilter & {
  /** Number of requests that meet the failure, 1 or more. Default: 1; with `share`, no limit until it is disarmed. */
  readonly times?: number | undefined;
} & (
    | (Required<Pick<ArmedFailure, "status">> & Pick<ArmedFailure, "headers" | "body">)
    | (Required<Pick<ArmedFailure, "fault">> & Pick<ArmedFailure, "delayMs">)
    | Required<Pick<ArmedFailure, "refuse">>
  );

const armedFields = f.objectOf({
  /** Id of the failure, for `clearFailures(id)`. */
  id: f.integer,
  /** Number of requests that will still meet the failure; `null` when there is no limit. */
  timesLeft: z.nullable(f.integer),
});

export const armedFailureSchema = f.objectOf({
  ...armedFields.shape,
  ...requestFilterSchema.shape,
  ...effectSchema.shape,
});

/** Armed failure, which applies to later requests. */
export interface ArmedFailure
  extends RequestFilter,
    f.DeepReadonly<z.infer<typeof effectSchema>>,
    f.DeepReadonly<z.infer<typeof armedFields>> {}

interface Armed {
  failure: ArmedFailure;
  readonly passes: (routed: RoutedRequest) => boolean;
}

const isFor = ({ fault }: FailureEffect, { route }: RoutedRequest): boolean => {
  const entry: FaultEntry | undefined = fault && faultTable[fault];
  return entry?.isFor?.(route?.endpoint.requiredFields) ?? true;
};

/** Builds the response to a request that meets a failure; `undefined` if it does not fit. `respond` processes the request. */
const failWith = (
  { fault, delayMs = 1000, status = 0, headers, body, refuse }: FailureEffect,
  { error, invalid }: Pick<FakeApi, "error" | "invalid">,
  respond: () => FakeResponse,
): FakeResponse | undefined => {
  if (fault !== undefined) return faultTable[fault].meet(respond, delayMs);
  if (refuse !== undefined) {
    const refused = Object.entries(refuse);
    return invalid(refused.map(([field, message]) => customIssue(message, field.split("."))));
  }
  if (typeof body === "string") return { status, headers: { ...headers }, body };
  const planned = error(status, `Planned failure ${status}`);
  return {
    status,
    headers: { ...planned.headers, ...headers },
    body: body === undefined ? planned.body : JSON.stringify(body),
  };
};

export const createFailures = () => {
  let armed: readonly Armed[] = [];
  let lastId = 0;

  const clear = (id?: number): void => {
    const isId = id === undefined || Number.isInteger(id);
    assertUsage("clearFailures", isId, "id must be the id of an armed failure");
    armed = armed.filter(({ failure }) => id !== undefined && failure.id !== id);
  };

  return {
    clear,

    list: (): readonly ArmedFailure[] => armed.map(({ failure }) => failure),

    /** @throws TypeError when the failure is malformed. */
    arm(given: NextFailure): ArmedFailure {
      const { times, ...parsed } = parseOptions("failNext", failureSchema, given, "failure");
      const headers = parsed.headers && parseHeaders(parsed.headers);
      lastId += 1;
      const timesLeft = times ?? (parsed.share === undefined ? 1 : null);
      const shown = withoutUndefined({ ...parsed, headers, phone: given.phone });
      const failure: ArmedFailure = { id: lastId, timesLeft, ...shown };
      armed = [...armed, { failure, passes: createFilter(parsed) }];
      return failure;
    },

    /**
     * Builds the response to a request that meets a failure, and counts the request. Returns `undefined` if it meets none, or
     * if the response does not fit the failure. `respond` processes the request.
     */
    meet(routed: RoutedRequest, api: FakeApi, respond: () => FakeResponse) {
      const met = armed.find(({ failure, passes }) => isFor(failure, routed) && passes(routed));
      const response = met && failWith(met.failure, api, respond);
      if (!response) return undefined;
      const { failure } = met;
      if (failure.timesLeft !== null) {
        met.failure = { ...failure, timesLeft: failure.timesLeft - 1 };
        if (met.failure.timesLeft === 0) clear(failure.id);
      }
      return { response, failure };
    },
  };
};
