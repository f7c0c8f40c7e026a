import type { FakeAnswer } from "./fake-answer.ts";
import { checkThat } from "./misuse.ts";

const FAULTS = [
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
 * What goes wrong with a request.
 *
 * - `network`: the connection breaks before the service reads the request, which is not recorded.
 * - `hang`: no answer ever comes; nothing was done.
 * - `stalled_body`: it is done; of the answer's body only the beginning comes.
 * - `truncated`: it is done; the answer is JSON that breaks off.
 * - `html`: a 200 with a page of HTML; nothing was done.
 * - `dropped`: it is done; then the connection breaks.
 * - `slow`: it is done; the answer comes after `delayMs` of real time.
 * - `wrong_page`: the answer is of the page after the one asked for, as its number says.
 * - `drift`: a field of the answer is of another type than documented.
 */
export type Fault = (typeof FAULTS)[number];

/** What the next requests meet. */
export type NextFailure = {
  /** How many requests meet it. Default: 1. */
  readonly times?: number | undefined;
  /** Only requests of this endpoint, such as `"GET /api/v2/lists"`. Default: any. */
  readonly endpoint?: string | undefined;
} & (
  | {
      /** The status of the answer, 200 to 599; nothing was done. */
      readonly status: number;
      /** Headers of the answer, such as `retry-after`. Default: none but the usual. */
      readonly headers?: Readonly<Record<string, string>> | undefined;
      /** A text, or what is sent as JSON. Default: an error in the fake's own shape. */
      readonly body?: unknown;
    }
  | {
      /** What goes wrong. */
      readonly fault: Fault;
      /** Of `slow`: milliseconds of real time. Default: 1000. */
      readonly delayMs?: number | undefined;
    }
);

/** A failure as it was planned, whichever kind it is. */
export interface PlannedFailure {
  readonly fault?: Fault | undefined;
  readonly delayMs?: number | undefined;
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}

interface Planned {
  readonly failure: PlannedFailure;
  readonly endpoint: string | undefined;
  left: number;
}

const isStatus = (status: unknown): boolean =>
  Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599;

/** Headers by names in lower case, so that they replace the fake's own; `undefined` where HTTP has no such. */
const toLowerCase = (headers: Readonly<Record<string, string>>) => {
  try {
    return Object.fromEntries(new Headers(headers));
  } catch {
    return undefined;
  }
};

/** The failures to come. */
export class Faults {
  readonly #planned: Planned[] = [];
  readonly #endpoints: readonly string[];

  constructor(endpoints: readonly string[]) {
    this.#endpoints = endpoints;
  }

  /** @throws TypeError when it is not one of the failures that there are. */
  plan(planned: NextFailure): void {
    const check = (holds: boolean, expected: string) => checkThat("failNext", holds, expected);
    check(Object(planned) === planned, "status or fault must be given, in an object");
    const { times = 1, endpoint, ...failure } = planned;
    check(Number.isSafeInteger(times) && times > 0, "times must be a positive integer");
    const isKnown = endpoint === undefined || this.#endpoints.includes(endpoint);
    check(isKnown, `endpoint must be one of ${this.#endpoints.join(", ")}`);
    const { fault, delayMs = 0, status, headers = {} } = failure as PlannedFailure;
    if (fault === undefined) {
      const expected = "status must be an integer from 200 to 599, or fault must be given";
      check(isStatus(status), expected);
    } else {
      check(FAULTS.includes(fault), `fault must be one of ${FAULTS.join(", ")}`);
      check(status === undefined, "status and fault cannot both be given");
    }
    check(Number.isFinite(delayMs) && delayMs >= 0, "delayMs must be a number of 0 or more");
    const lowerCase = toLowerCase(headers);
    check(lowerCase !== undefined, "headers must have names and values that HTTP allows");
    this.#planned.push({ failure: { ...failure, headers: lowerCase }, endpoint, left: times });
  }

  /** The failure that a request of an endpoint meets, if any. */
  next(endpoint: string | undefined): PlannedFailure | undefined {
    const planned = this.#planned.find(
      (known) => known.endpoint === undefined || known.endpoint === endpoint,
    );
    if (!planned) return undefined;
    planned.left -= 1;
    if (planned.left === 0) this.#planned.splice(this.#planned.indexOf(planned), 1);
    return planned.failure;
  }
}

const HTML = "<!doctype html><title>Maintenance</title><h1>We will be back soon</h1>";

const asJson = (answer: FakeAnswer, change: (body: Record<string, unknown>) => unknown) => ({
  ...answer,
  body: JSON.stringify(change(JSON.parse(answer.body))),
});

/** What the SDK relies on, which does not drift. */
const RELIED_ON = ["status", "transactionId", "opt_in_type"];

/** The same with the first text, at any depth, become a number. */
const drift = (value: unknown, progress = { isDone: false }): unknown => {
  if (typeof value === "string" && !progress.isDone) {
    progress.isDone = true;
    return 42;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => drift(item, progress));
  const fields = Object.entries(value).map(([key, field]) => [
    key,
    RELIED_ON.includes(key) ? field : drift(field, progress),
  ]);
  return Object.fromEntries(fields);
};

/** The answer of a request that meets a failure; `answer` does what was asked, and tells it. */
export const failWith = (
  { fault, delayMs = 1000, status = 0, headers, body }: PlannedFailure,
  errorAnswer: (status: number, error: string) => FakeAnswer,
  answer: () => FakeAnswer,
): FakeAnswer => {
  switch (fault) {
    case undefined: {
      if (typeof body === "string") return { status, headers: { ...headers }, body };
      const planned = errorAnswer(status, `Planned failure ${status}`);
      return {
        status,
        headers: { ...planned.headers, ...headers },
        body: body === undefined ? planned.body : JSON.stringify(body),
      };
    }
    case "network":
      return { status: 0, headers: {}, body: "", arrives: "breaks" };
    case "hang":
      return { status: 0, headers: {}, body: "", arrives: "never" };
    case "html":
      return { status: 200, headers: { "content-type": "text/html" }, body: HTML };
    case "dropped":
      return { ...answer(), arrives: "breaks" };
    case "stalled_body":
      return { ...answer(), arrives: "stalls" };
    case "slow":
      return { ...answer(), delayMs };
    case "truncated": {
      const whole = answer();
      return { ...whole, body: whole.body.slice(0, Math.floor(whole.body.length / 2)) };
    }
    case "wrong_page":
      return asJson(answer(), ({ page, pages_count, ...body }) => ({
        ...body,
        page: Number(page) + 1,
        pages_count: Number(pages_count) + 1,
      }));
    case "drift":
      return asJson(answer(), (body) => drift(body));
  }
};
