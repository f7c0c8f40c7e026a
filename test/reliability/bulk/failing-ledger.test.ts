import { describe, expect, test } from "vitest";
import type { Ledger } from "../../../src/bulk/ledgers/ledger.ts";
import { memoryLedger } from "../../../src/bulk/ledgers/memory-ledger.ts";
import type { RunOptions } from "../../../src/bulk/run-options.ts";
import { sendMany } from "../../../src/bulk/send-many.ts";
import { LedgerError } from "../../../src/errors.ts";
import { agedLedger } from "../../support/aged-ledger.ts";
import { BATCH, DOUBTFUL } from "../../support/kills/kill-task.ts";
import {
  type Fate,
  isTaken,
  messageTo,
  phoneOf,
  ScriptedService,
  scriptedClient,
} from "../../support/servers/scripted-service.ts";

/** Fault that meets the first request for each phone. Later requests are accepted. */
const FATES: readonly Fate[] = [
  "accept",
  "lose",
  "refuse",
  "block",
  "accept",
  "fail",
  "unreachable",
  "accept",
  "accept",
];
const PHONES = FATES.map((_, index) => `+1206555010${index}`);

/** A ledger that fails at its n-th call, before or after that call takes effect. */
const failAt = (ledger: Ledger, n: number, when: "before" | "after") => {
  let calls = 0;
  const guard =
    <A extends unknown[], R>(step: (...values: A) => Promise<R>) =>
    async (...values: A): Promise<R> => {
      calls += 1;
      const fails = calls === n;
      if (fails && when === "before") throw new Error("the ledger is down");
      const result = await step(...values);
      if (fails) throw new Error("the response of the ledger was lost");
      return result;
    };
  const failing: Ledger = {
    ...ledger,
    find: guard(ledger.find),
    claim: guard(ledger.claim),
    settle: guard(ledger.settle),
  };
  return { failing, hasFailed: () => calls >= n };
};

describe.each([1, 3])("with %i items under way", (concurrency) => {
  test.each(["before", "after"] as const)(
    "a run loses and repeats no message if its ledger fails at any call, %s the call takes effect",
    async (when) => {
      for (let n = 1; ; n += 1) {
        const service = new ScriptedService();
        const met = new Set<string>();
        const client = scriptedClient(async (_, init) => {
          const phone = phoneOf(init);
          const fate = met.has(phone) ? "accept" : (FATES[PHONES.indexOf(phone)] ?? "accept");
          met.add(phone);
          return service.respond(phone, fate);
        });
        const options: Omit<RunOptions<string>, "ledger"> = {
          batch: BATCH,
          concurrency,
          stopAfterFailures: false,
        };
        const toMessage = (phone: string, { ref }: { ref: string }) => messageTo(phone, ref);

        const ledger = memoryLedger();
        const { failing, hasFailed } = failAt(ledger, n, when);
        const run = sendMany(client, PHONES, { ...options, ledger: failing, toMessage });
        const unrecorded: string[] = [];
        for await (const { key = "", state, recorded } of run) {
          if (recorded === false) unrecorded.push(key);
          // The result of a send is right, whatever the ledger has recorded.
          const wasSent = (service.sent.get(key) ?? 0) > 0;
          if (state === "accepted") expect(wasSent, `n = ${n}`).toBe(true);
          if (state === "not_sent" || state === "rejected") expect(wasSent, `n = ${n}`).toBe(false);
        }
        const { stopped, error } = await run;
        if (!hasFailed()) {
          expect(n).toBeGreaterThan(3 * PHONES.length);
          expect(stopped).toBeUndefined();
          return;
        }
        expect([stopped, LedgerError.is(error) && error.reason], `n = ${n}`).toEqual([
          "ledger",
          "unavailable",
        ]);
        expect(unrecorded.length, `n = ${n}`).toBeLessThanOrEqual(1);

        const aged = agedLedger(ledger);
        do {
          const again = await sendMany(client, PHONES, { ...options, ledger: aged, toMessage });
          expect(again.stopped).toBeUndefined();
        } while ((await ledger.counts(BATCH)).open > 0);
        for (const [index, phone] of PHONES.entries()) {
          const times = service.sent.get(phone) ?? 0;
          const state = (await ledger.find(BATCH, phone))?.state ?? "open";
          const isExplained = times === 1 || DOUBTFUL.includes(state) || state === "rejected";
          expect([times <= 1, isExplained], `n = ${n}, ${phone}, ${state}`).toEqual([true, true]);
          if (state === "rejected") expect(isTaken(FATES[index] ?? "accept")).toBe(false);
        }
      }
    },
    60_000,
  );
});

describe("a ledger that breaks its contract", () => {
  const toMessage = (phone: string, { ref }: { ref: string }) => messageTo(phone, ref);

  test.each([
    ["false for a key that it does not grant", false],
    ["true for a key that it grants", true],
    ["an undocumented state", { state: "paused", digest: "d", ref: "r", owner: "o", at: "" }],
  ])(
    "a ledger whose claim() resolves to %s stops every send, and every key is in doubt",
    async (_, value) => {
      const service = new ScriptedService();
      const client = scriptedClient(async (_, init) => service.respond(phoneOf(init), "accept"));
      const ledger = { ...memoryLedger(), claim: async () => value as never };
      const options = { batch: BATCH, ledger, toMessage };
      const { accepted, inDoubt, stopped } = await sendMany(client, PHONES, options);
      expect([accepted, inDoubt, stopped, service.sent.size]).toEqual([
        0,
        PHONES.length,
        undefined,
        0,
      ]);
    },
  );

  test("a ledger whose find() resolves to an undocumented state leaves every key in doubt", async () => {
    const service = new ScriptedService();
    const client = scriptedClient(async (_, init) => service.respond(phoneOf(init), "accept"));
    const entry = { state: "paused", digest: "d", ref: "r", owner: "o", at: "" };
    const ledger = { ...memoryLedger(), find: async () => entry as never };
    const { inDoubt } = await sendMany(client, PHONES, { batch: BATCH, ledger, toMessage });
    expect([inDoubt, service.sent.size]).toEqual([PHONES.length, 0]);
  });
});
