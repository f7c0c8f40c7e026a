import { getEventListeners } from "node:events";
import {
  type ItemResult,
  LedgerError,
  memoryLedger,
  type RcsMessage,
  sendMany,
  sendOnce,
} from "messaging-service-client/bulk";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { errorOf } from "../support/calls.ts";
import { createFake, rcsOf, rcsText } from "../support/fakes/fake-service.ts";
import { startTurningClock } from "../support/turning-clock.ts";
import {
  BATCH,
  collect,
  gate,
  inShort,
  messages,
  REFUSAL,
  runOf,
  SEND,
  watched,
} from "./batches.ts";

/** Number of active timers that keep the process alive. */
const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

/** A `fetch` that waits for a gate after the given number of requests. */
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
  test("the stop signal lets a run start no further item, finish and record the items under way, and close the input", async () => {
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

  test("a run whose stop signal has already fired sends nothing, reads nothing and closes the input", async () => {
    const { run, seen, requests } = runOf({ stop: AbortSignal.abort() });
    expect(await run).toMatchObject({ stopped: "signal", done: 0 });
    expect([seen.read, requests()]).toEqual([0, 0]);
  });

  test("the stop signal ends the wait for a throttle slot at once, without a result of the item or an entry in the ledger", async () => {
    const service = createFake();
    const controller = new AbortController();
    const rcs = rcsOf(service, { throttle: { limit: 1, interval: 3_600_000 } });
    const ledger = memoryLedger();
    const { input, seen } = watched(messages(20));
    const options = { batch: BATCH, ledger, concurrency: 3, stop: controller.signal };
    const run = sendMany(rcs, input, {
      ...options,
      onProgress: () =>
        void expect
          .poll(() => seen.read)
          .toBe(4)
          .then(() => controller.abort()),
    });
    expect(await run).toMatchObject({ done: 1, accepted: 1, stopped: "signal" });
    expect(seen).toEqual({ read: 4, closed: true });
    expect(await ledger.counts(BATCH)).toMatchObject({ accepted: 1, sending: 0, open: 0 });
  });

  test("a run gives the stop signal as its reason if items have no result, even if its input has ended", async () => {
    const controller = new AbortController();
    const rcs = rcsOf(createFake(), { throttle: { limit: 1, interval: 3_600_000 } });
    const { input, seen } = watched(messages(2));
    const options = { batch: BATCH, ledger: memoryLedger(), stop: controller.signal };
    const run = sendMany(rcs, input, options);
    await expect.poll(() => seen.closed).toBe(true);
    controller.abort();
    expect(await run).toMatchObject({ done: 1, stopped: "signal" });
  });

  test("a run does not give a stop signal that fires after the last result as its reason", async () => {
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

  test("the stop signal withholds no result from a consumer that is slower than the run", async () => {
    const controller = new AbortController();
    const service = createFake();
    const { open, opened } = gate();
    let started = 0;
    const fetch: typeof service.fetch = async (...args) => {
      started += 1;
      if (started === 4) open();
      await opened;
      return service.fetch(...args);
    };
    const { run } = runOf({ concurrency: 4, stop: controller.signal }, service, { fetch });
    const states: string[] = [];
    for await (const { state } of run) {
      if (states.push(state) > 1) continue;
      controller.abort();
      await run;
    }
    expect(states).toHaveLength((await run).done);
    expect(states.length).toBeGreaterThan(1);
  });

  test("a run leaves no listener on its stop signal", async () => {
    const { signal } = new AbortController();
    await runOf({ stop: signal, signal }).run;
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("a deadline", () => {
  test("a deadline that has passed sends nothing", async () => {
    const { run, requests } = runOf({ deadline: new Date(Date.now() - 1) });
    expect(await run).toMatchObject({ stopped: "deadline", done: 0 });
    expect(requests()).toBe(0);
  });

  test("a deadline ends the wait for a throttle slot on time and leaves no timer", async () => {
    startTurningClock();
    onTestFinished(() => void vi.useRealTimers());
    const before = vi.getTimerCount();
    const service = createFake();
    const rcs = rcsOf(service, { throttle: { limit: 2, interval: 3_600_000 } });
    const options = { batch: BATCH, ledger: memoryLedger() };
    const deadline = new Date(Date.now() + 500);
    const summary = await sendMany(rcs, messages(20), { ...options, deadline });
    expect(summary).toMatchObject({ stopped: "deadline", done: 2, accepted: 2 });
    expect(Date.now()).toBeGreaterThanOrEqual(deadline.getTime());
    expect(vi.getTimerCount()).toBeLessThanOrEqual(before);
  });

  test("a deadline whose timer is late starts nothing more", async () => {
    // A process that was suspended, such as on a sleeping laptop, may read the clock before its timers fire.
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const deadline = new Date(Date.now() + 3_600_000);
    let made = 0;
    const toMessage = (message: RcsMessage) => {
      made += 1;
      if (made === 3) vi.setSystemTime(deadline);
      return message;
    };
    const { run, requests } = runOf({ deadline, toMessage, concurrency: 1 });
    expect(await run).toMatchObject({ stopped: "deadline", done: 2, accepted: 2 });
    expect([made, requests()]).toEqual([3, 2]);
  });

  test("a deadline months ahead leaves no timer after the run", async () => {
    const before = timers();
    const deadline = new Date(Date.now() + 90 * 86_400_000);
    expect(await runOf({ deadline }).run).toMatchObject({ done: 20 });
    expect(timers()).toBeLessThanOrEqual(before);
  });
});

describe("leaving the loop", () => {
  test("a run whose loop is left starts no further item, records the items under way, and closes the input", async () => {
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

  test("an exception in the loop's body leaves the loop and is rethrown", async () => {
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

  test("a run whose input throws records the items that it has read, and its loop receives every result before the error", async () => {
    async function* broken(): AsyncGenerator<RcsMessage> {
      yield* messages(5);
      throw boom;
    }
    const results: ItemResult<RcsMessage>[] = [];
    const service = createFake();
    const ledger = memoryLedger();
    const run = sendMany(rcsOf(service), broken(), { batch: BATCH, ledger });
    const loop = async () => {
      for await (const result of run) results.push(result);
    };
    await expect(loop()).rejects.toBe(boom);
    expect(await ledger.counts(BATCH)).toMatchObject({ accepted: results.length, sending: 0 });
    expect(results.map(inShort)).toEqual(service.outbox.map(() => "accepted"));
    expect(results.length).toBeGreaterThan(0);
    await expect(run).rejects.toBe(boom);
  });

  test("an input that yields a rejecting promise ends the run and is closed", async () => {
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

  test("a run whose input cannot be closed rejects with the error of closing it", async () => {
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
    "a run whose %s throws or rejects fails with that error and leaves no key in doubt",
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

describe("package errors thrown by callbacks", () => {
  /** Errors of a second client, as thrown by a callback that sends its own requests. */
  const foreignErrors = async () => {
    const other = createFake();
    const rcs = rcsOf(other);
    const errors: Error[] = [];
    for (const status of [404, 429, 401, 400, 503, 302]) {
      other.failNext({ status, ...(status === 400 && { body: REFUSAL }) });
      errors.push(await errorOf(rcs.sendRcsText(rcsText)));
    }
    errors.push(await errorOf(rcs.sendRcsText({ ...rcsText, smsFailover: "" })));
    errors.push(await errorOf(rcs.sendRcsText(rcsText, { signal: AbortSignal.abort() })));
    const refused = { code: "ECONNREFUSED" };
    errors.push(new TypeError("fetch failed", { cause: Object.assign(new Error(), refused) }));
    errors.push(new LedgerError("in_doubt"), new LedgerError("unavailable"));
    return errors;
  };

  test.each(["toMessage", "keyOf", "skip", "input"] as const)(
    "an error of this package thrown by %s is not mistaken for the response to a send",
    async (name) => {
      const errors = await foreignErrors();
      expect(new Set(errors.map(({ message }) => message)).size).toBe(errors.length);
      for (const error of errors) {
        const service = createFake();
        const ledger = memoryLedger();
        const fail = () => {
          throw error;
        };
        async function* broken(): AsyncGenerator<RcsMessage> {
          yield* messages(2);
          fail();
        }
        const input = name === "input" ? broken() : messages(3);
        const options = { batch: BATCH, ledger, ...(name !== "input" && { [name]: fail }) };
        const results: ItemResult<RcsMessage>[] = [];
        const loop = async () => {
          for await (const result of sendMany(rcsOf(service), input, options)) results.push(result);
        };
        await expect(loop()).rejects.toBe(error);
        const sent = service.outbox.length;
        expect(results.map(inShort)).toEqual(Array(sent).fill("accepted"));
        if (name !== "input") expect(sent).toBe(0);
        // An item that was claimed when the run stopped has its key reopened.
        const { open, ...counts } = await ledger.counts(BATCH);
        expect(counts).toEqual({ accepted: sent, sending: 0, rejected: 0, unknown: 0 });
        expect(open).toBeLessThanOrEqual(name === "input" ? 2 - sent : 0);
      }
    },
  );

  test("an error of this package thrown by the message function of sendOnce is not mistaken for the response to a send", async () => {
    for (const error of await foreignErrors()) {
      const service = createFake();
      const ledger = memoryLedger();
      const fail = async () => Promise.reject(error);
      const call = sendOnce(rcsOf(service), fail, { ledger, key: "k" });
      await expect(call).rejects.toBe(error);
      expect(await ledger.find("once", "k")).toBeUndefined();
    }
  });
});

const OTHERWISE = {
  toMessage: (item: RcsMessage) => item,
  keyOf: (item: RcsMessage) => item.phoneNumber,
  skip: () => undefined,
  onProgress: () => undefined,
} as const;

describe("the signal of a run", () => {
  test("a run whose signal fires aborts its requests, records them as in doubt, and starts no further item", async () => {
    const service = createFake();
    const controller = new AbortController();
    service.failNext({ fault: "hang", times: 2, endpoint: SEND });
    const { run, ledger, seen } = runOf({ signal: controller.signal }, service);
    const collected = collect(run);
    await expect.poll(() => [service.requests.length, seen.read]).toEqual([2, 2]);
    controller.abort();
    const results = await collected;
    expect(results.map(({ state, error }) => [state, error?.code])).toEqual([
      ["unknown", "abort"],
      ["unknown", "abort"],
    ]);
    expect(await run).toMatchObject({ stopped: "signal", unknown: 2 });
    expect(await ledger.counts(BATCH)).toMatchObject({ unknown: 2, sending: 0 });
    expect(seen).toEqual({ read: 2, closed: true });
  });
});
