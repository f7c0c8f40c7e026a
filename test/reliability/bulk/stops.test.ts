// Stops a run at any moment, even between two steps of its own code.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Ledger } from "../../../src/bulk/ledgers/ledger.ts";
import { memoryLedger } from "../../../src/bulk/ledgers/memory-ledger.ts";
import { sendMany } from "../../../src/bulk/send-many.ts";
import { BATCH } from "../../support/kills/kill-task.ts";
import {
  CountingService,
  clientOver,
  messageTo,
  phoneOf,
} from "../../support/servers/counting-service.ts";

const PHONES = Array.from({ length: 8 }, (_, index) => `+1206555010${index}`);

/** Waits for a number of microtasks. */
const steps = async (count: number): Promise<void> => {
  for (let step = 0; step < count; step += 1) await undefined;
};

const plan = fc.record({
  stopAfter: fc.integer({ min: 0, max: 400 }),
  by: fc.constantFrom("stop", "signal", "toMessage", "skip", "left"),
  concurrency: fc.integer({ min: 1, max: 4 }),
  delays: fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1 }),
});

test("a run that is stopped at any moment leaves no key in doubt without a request, and forgets none", async () => {
  const ends = new Set<string>();
  await fc.assert(
    fc.asyncProperty(plan, async ({ stopAfter, by, concurrency, delays }) => {
      let count = 0;
      const delay = () => {
        count += 1;
        return steps(delays[count % delays.length] ?? 0);
      };
      const inner = memoryLedger();
      const ledger: Ledger = {
        ...inner,
        find: async (...args) => {
          await delay();
          return inner.find(...args);
        },
        claim: async (claim) => {
          await delay();
          const found = await inner.claim(claim);
          await delay();
          return found;
        },
        settle: async (...args) => {
          await delay();
          return inner.settle(...args);
        },
      };
      const service = new CountingService();
      const aborted = new Set<string>();
      const rcs = clientOver(async (_, init) => {
        const phone = phoneOf(init);
        await delay();
        // A request that was aborted may still arrive.
        if (init?.signal?.aborted) aborted.add(phone);
        return service.accept(phone);
      });
      const controller = new AbortController();
      let isThrowing = false;
      const throwOr = async <T>(value: T): Promise<T> => {
        await delay();
        if (isThrowing) throw new Error("stopped");
        return value;
      };
      const run = sendMany(rcs, PHONES, {
        ...{ batch: BATCH, ledger, concurrency },
        ...((by === "stop" || by === "signal") && { [by]: controller.signal }),
        toMessage: async (phone, { ref }) => {
          const message = messageTo(phone, ref);
          return by === "toMessage" ? throwOr(message) : message;
        },
        ...(by === "skip" && { skip: () => throwOr(undefined) }),
      });
      const stopping = steps(stopAfter).then(() => {
        isThrowing = true;
        controller.abort();
      });
      if (by === "left") {
        const iterator = run[Symbol.asyncIterator]();
        await stopping;
        await iterator.return?.();
      }
      const summary = await run.then(
        ({ stopped = "none" }) => stopped,
        () => "failed",
      );
      ends.add(`${by}: ${summary}`);
      await stopping;

      const { sending, unknown, accepted, ...others } = await inner.counts(BATCH);
      expect(sending).toBe(0);
      if (by === "signal") expect(unknown).toBeLessThanOrEqual(concurrency);
      else expect([unknown, aborted.size]).toEqual([0, 0]);
      expect(accepted + unknown).toBeGreaterThanOrEqual(service.sent.size);
      expect(accepted).toBeLessThanOrEqual(service.sent.size);
      expect(others.rejected).toBe(0);
      // Nothing starts after the end.
      const sent = service.sent.size;
      await new Promise((resolve) => setTimeout(resolve));
      expect(service.sent.size).toBe(sent);

      const again = await sendMany(rcs, PHONES, {
        ...{ batch: BATCH, ledger: inner },
        toMessage: (phone, { ref }) => messageTo(phone, ref),
      });
      expect(again.accepted + sent + again.inDoubt).toBeGreaterThanOrEqual(PHONES.length);
      for (const times of service.sent.values()) expect(times).toBe(1);
    }),
    { numRuns: 120 },
  );
  // Each way to stop occurred in the middle of a run.
  for (const by of [
    "stop: signal",
    "signal: signal",
    "toMessage: failed",
    "skip: failed",
    "left: left",
  ]) {
    expect(ends).toContain(by);
  }
}, 120_000);
