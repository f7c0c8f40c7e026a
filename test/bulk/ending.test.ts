import {
  type ItemResult,
  type Ledger,
  LedgerError,
  memoryLedger,
  type RcsMessage,
  type RunOptions,
  sendMany,
} from "messaging-service-client/bulk";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createFake, rcsOf } from "../support/fakes/fake-service.ts";
import { BATCH, collect, gate, inShort, messages, phone, SEND, watched } from "./batches.ts";

const rejections: unknown[] = [];
const onRejection = (reason: unknown) => rejections.push(reason);
beforeEach(() => void process.on("unhandledRejection", onRejection));
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 0));
  process.off("unhandledRejection", onRejection);
  expect(rejections.splice(0)).toEqual([]);
  vi.useRealTimers();
});

/** Timers that keep the process alive. */
const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

/** Starts a run of twenty items over a watched input, with two items under way at the same time. */
const runOf = (
  options: Partial<RunOptions<RcsMessage>> = {},
  service = createFake(),
  { fetch = service.fetch } = {},
) => {
  const { input, seen } = watched(messages(20));
  const ledger = options.ledger ?? memoryLedger();
  const run = sendMany(rcsOf(service, { fetch }), input, {
    batch: BATCH,
    concurrency: 2,
    ...options,
    ledger,
  });
  const requests = () => service.requests.length;
  return { run, seen, ledger, service, requests };
};

/** A `fetch` that waits for a gate after so many requests. */
const gatedAfter = (count: number, { fetch }: ReturnType<typeof createFake>) => {
  const { open, opened } = gate();
  let started = 0;
  const reached = gate();
  const gated: typeof fetch = async (...args) => {
    started += 1;
    if (started > count) {
      if (started === count + 2) reached.open();
      await opened;
    }
    return fetch(...args);
  };
  return { open, fetch: gated, reached: reached.opened };
};

describe("the stop signal", () => {
  test("the stop signal starts nothing more, lets items under way end, records them and closes the input", async () => {
    const service = createFake();
    const { fetch, open, reached } = gatedAfter(4, service);
    const controller = new AbortController();
    const { run, seen, ledger } = runOf({ stop: controller.signal }, service, { fetch });
    const summary = run.then();
    await reached;
    controller.abort();
    open();
    expect(await summary).toMatchObject({ stopped: "signal", done: 6, accepted: 6, unknown: 0 });
    expect(await summary).not.toHaveProperty("error");
    expect(seen.closed).toBe(true);
    expect(service.requests).toHaveLength(6);
    expect(await ledger.counts(BATCH)).toMatchObject({ accepted: 6, sending: 0, unknown: 0 });
  });

  test("a stop signal that fired before the run sends nothing, reads nothing and closes the input", async () => {
    const { run, seen, requests } = runOf({ stop: AbortSignal.abort() });
    expect(await run).toMatchObject({ stopped: "signal", done: 0 });
    expect([seen.read, requests()]).toEqual([0, 0]);
  });

  test("the stop signal ends the wait for a slot at once: the item has no result and the ledger no entry", async () => {
    const service = createFake();
    const controller = new AbortController();
    const rcs = rcsOf(service, { throttle: { limit: 1, interval: 3_600_000 } });
    const ledger = memoryLedger();
    const { input, seen } = watched(messages(20));
    const options = { batch: BATCH, ledger, concurrency: 3, stop: controller.signal };
    const run = sendMany(rcs, input, {
      ...options,
      onProgress: () => void setTimeout(() => controller.abort(), 10),
    });
    expect(await run).toMatchObject({ done: 1, accepted: 1, stopped: "signal" });
    expect(seen).toEqual({ read: 5, closed: true });
    expect(await ledger.counts(BATCH)).toMatchObject({ accepted: 1, sending: 0, open: 0 });
  });

  test("the stop signal ends a run whose input never yields the next item", async () => {
    const controller = new AbortController();
    async function* stuck(): AsyncGenerator<RcsMessage> {
      yield* messages(2);
      controller.abort();
      await new Promise(() => {});
    }
    const options = { batch: BATCH, ledger: memoryLedger(), stop: controller.signal };
    expect(await sendMany(rcsOf(createFake()), stuck(), options)).toMatchObject({
      stopped: "signal",
      done: expect.any(Number),
    });
  });

  test("a stop signal that fires after every item has its result does not count as the reason of the end", async () => {
    const controller = new AbortController();
    const service = createFake();
    const run = sendMany(rcsOf(service), messages(2), {
      batch: BATCH,
      ledger: memoryLedger(),
      stop: controller.signal,
      onProgress: async ({ done }) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (done === 2) controller.abort();
      },
    });
    expect(await run).not.toHaveProperty("stopped");
  });

  test("the stop signal has no listener left at the end of the run", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    await runOf({ stop: signal, signal }).run;
    expect(added.mock.calls.length).toBe(removed.mock.calls.length);
    expect(added.mock.calls.length).toBe(2);
  });
});

describe("a deadline", () => {
  test("a deadline that has passed sends nothing", async () => {
    const { run, requests } = runOf({ deadline: new Date(Date.now() - 1) });
    expect(await run).toMatchObject({ stopped: "deadline", done: 0 });
    expect(requests()).toBe(0);
  });

  test("a deadline ends the wait for a slot when it comes, and leaves no timer", async () => {
    const before = timers();
    const service = createFake();
    const rcs = rcsOf(service, { throttle: { limit: 2, interval: 3_600_000 } });
    const options = { batch: BATCH, ledger: memoryLedger() };
    const deadline = new Date(Date.now() + 150);
    const summary = await sendMany(rcs, messages(20), { ...options, deadline });
    expect(summary).toMatchObject({ stopped: "deadline", done: 2, accepted: 2 });
    expect(Date.now()).toBeGreaterThanOrEqual(deadline.getTime());
    expect(timers()).toBeLessThanOrEqual(before);
  });

  test("a deadline months ahead leaves no timer behind", async () => {
    const before = timers();
    const deadline = new Date(Date.now() + 90 * 86_400_000);
    expect(await runOf({ deadline }).run).toMatchObject({ done: 20 });
    expect(timers()).toBeLessThanOrEqual(before);
  });
});

describe("leaving the loop", () => {
  test("leaving the loop starts nothing more, waits until items under way are recorded, and closes the input", async () => {
    const service = createFake();
    const { fetch, open, reached } = gatedAfter(1, service);
    const { run, seen, ledger } = runOf({ concurrency: 3 }, service, { fetch });
    for await (const { state } of run) {
      expect(state).toBe("accepted");
      await reached;
      setTimeout(open, 20);
      break;
    }
    const { accepted, sending } = await ledger.counts(BATCH);
    expect([accepted, sending]).toEqual([service.requests.length, 0]);
    expect(seen.closed).toBe(true);
    expect(await run).toMatchObject({ stopped: "left", accepted, done: accepted });
  });

  test("leaving the loop by an exception in its body rethrows that exception", async () => {
    const { run, ledger } = runOf();
    const loop = async () => {
      for await (const _ of run) throw new RangeError("mine");
    };
    await expect(loop()).rejects.toThrow("mine");
    expect(await ledger.counts(BATCH)).toMatchObject({ sending: 0, unknown: 0 });
  });
});

describe("an input or a callback that throws", () => {
  const boom = new RangeError("boom");

  test("an input that throws: items that were read are recorded, and the run rejects with its error", async () => {
    async function* broken(): AsyncGenerator<RcsMessage> {
      yield* messages(5);
      throw boom;
    }
    const ledger = memoryLedger();
    const service = createFake();
    const run = sendMany(rcsOf(service), broken(), { batch: BATCH, ledger });
    await expect(run).rejects.toBe(boom);
    const accepted = service.outbox.length;
    expect(accepted).toBeGreaterThan(0);
    expect(await ledger.counts(BATCH)).toMatchObject({ accepted, sending: 0 });
  });

  test("an input that throws: a loop receives every result first", async () => {
    async function* broken(): AsyncGenerator<RcsMessage> {
      yield* messages(5);
      throw boom;
    }
    const results: ItemResult<RcsMessage>[] = [];
    const service = createFake();
    const run = sendMany(rcsOf(service), broken(), { batch: BATCH, ledger: memoryLedger() });
    const loop = async () => {
      for await (const result of run) results.push(result);
    };
    await expect(loop()).rejects.toBe(boom);
    expect(results.map(inShort)).toEqual(service.outbox.map(() => "accepted"));
    expect(results.length).toBeGreaterThan(0);
    await expect(run).rejects.toBe(boom);
  });

  test("an input with a rejecting promise ends the run, and the input is closed", async () => {
    let closed = false;
    function* items(): Generator<RcsMessage> {
      try {
        yield* messages(2);
        yield Promise.reject(boom) as never;
        yield* messages(2);
      } finally {
        closed = true;
      }
    }
    const run = sendMany(rcsOf(createFake()), items(), { batch: BATCH, ledger: memoryLedger() });
    await expect(run).rejects.toBe(boom);
    expect(closed).toBe(true);
  });

  test("an input that cannot be closed: the run rejects with its error", async () => {
    const iterator = {
      ...messages(9)[Symbol.iterator](),
      next: () => ({ done: false, value: messages(1)[0] as RcsMessage }) as const,
      return: () => {
        throw boom;
      },
    };
    const items = { [Symbol.iterator]: () => iterator };
    const options = { batch: BATCH, ledger: memoryLedger(), stop: AbortSignal.abort() };
    await expect(sendMany(rcsOf(createFake()), items, options)).rejects.toBe(boom);
  });

  test.each(["toMessage", "keyOf", "skip", "onProgress"] as const)(
    "an input or a callback that throws: %s",
    async (name) => {
      const throws = () => {
        throw boom;
      };
      const rejects = () => Promise.reject(boom);
      for (const fail of name === "keyOf" ? [throws] : [throws, rejects]) {
        const service = createFake();
        const { input, seen } = watched(messages(20));
        const ledger = memoryLedger();
        let calls = 0;
        const callback = (item: RcsMessage): never => {
          calls += 1;
          return (calls === 3 ? fail() : OTHERWISE[name](item)) as never;
        };
        const run = sendMany(rcsOf(service), input, {
          batch: BATCH,
          ledger,
          concurrency: 2,
          [name]: callback,
        });
        await expect(run).rejects.toBe(boom);
        expect(seen.closed).toBe(true);
        const counts = await ledger.counts(BATCH);
        expect(counts.accepted).toBe(service.outbox.length);
        expect(counts).toMatchObject({ sending: 0, unknown: 0 });
        expect(service.outbox.length).toBeLessThan(6);
      }
    },
  );
});

const OTHERWISE = {
  toMessage: (item: RcsMessage) => item,
  keyOf: (item: RcsMessage) => item.phoneNumber,
  skip: () => undefined,
  onProgress: () => undefined,
} as const;

describe("the signal of a run", () => {
  test("the signal of a run aborts the calls under way, records them as in doubt, and starts nothing more", async () => {
    const service = createFake();
    const controller = new AbortController();
    service.failNext({ fault: "hang", times: 2, endpoint: SEND });
    setTimeout(() => controller.abort(), 30);
    const { run, ledger, seen } = runOf({ signal: controller.signal }, service);
    const results = await collect(run);
    expect(results.map(({ state, error }) => [state, error?.code])).toEqual([
      ["unknown", "abort"],
      ["unknown", "abort"],
    ]);
    expect(await run).toMatchObject({ stopped: "signal", unknown: 2 });
    expect(await ledger.counts(BATCH)).toMatchObject({ unknown: 2, sending: 0 });
    expect(seen).toEqual({ read: 3, closed: true });
  });
});

describe("credentials", () => {
  test.each([401, 403])("%i stops the run, and leaves the key open", async (status) => {
    const service = createFake();
    service.failNext({ status, times: 99 });
    const { run, ledger, requests, seen } = runOf({}, service);
    const summary = await run;
    expect(summary).toMatchObject({ stopped: "credentials", error: { status }, accepted: 0 });
    expect(summary.rejected).toBe(requests());
    expect(requests()).toBeLessThanOrEqual(2);
    expect(seen.closed).toBe(true);
    expect(await ledger.counts(BATCH)).toMatchObject({ open: requests(), rejected: 0 });
  });
});

describe("unknown ends in a row", () => {
  const failing = (times: number) => {
    const service = createFake();
    service.failNext({ status: 503, times, endpoint: SEND });
    return service;
  };

  test("unknown ends in a row stop the run by default when there are five", async () => {
    const { run, requests } = runOf({ concurrency: 1 }, failing(99));
    expect(await run).toMatchObject({ stopped: "unknown", unknown: 5, error: { status: 503 } });
    expect(requests()).toBe(5);
  });

  test("unknown ends in a row stop the run at the number of stopAfterUnknown, or never if it is false", async () => {
    const two = runOf({ concurrency: 1, stopAfterUnknown: 2 }, failing(99));
    expect(await two.run).toMatchObject({ stopped: "unknown", unknown: 2 });
    const never = runOf({ stopAfterUnknown: false }, failing(99));
    expect(await never.run).toMatchObject({ done: 20, unknown: 20 });
    expect(await never.run).not.toHaveProperty("stopped");
  });

  test("unknown ends in a row are counted afresh after a response, but not after a skipped item", async () => {
    const service = failing(4);
    expect(await runOf({ concurrency: 1 }, service).run).toMatchObject({ unknown: 4, done: 20 });
    const skipping = runOf(
      { concurrency: 1, skip: ({ phoneNumber }) => (/[13579]$/.test(phoneNumber) ? "odd" : "") },
      failing(99),
    );
    expect(await skipping.run).toMatchObject({ stopped: "unknown", unknown: 5, skipped: 4 });
  });
});

describe("a ledger that fails", () => {
  const failingAt = (method: "find" | "claim" | "settle", nth = 1): Ledger => {
    const ledger = memoryLedger();
    let calls = 0;
    return {
      ...ledger,
      [method]: async (...args: never[]) => {
        calls += 1;
        if (calls >= nth)
          throw Object.assign(new Error(`at ${phone(1)}`), { code: "SQLITE_IOERR" });
        return (ledger[method] as (...given: never[]) => unknown)(...args);
      },
    };
  };

  test.each(["find", "claim"] as const)(
    "a ledger that fails at %s: nothing is sent, and the run stops",
    async (at) => {
      const { run, requests, seen } = runOf({ ledger: failingAt(at) });
      const results = await collect(run);
      for (const { state, error } of results) {
        expect(state).toBe("not_sent");
        expect(error).toMatchObject({ code: "ledger", reason: "unavailable", outcome: "not_sent" });
      }
      expect(results.length).toBeGreaterThan(0);
      expect(requests()).toBe(0);
      expect(seen.closed).toBe(true);
      const { stopped, error } = await run;
      expect(stopped).toBe("ledger");
      expect(LedgerError.is(error) && error.message).toMatch(/the ledger failed \(SQLITE_IOERR\)$/);
      expect(JSON.stringify([results[0]?.error, error])).not.toContain(phone(1));
    },
  );

  test("a ledger that fails at the record: the result has recorded: false, and the run stops", async () => {
    const { run, ledger, requests } = runOf({ ledger: failingAt("settle"), concurrency: 1 });
    const results = await collect(run);
    expect(results).toEqual([expect.objectContaining({ state: "accepted", recorded: false })]);
    expect(await run).toMatchObject({ stopped: "ledger", accepted: 1, error: { code: "ledger" } });
    expect(requests()).toBe(1);
    expect(await ledger.counts(BATCH)).toMatchObject({ sending: 1 });
  });

  test("a ledger that throws synchronously, or returns an entry that does not prevent the claim, is treated alike", async () => {
    const thrower = {
      ...memoryLedger(),
      find: () => {
        throw new Error("now");
      },
    } as Ledger;
    expect(await runOf({ ledger: thrower }).run).toMatchObject({ stopped: "ledger", accepted: 0 });
    const confused: Ledger = {
      ...memoryLedger(),
      claim: async (claim) => ({ ...claim, state: "open" }),
    };
    const { run, requests } = runOf({ ledger: confused });
    expect(await run).toMatchObject({ stopped: "ledger", accepted: 0 });
    expect(requests()).toBe(0);
  });
});
