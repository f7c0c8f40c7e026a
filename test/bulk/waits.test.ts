// A run may wait for something that never settles. Everything that ends a run also ends that wait.
import {
  type Ledger,
  memoryLedger,
  previewMany,
  type RcsMessage,
  removeMany,
  type SendManyOptions,
  type SendOnceOptions,
  sendMany,
  sendOnce,
} from "messaging-service-client/bulk";
import { describe, expect, test, vi } from "vitest";
import { createFake, rcsOf, rcsText, v2Of } from "../support/fakes/fake-service.ts";
import { signalAfter, useTurningClock } from "../support/turning-clock.ts";
import { BATCH, collect, gate, inShort, messages, phone, SEND } from "./batches.ts";

useTurningClock();

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const never = () => new Promise<never>(() => {});

/** A ledger with one method whose promise never settles. */
const hangingAt = (step: "find" | "claim" | "settle", ledger = memoryLedger()): Ledger => ({
  ...ledger,
  [step]: never,
});

type Hang = Partial<SendManyOptions<RcsMessage>>;
/** Callbacks and ledgers that never settle. */
const HANGS: Readonly<Record<string, () => Hang>> = {
  "find of the ledger": () => ({ ledger: hangingAt("find") }),
  "claim of the ledger": () => ({ ledger: hangingAt("claim") }),
  toMessage: () => ({ toMessage: never }),
  skip: () => ({ skip: never }),
  onProgress: () => ({ onProgress: never }),
};

/** Options that end a run after a time in milliseconds. */
const ENDS: Readonly<Record<string, (ms?: number) => Hang>> = {
  stop: (ms = 50) => ({ stop: signalAfter(ms) }),
  signal: (ms = 50) => ({ signal: signalAfter(ms) }),
  deadline: (ms = 50) => ({ deadline: new Date(Date.now() + ms) }),
  totalTimeout: (ms = 50) => ({ totalTimeout: ms }),
};

describe.each(Object.keys(HANGS))("a run whose %s never settles", (hang) => {
  test.each(Object.keys(ENDS))("a run that waits forever is ended by %s", async (end) => {
    const service = createFake();
    const ledger = memoryLedger();
    // Only this run sends its messages before it ends, which takes longer on a busy machine.
    const ms = hang === "onProgress" ? 500 : undefined;
    const options = { batch: BATCH, ledger, ...HANGS[hang]?.(), ...ENDS[end]?.(ms) };
    const run = sendMany(rcsOf(service), messages(3), options);
    const { accepted, done, notSent, stopped, error } = await run;
    if (hang === "onProgress") {
      expect(accepted).toBe(3);
      expect(service.outbox).toHaveLength(3);
      return;
    }
    expect([accepted, service.requests.length]).toEqual([0, 0]);
    if (end === "totalTimeout") {
      expect([done, notSent]).toEqual([3, 3]);
    } else {
      expect([done, stopped, error]).toEqual([0, end === "stop" ? "signal" : end, undefined]);
    }
  });
});

describe("a run whose input never yields", () => {
  test.each(["stop", "signal", "deadline"])(
    "a run whose input never yields is ended by %s",
    async (end) => {
      const items: AsyncIterable<RcsMessage> = { [Symbol.asyncIterator]: () => ({ next: never }) };
      const options = { batch: BATCH, ledger: memoryLedger(), ...ENDS[end]?.() };
      const summary = await sendMany(rcsOf(createFake()), items, options);
      expect(summary).toMatchObject({ done: 0, stopped: end === "stop" ? "signal" : end });
    },
  );

  test("a run whose input never yields, and whose return() never settles, ends when its loop is left", async () => {
    const [message] = messages(1);
    const iterator = {
      isFirst: true,
      next: async () => {
        if (!iterator.isFirst) return never();
        iterator.isFirst = false;
        return { done: false as const, value: message as RcsMessage };
      },
      return: never,
    };
    const items = { [Symbol.asyncIterator]: () => iterator };
    const run = sendMany(rcsOf(createFake()), items, { batch: BATCH, ledger: memoryLedger() });
    const loop = async () => {
      for await (const { state } of run) return state;
      return undefined;
    };
    expect(await loop()).toBe("accepted");
    expect(await run).toMatchObject({ stopped: "left", accepted: 1 });
  });
});

describe("ledgerTimeout", () => {
  test.each(["find", "claim"] as const)(
    "ledgerTimeout limits %s; the run then stops, and nothing is sent",
    async (step) => {
      const service = createFake();
      const options = { batch: BATCH, ledger: hangingAt(step), ledgerTimeout: 50 };
      const summary = await sendMany(rcsOf(service), messages(9), options);
      expect(summary).toMatchObject({
        ...{ stopped: "ledger", accepted: 0, error: { reason: "unavailable" } },
      });
      expect(summary.error?.message).toMatch(/the ledger failed \(TIMEOUT\)$/);
      expect(service.requests).toEqual([]);
      const once = sendOnce(rcsOf(service), rcsText, { key: "k", ...options, batch: "once" });
      const error = { reason: "unavailable", outcome: "not_sent", isTransient: true };
      await expect(once).rejects.toMatchObject(error);
      expect(service.requests).toEqual([]);
    },
  );

  test("ledgerTimeout limits settle; the result is then right, but not recorded", async () => {
    const service = createFake();
    const ledger = hangingAt("settle");
    const options = { batch: BATCH, ledger, ledgerTimeout: 50 };
    const run = sendMany(rcsOf(service), messages(9), { ...options, concurrency: 1 });
    const results = await collect(run);
    expect(results.map(inShort)).toEqual(["accepted"]);
    expect(results[0]).toMatchObject({ recorded: false, transactionId: expect.any(String) });
    expect(await run).toMatchObject({ stopped: "ledger", error: { code: "ledger" } });
    const once = sendOnce(rcsOf(service), rcsText, { key: "k", ...options });
    expect(await once).toMatchObject({ sentNow: true, recorded: false });
  });

  test("ledgerTimeout limits a preview", async () => {
    const options = { batch: BATCH, ledger: hangingAt("find"), ledgerTimeout: 50 };
    const preview = previewMany(messages(9), options);
    await expect(preview).rejects.toMatchObject({ code: "ledger", reason: "unavailable" });
  });

  test("ledgerTimeout leaves no timer behind", async () => {
    const before = vi.getTimerCount();
    const options = { batch: BATCH, ledger: memoryLedger() };
    await sendMany(rcsOf(createFake()), messages(9), options);
    await sendOnce(rcsOf(createFake()), rcsText, { ...options, key: "k" });
    expect(vi.getTimerCount()).toBeLessThanOrEqual(before);
  });
});

test("the signal of a preview ends it, whatever it waits for, and closes the input", async () => {
  const hangs = [
    { toMessage: never },
    { skip: never },
    { batch: BATCH, ledger: hangingAt("find") },
  ] as const;
  for (const hang of hangs) {
    let isClosed = false;
    function* items() {
      try {
        yield* messages(9);
      } finally {
        isClosed = true;
      }
    }
    const preview = previewMany<RcsMessage>(items(), { ...hang, signal: signalAfter(50) });
    await expect(preview).rejects.toMatchObject({ code: "abort" });
    expect(isClosed).toBe(true);
  }
});

describe("waits of sendOnce", () => {
  const send = (options: Partial<SendOnceOptions>, message: Parameters<typeof sendOnce>[1]) =>
    sendOnce(rcsOf(createFake()), message, { ledger: memoryLedger(), key: "k", ...options });
  const HANGING: Readonly<Record<string, (end: Partial<SendOnceOptions>) => Promise<unknown>>> = {
    find: (end) => send({ ledger: hangingAt("find"), ...end }, rcsText),
    claim: (end) => send({ ledger: hangingAt("claim"), ...end }, rcsText),
    "the message function": (end) => send(end, never),
  };

  describe.each(Object.keys(HANGING))("sendOnce whose %s never settles", (hang) => {
    test.each([
      ["signal", () => ({ signal: signalAfter(50) }), "abort"],
      ["totalTimeout", () => ({ totalTimeout: 50 }), "timeout"],
    ] as const)("sendOnce that waits forever is ended by %s", async (_, end, code) => {
      const call = HANGING[hang]?.(end()) ?? Promise.resolve();
      await expect(call).rejects.toMatchObject({ code, outcome: "not_sent" });
    });
  });

  test("totalTimeout of sendOnce includes the time in which its message is made", async () => {
    const service = createFake();
    service.failNext({ fault: "hang", endpoint: SEND });
    const begun = performance.now();
    const makeMessage = async () => {
      await pause(500);
      return rcsText;
    };
    const options = { ledger: memoryLedger(), key: "k", totalTimeout: 1_000 };
    const call = sendOnce(rcsOf(service), makeMessage, options);
    const late = { code: "timeout", phase: "total", outcome: "unknown" };
    await expect(call).rejects.toMatchObject(late);
    expect(performance.now() - begun).toBeLessThan(1_400);
  });

  test.each([
    // Even on a busy machine, the send itself finishes first.
    ["signal", () => ({ signal: signalAfter(500) })],
    ["totalTimeout", () => ({ totalTimeout: 500 })],
  ] as const)(
    "sendOnce that waits forever to record an accepted send ends soon after %s",
    async (_, end) => {
      const call = send({ ledger: hangingAt("settle"), ...end() }, rcsText);
      expect(await call).toMatchObject({ sentNow: true, recorded: false });
    },
  );
});

describe("a claim that the ledger grants after the call has ended", () => {
  /** A ledger that grants its claims after a promise has settled. */
  const slowClaims = (granted: Promise<void>, ledger = memoryLedger()) => {
    const claims: string[] = [];
    const slow: Ledger = {
      ...ledger,
      claim: async (claim) => {
        const found = await ledger.claim(claim);
        claims.push(claim.id);
        await granted;
        return found;
      },
    };
    return { ledger, slow, claims };
  };
  const stateOf = async (ledger: Ledger, batch = BATCH, key = phone(0)) =>
    (await ledger.find(batch, key))?.state;

  test.each(["stop", "signal", "deadline", "totalTimeout", "ledgerTimeout"])(
    "a claim that is granted after %s has ended the run is released, and nothing is sent",
    async (end) => {
      const service = createFake();
      // Even on a busy machine, the claim begins before the run ends.
      const { ledger, slow } = slowClaims(pause(450));
      const options = { batch: BATCH, ledger: slow, ...ENDS[end]?.(300) };
      const limit = end === "ledgerTimeout" ? { ledgerTimeout: 50 } : {};
      const run = sendMany(rcsOf(service), messages(1), { ...options, ...limit });
      const summary = await run;
      expect(summary).toMatchObject({ accepted: 0 });
      // When a run ends, it waits briefly for its claims. A process that exits now leaves no key in doubt.
      if (end !== "ledgerTimeout") expect(await stateOf(ledger)).toBe("open");
      await expect.poll(() => stateOf(ledger)).toBe("open");
      expect(service.requests).toEqual([]);
      expect(await sendMany(rcsOf(service), messages(1), { batch: BATCH, ledger })).toMatchObject({
        accepted: 1,
      });
    },
  );

  test("a claim that is granted long after the run has ended is released in the background", async () => {
    const { open, opened } = gate();
    const { ledger, slow, claims } = slowClaims(opened);
    const controller = new AbortController();
    const options = { batch: BATCH, ledger: slow, stop: controller.signal };
    const run = sendMany(rcsOf(createFake()), messages(2), options).then();
    await expect.poll(() => claims).toHaveLength(2);
    controller.abort();
    await run;
    expect(await stateOf(ledger)).toBe("sending");
    open();
    await expect.poll(() => ledger.counts(BATCH)).toMatchObject({ sending: 0, open: 2 });
  });

  test("a claim for a repeat that is granted too late is released as in doubt", async () => {
    const { open, opened } = gate();
    const ledger = memoryLedger();
    let claims = 0;
    const slow: Ledger = {
      ...ledger,
      claim: async (claim) => {
        claims += 1;
        const found = await ledger.claim(claim);
        if (claims > 1) await opened;
        return found;
      },
    };
    const service = createFake();
    const { id: listId } = service.addList();
    service.failNext({ status: 503, times: 9 });
    const v2 = v2Of(service, { retry: { limit: 1, backoff: { initial: 1 } } });
    const options = { listId, batch: BATCH, ledger: slow, ledgerTimeout: 300 };
    expect(await collect(removeMany(v2, [phone(0)], options))).toMatchObject([
      { state: "unknown" },
    ]);
    open();
    await expect.poll(() => stateOf(ledger)).toBe("unknown");
  });

  test("the release of a late claim does not open a later claim of the same key", async () => {
    const service = createFake();
    const { open, opened } = gate();
    const { ledger, slow, claims } = slowClaims(opened);
    const call = sendOnce(rcsOf(service), rcsText, { ledger: slow, key: "k", totalTimeout: 300 });
    await expect(call).rejects.toMatchObject({ code: "timeout", outcome: "not_sent" });
    // Meanwhile, a person resolves the key as open, and a second process claims it.
    await ledger.resolve("once", "k", "open");
    const entry = await ledger.find("once", "k");
    if (!entry) throw new Error("there is no entry");
    await ledger.claim({ ...entry, id: "later", ref: "later", owner: "later" });
    open();
    await pause(50);
    expect(claims).toHaveLength(1);
    expect(await ledger.find("once", "k")).toMatchObject({ id: "later", state: "sending" });
  });

  test("a claim is released even if the ledger's response to it was lost", async () => {
    const ledger = memoryLedger();
    const losing: Ledger = {
      ...ledger,
      claim: async (claim) => {
        await ledger.claim(claim);
        throw new Error("connection lost");
      },
    };
    const service = createFake();
    const run = sendMany(rcsOf(service), messages(1), { batch: BATCH, ledger: losing });
    expect(await run).toMatchObject({ stopped: "ledger", notSent: 1 });
    expect(await stateOf(ledger)).toBe("open");
    expect(service.requests).toEqual([]);
  });
});
