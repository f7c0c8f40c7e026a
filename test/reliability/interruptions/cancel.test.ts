// Aborts of every kind of call in every phase, and aborts of many calls.
import { spawn } from "node:child_process";
import { getEventListeners, once } from "node:events";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { AbortError, type ClientEvent, createThrottle } from "../../../src/index.ts";
import {
  account,
  type Clients,
  clientsOf,
  errorOf,
  KINDS,
  page,
  sleep,
} from "../../support/calls.ts";
import { CARRIERS } from "../../support/carriers.ts";
import {
  hang,
  type Responder,
  resetAfterReading,
  respond,
  startLoopback,
} from "../../support/servers/loopback.ts";
import { inEveryKind, PHASES } from "./phases.ts";

// The timeout allows for real sockets on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

beforeEach(() => {
  // Makes every pause as long as possible.
  vi.spyOn(Math, "random").mockReturnValue(0.99);
});

describe.each(CARRIERS)("abort of a call, carried by $carrier", (carrier) => {
  test.each(PHASES)("an abort ends the call at once: $phase", async (phase) => {
    await inEveryKind(phase, carrier, async (kind, clients, server) => {
      const controller = new AbortController();
      const other = new AbortController().signal;
      const signal = AbortSignal.any([other, controller.signal, AbortSignal.timeout(60_000)]);
      const events: string[] = [];
      const onEvent = ({ type }: ClientEvent) => void events.push(type);
      const failed = errorOf<AbortError>(kind.call(clients, { signal, onEvent }));
      const { outcome, attempts, isRepeat } = phase;
      await expect.poll(() => server.requests.length).toBe(attempts);
      // Gives the calls time to reach their phase. A call that has not reached it ends in the same way.
      if (isRepeat) await expect.poll(() => events).toContain("retry");
      else await sleep(20);
      const reason = { why: "the user left" };
      const aborted = performance.now();
      controller.abort(reason);
      const error = await failed;
      expect(performance.now() - aborted).toBeLessThan(30_000);
      expect(error, kind.kind).toBeInstanceOf(AbortError);
      expect(error, kind.kind).toMatchObject({ name: "AbortError", outcome, attempts });
      expect(error.cause).toBe(reason);
      expect(getEventListeners(signal, "abort")).toEqual([]);
      await sleep(20);
      expect(server.requests, kind.kind).toHaveLength(attempts);
    });
  });
});

describe("the signal of a call", () => {
  test.each([[undefined], [null], ["a word"], [0], [new Error("an error")]])(
    "the cause of an AbortError is the signal's reason: %s",
    async (reason) => {
      const controller = new AbortController();
      // A `fetch` that ignores its signal.
      const fetch = () => {
        setImmediate(() => controller.abort(reason));
        return new Promise<Response>(() => {});
      };
      const { v2 } = clientsOf({ baseUrl: "https://app.example.com" }, { fetch });
      const { cause } = await errorOf(v2.accounts.me({ signal: controller.signal }));
      expect(cause).toBe(controller.signal.reason);
    },
  );

  test.each(KINDS)(
    "a $kind with a signal that has already fired sends nothing and takes no slot",
    async (kind) => {
      await using server = await startLoopback(respond(200, kind.success));
      const throttle = createThrottle({ limit: 5, interval: 3_600_000 });
      const reason = new Error("the user left");
      const signal = AbortSignal.abort(reason);
      const error = await errorOf(kind.call(clientsOf(server, { throttle }), { signal }));
      expect(error).toBeInstanceOf(AbortError);
      expect(error).toMatchObject({ outcome: "not_sent", attempts: 0, cause: reason });
      expect(throttle.snapshot()).toMatchObject({ used: 0, queued: 0 });
      expect(server.requests).toEqual([]);
    },
  );
});

describe("abort in the throttle's queue", () => {
  test("an abort in the throttle's queue passes the slot on and keeps the order of the other calls", async () => {
    await using server = await startLoopback(respond(200, account));
    const throttle = createThrottle({ limit: 1, interval: 500 });
    const { v2 } = clientsOf(server, { throttle });
    const controllers = Array.from({ length: 8 }, () => new AbortController());
    const started: number[] = [];
    const calls = controllers.map(({ signal }, index) =>
      v2.accounts.me({ signal }).then(
        () => started.push(index),
        (error: AbortError) => error.outcome,
      ),
    );
    await sleep(10);
    const begun = performance.now();
    for (const index of [1, 2, 4, 7]) controllers[index]?.abort();
    expect(await Promise.all([1, 2, 4, 7].map((index) => calls[index]))).toEqual(
      Array(4).fill("not_sent"),
    );
    await Promise.all(calls);
    expect(started).toEqual([0, 3, 5, 6]);
    expect(server.requests).toHaveLength(4);
    expect(performance.now() - begun).toBeLessThan(30_000);
  });
});

/** Successful response body for every kind of call. */
const SUCCESSES = {
  ...Object.assign({}, ...KINDS.map(({ success }) => success)),
  ...page,
  momt_report: { counts_calculated: true },
};

/** One call of each kind, a walk over pages with prefetch, and a wait for a report. */
const CALLS: readonly ((clients: Clients, signal: AbortSignal) => PromiseLike<unknown>)[] = [
  ...KINDS.map(
    ({ call }) =>
      (clients: Clients, signal: AbortSignal) =>
        call(clients, { signal }),
  ),
  ({ v2 }, signal) => v2.lists.list({}, { signal, prefetch: true }).toArray({ limit: 1 }),
  ({ v2 }, signal) =>
    v2.momtReports.waitUntilFinished(3, { signal, interval: 1, totalTimeout: 500 }),
];

describe.each(CARRIERS)("signal of many calls, carried by $carrier", ({ fetch }) => {
  test("a signal has no listener left after 300 calls at once, and no warning is raised", async () => {
    const responders: readonly Responder[] = [
      respond(200, SUCCESSES),
      respond(503),
      respond(404),
      resetAfterReading,
      hang,
      respond(200, ""),
    ];
    await using server = await startLoopback((exchange) =>
      responders[Number(exchange.request.url?.[1])]?.(exchange),
    );
    const clients = responders.map((responder, number) =>
      clientsOf(
        { baseUrl: `${server.baseUrl}/${number}` },
        {
          fetch,
          timeout: responder === hang ? 1_000 : 50_000,
          throttle: createThrottle({ limit: 20, interval: 100 }),
          retry: { limit: 1, backoff: { initial: 0 } },
        },
      ),
    );
    const warnings: string[] = [];
    const onWarning = (warning: Error) => void warnings.push(`${warning.name}: ${warning.message}`);
    process.on("warning", onWarning);
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const { signal } = new AbortController();
    const all = Array.from({ length: 300 }, (_, index) =>
      Promise.resolve(
        CALLS[index % CALLS.length]?.(clients[index % clients.length] as Clients, signal),
      ).then(
        () => "done",
        (error: AbortError) => error.code,
      ),
    );
    const results = new Set(await Promise.all(all));
    await sleep(0);
    process.off("warning", onWarning);
    expect(results).toContain("done");
    for (const code of ["server", "not_found", "connection", "timeout", "response_validation"]) {
      expect(results).toContain(code);
    }
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(warnings).toEqual([]);
  }, 60_000);
});

describe("the process after its calls", () => {
  test("no timer and no socket keeps the process alive after its calls", async () => {
    await using server = await startLoopback(async (exchange) => {
      const status = Number(/\d+/.exec(exchange.request.url)?.[0]);
      if (status === 0) return hang(exchange);
      return respond(status, account, { "retry-after": "30" })(exchange);
    });
    const script = new URL("../../support/programs/cancel-child.ts", import.meta.url).pathname;
    const child = spawn(process.execPath, [script, server.baseUrl], {
      stdio: ["ignore", "pipe", "inherit"],
      timeout: 60_000,
    });
    let written = "";
    let finished = 0;
    child.stdout.on("data", (text) => {
      written += text;
      finished = performance.now();
    });
    const [code] = await once(child, "exit");
    expect(JSON.parse(written)).toEqual({
      success: "done",
      "in the queue": "abort",
      "in the queue, by the clock": "timeout",
      "in flight": "abort",
      "in a pause": "abort",
      "in the pause of a poll": "abort",
      "behind a hold": "throttle",
      "a fetch that does not heed its signal": "abort",
      "a file whose host does not respond": "abort",
      "a prefetched page that is not read": "done",
    });
    expect(code).toBe(0);
    // Any remaining timer would run for ten seconds or more.
    expect(performance.now() - finished).toBeLessThan(8000);
  }, 90_000);
});
