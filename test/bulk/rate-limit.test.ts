import { type ClientEvent, createThrottle, TransactionalClient } from "messaging-service-client";
import {
  type Ledger,
  memoryLedger,
  type RunProgress,
  type RunSummary,
  removeMany,
  sendMany,
} from "messaging-service-client/bulk";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createFake, rcsOf, v2Of } from "../support/fakes/fake-service.ts";
import {
  BATCH,
  failUnknownHost,
  fastForward,
  gate,
  messages,
  onFastClock,
  phone,
  REFUSAL,
  SEND,
  settle,
} from "./batches.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const batchOf = (
  failure: { status: number; headers?: Record<string, string>; times: number },
  options: object = {},
) => {
  const service = createFake();
  service.failNext({ ...failure, endpoint: SEND });
  const ledger = memoryLedger();
  const run = sendMany(rcsOf(service), messages(6), {
    batch: BATCH,
    ledger,
    concurrency: 2,
    ...options,
  });
  return { run, service, ledger };
};

describe("a 429 in a run", () => {
  test("each call of an item that a 429 has postponed has an id of its own", async () => {
    const service = createFake();
    service.failNext({ status: 429, headers: { "retry-after": "5" }, endpoint: SEND });
    const ids: string[] = [];
    const onEvent = ({ type, callId }: ClientEvent) => {
      if (type === "request") ids.push(callId);
    };
    const options = { batch: BATCH, ledger: memoryLedger() };
    await fastForward(sendMany(rcsOf(service, { onEvent }), messages(1), options));
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
  });

  test.each([
    ["setTimeout", ["setTimeout", "clearTimeout"]],
    ["setTimeout and Date", ["setTimeout", "clearTimeout", "Date"]],
    ["setTimeout and performance", ["setTimeout", "clearTimeout", "performance"]],
  ] as const)(
    "a pause ends when its own timer fires, even if a test fakes only %s",
    async (_, fakes) => {
      vi.useRealTimers();
      vi.useFakeTimers({ toFake: [...fakes] });
      const { run, service } = batchOf(
        { status: 429, headers: { "retry-after": "600" }, times: 3 },
        { concurrency: 1 },
      );
      let summary: RunSummary | undefined;
      run.then((ended) => {
        summary = ended;
      });
      // Each pause has one timer. A run that polls a stopped clock would start timer after timer.
      for (let timers = 0; !summary && timers < 20; timers += 1) {
        await settle();
        if (!summary) await vi.advanceTimersToNextTimerAsync();
      }
      expect(summary).toMatchObject({ done: 6, accepted: 6 });
      expect(service.outbox).toHaveLength(6);
    },
  );

  test.each([[["600"]], [["600", "300"]], [["300", "600"]]])(
    "429 responses with Retry-After %j end no item, because the run pauses for the longest time and continues",
    async (times) => {
      const service = createFake();
      for (const time of times) {
        service.failNext({ status: 429, headers: { "retry-after": time }, endpoint: SEND });
      }
      const options = { batch: BATCH, ledger: memoryLedger(), concurrency: 2 };
      const { summary, tookMs } = await onFastClock(sendMany(rcsOf(service), messages(6), options));
      expect(summary).toMatchObject({ done: 6, accepted: 6 });
      expect(summary).not.toHaveProperty("stopped");
      expect(tookMs).toBeGreaterThanOrEqual(600_000);
      expect(tookMs).toBeLessThan(610_000);
    },
  );

  test("a 429 pauses a run for exactly maxPause; a longer Retry-After stops the run, and the client does not retry it", async () => {
    const hour = await onFastClock(
      batchOf({ status: 429, headers: { "retry-after": "3600" }, times: 1 }).run,
    );
    expect(hour.summary).toMatchObject({ done: 6 });
    const { run, ledger, service } = batchOf(
      { status: 429, headers: { "retry-after": "2" }, times: 99 },
      { maxPause: 1_999, retry: 2 },
    );
    const { summary, tookMs } = await onFastClock(run);
    const error = { status: 429, attempts: 1 };
    expect(summary).toMatchObject({ done: 0, stopped: "rate_limit", error });
    expect(tookMs).toBe(0);
    expect(await ledger.counts(BATCH)).toMatchObject({ open: service.requests.length, sending: 0 });
  });

  test("a 429 without Retry-After pauses a run, each time twice as long, up to maxPause", async () => {
    const some = await onFastClock(batchOf({ status: 429, times: 6 }, { concurrency: 1 }).run);
    expect(some.summary).toMatchObject({ done: 6, accepted: 6 });
    expect(some.tookMs).toBe(1000 * (1 + 2 + 4 + 8 + 16 + 32));
    // Requests that were on the wire at the same time count as one rate limit.
    expect((await onFastClock(batchOf({ status: 429, times: 2 }).run)).tookMs).toBe(1000);
    const { run, service } = batchOf(
      { status: 429, times: 9999 },
      { concurrency: 1, maxPause: 60_000 },
    );
    const { summary, tookMs } = await onFastClock(run);
    expect(summary).toMatchObject({ done: 0, stopped: "rate_limit" });
    expect([tookMs, service.requests.length]).toEqual([63_000, 7]);
  });

  test.each([
    ["accepted", { status: 202, body: { message: "Accepted", transactionId: "0a1b2c3d" } }],
    ["rejected", { status: 422, body: REFUSAL }],
    ["in doubt", { status: 500, body: {} }],
  ])("the pauses start over after an item that is %s", async (_, { status, body }) => {
    const limited = { status: 429, body: {} };
    const accepted = { status: 202, body: { message: "Accepted", transactionId: "0a1b2c3e" } };
    const answers = [limited, limited, { status, body }, limited, limited, accepted];
    const fetch = async () => {
      const answer = answers.shift() ?? accepted;
      return Response.json(answer.body, { status: answer.status });
    };
    const rcs = new TransactionalClient({ baseUrl: "https://app.example.com", apiKey: "k", fetch });
    const options = { batch: BATCH, ledger: memoryLedger(), concurrency: 1, retry: 0 };
    const { summary, tookMs } = await onFastClock(sendMany(rcs, messages(2), options));
    expect(summary).toMatchObject({ done: 2 });
    expect(answers).toEqual([]);
    expect(tookMs).toBe(1000 * (1 + 2) + 1000 * (1 + 2));
  });

  test("a request is repeated at once after a 429 with Retry-After: 0, and with a pause after a second 429", async () => {
    const headers = { "retry-after": "0" };
    const { run } = batchOf({ status: 429, headers, times: 1 }, { concurrency: 1 });
    expect((await onFastClock(run)).tookMs).toBe(0);
    const again = batchOf({ status: 429, headers, times: 3 }, { concurrency: 1 });
    expect((await onFastClock(again.run)).tookMs).toBe(3000);
    const forever = batchOf({ status: 429, headers, times: 9999 }, { maxPause: 60_000 });
    expect((await onFastClock(forever.run)).summary).toMatchObject({ stopped: "rate_limit" });
    expect(forever.service.requests.length).toBeLessThan(20);
  });

  test.each([0, 5])(
    "a run starts no request while it pauses after a 429 (a ledger that takes %i ms)",
    async (ledgerMs) => {
      const service = createFake();
      service.failNext({ status: 429, headers: { "retry-after": "60" }, endpoint: SEND });
      const begun = Date.now();
      const starts: number[] = [];
      const responses: number[] = [];
      const fetch: typeof service.fetch = async (...args) => {
        starts.push(Date.now() - begun);
        // The first response is the 429. The others take longer.
        await new Promise((resolve) => setTimeout(resolve, responses.length === 0 ? 3 : 20));
        responses.push(Date.now() - begun);
        return service.fetch(...args);
      };
      const ledger = memoryLedger();
      const slow: Ledger = {
        ...ledger,
        claim: async (claim) => {
          // When the pause begins, some attempts have a slot and are waiting for the ledger.
          await new Promise((resolve) => setTimeout(resolve, ledgerMs * Math.random()));
          return ledger.claim(claim);
        },
      };
      const run = sendMany(rcsOf(service, { fetch, retry: 2 }), messages(40), {
        ...{ batch: BATCH, ledger: slow, concurrency: 8 },
      });
      const { summary } = await onFastClock(run);
      expect(summary).toMatchObject({ done: 40, accepted: 40 });
      const limitedAt = responses[0] ?? 0;
      const during = starts.filter((at) => at > limitedAt && at < limitedAt + 60_000);
      expect(during).toEqual([]);
      expect(service.requests).toHaveLength(41);
    },
  );

  test("a 429 is reported to onProgress when the pause begins and when it ends", async () => {
    const seen: [done: number, pausedForMs: number | undefined][] = [];
    const begun = Date.now();
    const { run } = batchOf(
      { status: 429, headers: { "retry-after": "600" }, times: 1 },
      {
        concurrency: 1,
        onProgress: ({ done, pausedUntil }: RunProgress) =>
          void seen.push([done, pausedUntil && pausedUntil.getTime() - begun]),
      },
    );
    await onFastClock(run);
    expect(seen.slice(0, 3)).toEqual([
      [0, 600_000],
      [0, undefined],
      [1, undefined],
    ]);
    expect(seen.at(-1)).toEqual([6, undefined]);
  });

  test("a 429 during a pause moves the end of the pause", async () => {
    const service = createFake();
    let count = 0;
    const fetch: typeof service.fetch = async (...args) => {
      count += 1;
      const seconds = [600, 900][count - 1];
      if (seconds === undefined) return service.fetch(...args);
      await new Promise((resolve) => setTimeout(resolve, 10 * count));
      return new Response(null, { status: 429, headers: { "retry-after": `${seconds}` } });
    };
    const ends: (number | undefined)[] = [];
    const run = sendMany(rcsOf(service, { fetch }), messages(2), {
      ...{ batch: BATCH, ledger: memoryLedger() },
      onProgress: ({ pausedUntil }) => void ends.push(pausedUntil?.getTime()),
    });
    const { summary, tookMs } = await onFastClock(run);
    expect(summary).toMatchObject({ accepted: 2 });
    expect(tookMs).toBeGreaterThanOrEqual(900_000);
    expect(ends.filter(Boolean)).toHaveLength(2);
  });

  test("a 429 leaves the key open during the pause, so a crash leaves no doubt", async () => {
    const { run, ledger } = batchOf({ status: 429, headers: { "retry-after": "600" }, times: 2 });
    const summary = run.then();
    await settle();
    expect(await ledger.counts(BATCH)).toMatchObject({ open: 2, sending: 0 });
    await fastForward(summary);
    expect(await summary).toMatchObject({ accepted: 6 });
  });

  test("a 429 pauses a run only until stop or deadline ends the pause", async () => {
    const headers = { "retry-after": "600" };
    const deadline = new Date(Date.now() + 5000);
    const late = await onFastClock(batchOf({ status: 429, headers, times: 9 }, { deadline }).run);
    expect(late.summary).toMatchObject({ stopped: "deadline", done: 0 });
    expect(late.tookMs).toBe(5000);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 7000);
    const { run } = batchOf({ status: 429, headers, times: 9 }, { stop: controller.signal });
    const stopped = await onFastClock(run);
    expect(stopped.summary).toMatchObject({ stopped: "signal", done: 0 });
    expect(stopped.tookMs).toBe(7000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the throttle of a run", () => {
  test("a throttle whose hold is longer than maxRetryAfter ends no item of a run", async () => {
    const service = createFake();
    const throttle = createThrottle({ limit: 100, interval: 1000 });
    throttle.holdUntil(Date.now() + 900_000);
    const options = { batch: BATCH, ledger: memoryLedger() };
    const { summary, tookMs } = await onFastClock(
      sendMany(rcsOf(service, { throttle }), messages(6), options),
    );
    expect(summary).toMatchObject({ done: 6, accepted: 6 });
    expect(tookMs).toBeGreaterThanOrEqual(900_000);
  });

  test("a throttle whose maxWait is too short for the batch ends no item of a run", async () => {
    const service = createFake();
    const throttle = { limit: 1, interval: 5000, maxWait: 100 };
    const options = { batch: BATCH, ledger: memoryLedger() };
    const { summary } = await onFastClock(
      sendMany(rcsOf(service, { throttle }), messages(4), options),
    );
    expect(summary).toMatchObject({ done: 4, accepted: 4 });
  });

  test("items that wait in the queue of the throttle have claimed no key", async () => {
    const service = createFake();
    const ledger = memoryLedger();
    const rcs = rcsOf(service, { throttle: { limit: 1, interval: 60_000 } });
    const run = sendMany(rcs, messages(3), { batch: BATCH, ledger });
    const summary = run.then();
    await settle();
    expect(await ledger.counts(BATCH)).toMatchObject({ accepted: 1, sending: 0, open: 0 });
    await fastForward(summary);
    expect(await summary).toMatchObject({ accepted: 3 });
  });
});

test.each([
  ["is repeated after the pause", [], { accepted: 1 }],
  ["stays in doubt if its repeat is refused", [{ status: 404 }], { unknown: 1, inDoubt: 1 }],
])("a removal whose response was lost, and that then meets a 429, %s", async (_, later, end) => {
  const service = createFake();
  const { id: listId } = service.addList();
  service.addSubscriber(listId, { phone_number: phone(1) });
  const limit = { status: 429, headers: { "retry-after": "600" } };
  for (const failure of [{ status: 503 }, limit, ...later]) service.failNext(failure);
  const v2 = v2Of(service, { retry: 1, responseValidation: "warn" });
  const run = removeMany(v2, [phone(1)], { listId, batch: BATCH, ledger: memoryLedger() });
  const { summary, tookMs } = await onFastClock(run);
  expect([tookMs >= 600_000, summary]).toMatchObject([true, end]);
});

describe("what a run reports of a 429, a pause, and a failure after it", () => {
  const noConnection = async (address: unknown) => failUnknownHost(address);
  const tooLate = () => new Promise<never>(() => {});
  const stop = async () => ({ status: 401, body: {} });
  type Next = (address: unknown) => Promise<{ status: number; body: object }>;

  const world = (next: Next) => {
    let calls = 0;
    const fetch = async (address: unknown) => {
      calls += 1;
      const headers = { "retry-after": "60" };
      if (calls === 1) return Response.json({}, { status: 429, headers });
      const { status, body } = await next(address);
      return Response.json(body, { status });
    };
    return { fetch, options: { batch: BATCH, ledger: memoryLedger(), retry: 0 } };
  };
  const RUNS = {
    sendMany: (next: Next) => {
      const { fetch, options } = world(next);
      return sendMany(rcsOf(createFake(), { fetch }), messages(1), options);
    },
    removeMany: (next: Next) => {
      const { fetch, options } = world(next);
      return removeMany(v2Of(createFake(), { fetch }), [phone(1)], { ...options, listId: 7 });
    },
  } as const;

  test.each([
    ["sendMany", "no connection", noConnection, "rejected", "connection"],
    ["removeMany", "no connection", noConnection, "rejected", "connection"],
    ["sendMany", "a time limit", tooLate, "unknown", "timeout"],
    ["sendMany", "a refusal", stop, "rejected", "authentication"],
  ] as const)(
    "an item of %s that met a 429, and then %s, has the outcome of both attempts",
    async (run, _, next, outcome, code) => {
      const errors: unknown[] = [];
      const running = RUNS[run](next);
      const collecting = (async () => {
        for await (const { state, error } of running) errors.push([state, error]);
      })();
      await fastForward(collecting);
      await collecting;
      expect(errors).toMatchObject([[outcome, { outcome, code }]]);
    },
  );
});

test("a pause starts as soon as the 429 arrives, not when it has been recorded", async () => {
  const service = createFake();
  service.failNext({ status: 429, headers: { "retry-after": "60" }, endpoint: SEND });
  const ledger = memoryLedger();
  const recording = gate();
  const slow: Ledger = {
    ...ledger,
    settle: async (claim, result) => {
      if (result.code === "rate_limit") await recording.opened;
      return ledger.settle(claim, result);
    },
  };
  const options = { batch: BATCH, ledger: slow, concurrency: 2 };
  const run = sendMany(rcsOf(service), messages(9), options).then((summary) => summary);
  await settle();
  // The other worker had at most one request on the wire.
  const during = service.requests.length;
  expect(during).toBeLessThanOrEqual(2);
  await vi.advanceTimersByTimeAsync(5_000);
  await settle();
  expect(service.requests).toHaveLength(during);
  recording.open();
  await fastForward(run);
  expect(await run).toMatchObject({ accepted: 9 });
});

test("a run sends nothing without a claim if the pause ends while it releases a claim", async () => {
  const service = createFake();
  const ledger = memoryLedger();
  const slow = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  // The pause begins while the second item is being claimed, and ends while its release is being recorded.
  const late: Ledger = {
    ...ledger,
    claim: async (claim) => {
      if (claim.key === phone(1)) await slow(300);
      return ledger.claim(claim);
    },
    settle: async (claim, result) => {
      if (claim.key === phone(1) && result.state === "open") await slow(1_000);
      return ledger.settle(claim, result);
    },
  };
  service.failNext({ status: 429, headers: { "retry-after": "1" }, endpoint: SEND });
  const states: unknown[] = [];
  const rcs = rcsOf(service, {
    fetch: async (url, init) => {
      const { phoneNumber } = JSON.parse(String(init.body));
      states.push((await ledger.find(BATCH, phoneNumber))?.state);
      return service.fetch(url, init);
    },
  });
  const options = { batch: BATCH, ledger: late, concurrency: 2 };
  const { summary } = await onFastClock(sendMany(rcs, messages(2), options));
  expect([summary.accepted, summary.stopped]).toEqual([2, undefined]);
  expect(states).toEqual(["sending", "sending", "sending"]);
  expect(await ledger.counts(BATCH)).toMatchObject({ accepted: 2 });
  expect(service.outbox.length).toBe(2);
});

test.each([
  ["is repeated", { accepted: 2, inDoubt: 0 }],
  ["is unknown if the run is stopped", { unknown: 1, inDoubt: 1, stopped: "signal" }],
] as const)(
  "a removal in doubt stays in doubt during a pause that begins while its repeat is claimed, and then %s",
  async (_, end) => {
    const service = createFake();
    const { id: listId } = service.addList();
    for (const n of [1, 2]) service.addSubscriber(listId, { phone_number: phone(n) });
    const ledger = memoryLedger();
    const [claimed, paused] = [gate(), gate()];
    const before: unknown[] = [];
    const slow: Ledger = {
      ...ledger,
      claim: async (claim) => {
        if (claim.key === phone(1)) before.push((await ledger.find(BATCH, phone(1)))?.state);
        if (claim.key === phone(1) && before.length === 2) {
          claimed.open();
          await paused.opened;
        }
        return ledger.claim(claim);
      },
    };
    const failures = new Map([
      [true, new Response(null, { status: 503 })],
      [false, new Response(null, { status: 429, headers: { "retry-after": "600" } })],
    ]);
    const fetch: typeof service.fetch = async (...args) => {
      const isFirst = String(args[0]).includes(phone(1).slice(1));
      const failure = failures.get(isFirst);
      failures.delete(isFirst);
      if (failure && !isFirst) await claimed.opened;
      return failure ?? service.fetch(...args);
    };
    const retry = { limit: 1, backoff: { initial: 1 } };
    const v2 = v2Of(service, { fetch, retry, responseValidation: "warn" });
    const stop = new AbortController();
    const summary = removeMany(v2, [phone(1), phone(2)], {
      ...{ listId, batch: BATCH, ledger: slow, concurrency: 2, stop: stop.signal },
      onProgress: ({ pausedUntil }) => void (pausedUntil && paused.open()),
    }).then();
    await fastForward(paused.opened);
    await settle();
    expect((await ledger.find(BATCH, phone(1)))?.state).toBe("unknown");
    if ("stopped" in end) stop.abort();
    await fastForward(summary);
    expect(await summary).toMatchObject(end);
    expect(before.slice(0, 2)).toEqual([undefined, "sending"]);
  },
);
