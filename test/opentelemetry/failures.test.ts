// Telemetry that fails anywhere must not stop a request, repeat it, or change its result.
import { afterEach, expect, test } from "vitest";
import { createThrottle } from "../../src/index.ts";
import { type TracedOptions, traced } from "../../src/opentelemetry/index.ts";
import { account, clientsOf, errorOf, message, sleep, transaction } from "../support/calls.ts";
import { resetAfterReading, respond, startLoopback } from "../support/servers/loopback.ts";

type Call = (...args: never[]) => unknown;
/** One way to fail: the replacement of a function or a property. */
type Failure = (original: Call) => unknown;

const broken = () => new Error("the telemetry is broken");
const fail = () => {
  throw broken();
};

/** Key of the global object of `@opentelemetry/api`, version 1. */
const API = Symbol.for("opentelemetry.js.api.1");

/** Telemetry that works except for one function or property. */
const telemetryBrokenAt = (place: string, failure: Failure): TracedOptions => {
  const at = <T>(name: string, original: T): T =>
    name === place ? (failure(original as Call) as T) : original;
  const property = <T>(name: string, original: T): T =>
    name === place ? (failure(() => original) as () => T)() : original;
  const traceState = { serialize: at("serialize", () => "vendor=1") };
  const spanContext = {
    get traceId() {
      return property("traceId", "5".repeat(32));
    },
    get spanId() {
      return property("spanId", "7".repeat(16));
    },
    get traceFlags() {
      return property("traceFlags", 1);
    },
    get traceState() {
      return property("traceState", traceState);
    },
  };
  const span = {
    spanContext: at("spanContext", () => spanContext),
    setAttributes: at("setAttributes", () => {}),
    setStatus: at("setStatus", () => {}),
    end: at("end", () => {}),
  };
  const last = { setValue: at("second setValue", () => last) };
  const first = { setValue: at("first setValue", () => last) };
  const context = {
    active: at("active", () => first),
    with: at("with", (_context: unknown, work: () => unknown) => work()),
  };
  Object.assign(globalThis, { [API]: { context } });
  return {
    tracer: { startSpan: at("startSpan", () => span) },
    meter: { createHistogram: () => ({ record: at("record", () => {}) }) },
    propagate: true,
  } as TracedOptions;
};

const PLACES = [
  ...["startSpan", "setAttributes", "setStatus", "end", "record"],
  ...["active", "first setValue", "second setValue", "with"],
  ...["spanContext", "traceId", "spanId", "traceFlags", "traceState", "serialize"],
];
/** Places that are functions. Nothing else handles a promise that they return. */
const FUNCTIONS = PLACES.filter((place) => !/^trace|spanId/.test(place));
const FAILURES: readonly (readonly [string, Failure])[] = [
  ["returns a promise that rejects", () => () => Promise.reject(broken())],
  ["returns nothing", () => () => undefined],
  ["returns a symbol", () => () => Symbol("odd")],
  ["returns an object that cannot be read", () => () => new Proxy({}, { get: fail, has: fail })],
];
type Work = () => unknown;
const CONTEXT_MANAGERS: readonly (readonly [string, Failure])[] = [
  [
    "runs its function and throws",
    () => (_: never, work: Work) => {
      work();
      throw broken();
    },
  ],
  ["runs its function twice", () => (_: never, work: Work) => [work(), work()]],
  ["runs its function later", () => (_: never, work: Work) => setTimeout(work, 5)],
  [
    "runs its function and rejects",
    () => async (_: never, work: Work) => {
      await work();
      throw broken();
    },
  ],
  ["returns another response", () => async () => Response.json({ another: true })],
];

afterEach(async () => {
  // Waits for deferred work of a context manager.
  await sleep(10);
  Reflect.deleteProperty(globalThis, API);
});

test.each([
  ...PLACES.map((place) => [place, "throws", () => fail] as const),
  ...FUNCTIONS.flatMap((place) => FAILURES.map(([how, failure]) => [place, how, failure] as const)),
  ...CONTEXT_MANAGERS.map(([how, failure]) => ["with", how, failure] as const),
])(
  "a traced request is sent once and has the same result if %s %s",
  async (place, how, failure) => {
    const telemetry = telemetryBrokenAt(place, failure);
    // A throttle that makes calls wait, because telemetry also records waits.
    const throttle = createThrottle({ limit: 1, interval: 2 });
    const connect = (server: { readonly baseUrl: string }, options = {}) =>
      clientsOf(server, { ...traced(telemetry), throttle, ...options });

    await using flaky = await startLoopback(respond(503), respond(200, account));
    expect(await connect(flaky).v2.accounts.me(), how).toEqual(account.account);
    expect(flaky.requests).toHaveLength(2);

    await using sends = await startLoopback(respond(202, transaction));
    expect(await connect(sends).rcs.sendRcsText(message)).toEqual(transaction);
    expect(JSON.parse(sends.onlyRequest().body)).toMatchObject({
      smsFailover: message.smsFailover,
    });

    await using lost = await startLoopback(resetAfterReading);
    const error = await errorOf(connect(lost).rcs.sendRcsText(message));
    expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
    lost.onlyRequest();
    await sleep(10);
    expect(sends.requests).toHaveLength(1);
  },
);

test("`traced` passes on unchanged what fetch throws, even if it cannot be read", async () => {
  const thrown = Object.defineProperty(new Error("odd"), "code", { get: fail });
  const failing = () => {
    throw thrown;
  };
  const { fetch, onEvent } = traced({ ...telemetryBrokenAt("", fail), fetch: failing });
  onEvent({ type: "request", callId: "1", endpoint: "GET /a", attempt: 1 });
  await expect(fetch("https://app.example.com/a", { method: "GET" })).rejects.toBe(thrown);
});

test.each<[options: object, words: string]>([
  [{ tracers: {} }, "`tracers` does not exist: did you mean `tracer`?"],
  [{ propagates: true }, "`propagates` does not exist: did you mean `propagate`?"],
  [{ fetch: null }, "`fetch` must be a function"],
  [{ meter: {} }, "`meter.createHistogram` must be a function"],
  [{ propagate: "no" }, "`propagate` must be true or false"],
  [{ fetch: {} }, "`fetch` must be a function"],
  [{ onEvent: 5 }, "`onEvent` must be a function"],
])("`traced` refuses %o", (options, words) => {
  const make = () => traced({ ...telemetryBrokenAt("", fail), ...options } as TracedOptions);
  expect(make).toThrow(TypeError);
  expect(make).toThrow(words);
});

test("`traced` throws what createHistogram throws, because it reveals a mistake in the setup", () => {
  const { tracer } = telemetryBrokenAt("", fail);
  expect(() => traced({ tracer, meter: { createHistogram: fail } })).toThrow("is broken");
});
