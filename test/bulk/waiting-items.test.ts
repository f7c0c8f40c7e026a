// Keys that a different run claimed a moment ago. The run continues, returns to the keys later, and reports their results.
import {
  type Ledger,
  type LedgerClaim,
  type LedgerResult,
  memoryLedger,
  type RcsMessage,
  type RunProgress,
  removeMany,
  type SendManyOptions,
  sendMany,
} from "messaging-service-client/bulk";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createFake, rcsOf, v2Of } from "../support/fakes/fake-service.ts";
import { BATCH, gate, messages, messageTo, onFastClock, phone, settle } from "./batches.ts";

/** Maximum time of a call by default, in milliseconds: `timeout` and twice `ledgerTimeout`. */
const CALL_MS = 50_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

/** Returns the claims that a run of a different process would make. */
const claimsOf = async (run: (ledger: Ledger) => PromiseLike<unknown>): Promise<LedgerClaim[]> => {
  const claims: LedgerClaim[] = [];
  const ledger = memoryLedger();
  await run({
    ...ledger,
    claim: async (claim) => {
      claims.push({ ...claim, owner: "other" });
      return ledger.claim(claim);
    },
  });
  return claims;
};

/** Claims keys at a time in the past, on the clock of the ledger. */
const claimAgo = async (ledger: Ledger, claims: readonly LedgerClaim[], agoMs: number) => {
  const now = Date.now();
  vi.setSystemTime(now - agoMs);
  for (const claim of claims) await ledger.claim(claim);
  vi.setSystemTime(now);
};

/** A ledger in which a different run has claimed some phones. */
const claimedElsewhere = async (phones: readonly string[], agoMs = 0, ledger = memoryLedger()) => {
  const claims = await claimsOf((own) =>
    sendMany(rcsOf(createFake()), phones.map(messageTo), { batch: BATCH, ledger: own }),
  );
  await claimAgo(ledger, claims, agoMs);
  const settleAll = async (result: LedgerResult) => {
    for (const claim of claims) await ledger.settle(claim, result);
  };
  return { ledger, claims, settleAll };
};

const runOver = (
  ledger: Ledger,
  items: Iterable<RcsMessage> | AsyncIterable<RcsMessage>,
  options: Partial<SendManyOptions<RcsMessage>> = {},
) => {
  const service = createFake();
  const run = sendMany(rcsOf(service), items, { batch: BATCH, ledger, concurrency: 2, ...options });
  return { run, service };
};

describe("a key that is in progress elsewhere", () => {
  test.each([
    ["accepted", { state: "accepted", transactionId: "t-9" }, "accepted_before"],
    ["accepted with different content", { state: "accepted" }, "changed"],
    ["rejected", { state: "rejected" }, "rejected_before"],
    ["in doubt", { state: "unknown" }, "in_doubt"],
    ["open", { state: "open" }, "accepted"],
  ] as const)(
    "a run waits for a key whose message is %s elsewhere after 10 s, and reports what it finds",
    async (_, result, end) => {
      const items = messages(3);
      if (end === "changed") items[0] = { ...messageTo(phone(0)), smsFailover: "Changed" };
      const { ledger, settleAll } = await claimedElsewhere([phone(0)]);
      setTimeout(() => settleAll(result), 10_000);
      const toMessage = vi.fn((item: RcsMessage) => item);
      const { run, service } = runOver(ledger, items, { toMessage });
      const { results, summary } = await onFastClock(run);
      expect(results.slice(0, 2).map(({ key, ms }) => [key, ms])).toEqual([
        [phone(1), 0],
        [phone(2), 0],
      ]);
      expect(results[2]).toMatchObject({ key: phone(0), end });
      expect(results[2]?.ms).toBeGreaterThanOrEqual(10_000);
      expect(results[2]?.ms).toBeLessThanOrEqual(10_500);
      expect(summary.inDoubt).toBe(end === "in_doubt" ? 1 : 0);
      expect(summary).not.toHaveProperty("stopped");
      expect(service.outbox).toHaveLength(end === "accepted" ? 3 : 2);
      expect(toMessage).toHaveBeenCalledTimes(3);
    },
  );

  test.each([
    [0, {}, CALL_MS],
    [25_000, {}, CALL_MS - 25_000],
    [CALL_MS, {}, 0],
    [3_600_000, {}, 0],
    [0, { timeout: 5_000, ledgerTimeout: 2_000 }, 9_000],
    [0, { timeout: false }, 320_000],
  ] as const)(
    "a run right after a kill waits no longer than the call may take, and reports everybody in doubt (claimed %i ms ago, %j)",
    async (agoMs, options, waitMs) => {
      const phones = [phone(0), phone(2), phone(4)];
      const { ledger, claims } = await claimedElsewhere(phones, agoMs);
      const { run } = runOver(ledger, messages(6), options);
      const { summary, tookMs } = await onFastClock(run);
      expect(summary).toMatchObject({
        done: 6,
        accepted: 3,
        inDoubt: 3,
        skippedBy: { inDoubt: 3 },
      });
      expect(summary).not.toHaveProperty("stopped");
      expect(tookMs).toBe(waitMs);
      for (const { key, id } of claims) {
        expect(await ledger.find(BATCH, key)).toMatchObject({ id, state: "sending" });
      }
    },
  );

  test("a run waits for a claim that it meets after its look-up", async () => {
    const { ledger, claims, settleAll } = await claimedElsewhere([phone(0)]);
    const { find } = ledger;
    let isFirst = true;
    const late: Ledger = {
      ...ledger,
      find: async (batch, key) => {
        if (!isFirst) return find(batch, key);
        isFirst = false;
        return undefined;
      },
    };
    setTimeout(() => settleAll({ state: "accepted" }), 1_000);
    const { results } = await onFastClock(runOver(late, messages(1)).run);
    expect(results).toMatchObject([{ key: claims[0]?.key, end: "accepted_before" }]);
  });

  test("a run waits for a new claim of a different run as it does for the first claim", async () => {
    const { ledger, claims, settleAll } = await claimedElsewhere([phone(0)]);
    const again = claims.map((claim) => ({ ...claim, id: "second", owner: "third" }));
    setTimeout(async () => {
      await settleAll({ state: "open" });
      for (const claim of again) await ledger.claim(claim);
    }, 30_000);
    setTimeout(() => ledger.settle(again[0] as LedgerClaim, { state: "accepted" }), 60_000);
    const { results, tookMs } = await onFastClock(runOver(ledger, messages(1)).run);
    expect(results.map(({ end }) => end)).toEqual(["accepted_before"]);
    // A key that has waited for half a minute is looked up at least every two seconds.
    expect(tookMs).toBeLessThanOrEqual(62_000);
  });

  test.each([
    ["accepted", ["accepted_before", "duplicate"]],
    ["open", ["accepted", "duplicate"]],
    [undefined, ["in_doubt", "duplicate"]],
  ] as const)("two items with one key wait together: %s elsewhere", async (state, ends) => {
    const { ledger, settleAll } = await claimedElsewhere([phone(0)]);
    if (state) setTimeout(() => settleAll({ state }), 5_000);
    const items = [messageTo(phone(0)), messageTo(phone(1)), messageTo(phone(0))];
    const { results, summary, tookMs } = await onFastClock(runOver(ledger, items).run);
    expect(results.map(({ end }) => end)).toEqual(["accepted", ...ends]);
    expect(summary.inDoubt).toBe(state ? 0 : 1);
    expect(tookMs).toBeLessThanOrEqual(CALL_MS);
  });

  test("an item does not overtake an earlier item with its key that waits", async () => {
    const { ledger, settleAll } = await claimedElsewhere([phone(0)]);
    const opening: Ledger = {
      ...ledger,
      find: async (...key) => {
        const found = await ledger.find(...key);
        await settleAll({ state: "open" });
        return found;
      },
    };
    const items = ["first", "second"].map((text) => ({
      ...messageTo(phone(0)),
      rcsPayload: { text },
    }));
    const { run, service } = runOver(opening, items);
    expect((await onFastClock(run)).results.map(({ end }) => end)).toEqual([
      "accepted",
      "duplicate",
    ]);
    expect(service.outbox.map(({ text }) => text)).toEqual(["first"]);
  });

  test("progress includes the number of items that wait, even while nothing else happens", async () => {
    const { ledger, settleAll } = await claimedElsewhere([phone(0), phone(1)]);
    setTimeout(() => settleAll({ state: "accepted" }), 9_000);
    const seen: [done: number, waiting: number | undefined][] = [];
    const onProgress = ({ done, waiting }: RunProgress) => void seen.push([done, waiting]);
    const { run } = runOver(ledger, messages(3), { onProgress, concurrency: 1 });
    await onFastClock(run);
    expect(seen).toEqual([
      [1, 2],
      [1, 2],
      [2, undefined],
      [3, undefined],
    ]);
  });

  test("a run stops waiting for a claim whose age does not grow because the ledger's clock stands still", async () => {
    const { ledger } = await claimedElsewhere([phone(0)]);
    const find = async () =>
      Object.assign(Object(await ledger.find(BATCH, phone(0))), { ageMs: 0 });
    const { summary, tookMs } = await onFastClock(runOver({ ...ledger, find }, messages(1)).run);
    expect([summary.inDoubt, tookMs < CALL_MS + 1_000]).toEqual([1, true]);
  });
});

describe("the moment at which a run comes back to a key in progress elsewhere", () => {
  test("a run comes back when a thousand keys wait, long before its input ends", async () => {
    const phones = Array.from({ length: 1_000 }, (_, n) => phone(n));
    const { ledger, claims } = await claimedElsewhere(phones);
    const accept = async (some: readonly LedgerClaim[]) => {
      for (const claim of some) await ledger.settle(claim, { state: "accepted" });
    };
    const find = vi.fn(ledger.find);
    const { open, opened } = gate();
    async function* items() {
      yield* messages(999);
      await settle();
      await accept(claims.slice(0, 700));
      yield messageTo(phone(999));
      await settle();
      yield messageTo(phone(1_000));
      // The input waits until the run has finished all but half of a thousand items.
      await opened;
      await accept(claims.slice(700));
      yield messageTo(phone(1_001));
    }
    const onProgress = ({ done }: RunProgress) => void (done === 501 && open());
    const { summary, tookMs } = await onFastClock(
      runOver({ ...ledger, find }, items(), { onProgress }).run,
    );
    expect(summary).toMatchObject({ accepted: 2, skippedBy: { acceptedBefore: 1_000 } });
    expect(summary.inDoubt).toBe(0);
    expect(tookMs).toBeLessThan(CALL_MS);
    // The run looks up each item once, and each of the thousand once more.
    expect(find).toHaveBeenCalledTimes(1_002 + 1_000);
  });

  test("a run that comes back to open keys sends at most `concurrency` of them at a time", async () => {
    const phones = Array.from({ length: 20 }, (_, n) => phone(n));
    const { ledger, settleAll } = await claimedElsewhere(phones);
    setTimeout(() => settleAll({ state: "open" }), 1_000);
    const service = createFake();
    let [underWay, most] = [0, 0];
    const fetch: typeof service.fetch = async (...args) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setTimeout(resolve, 20));
      underWay -= 1;
      return service.fetch(...args);
    };
    const options = { batch: BATCH, ledger, concurrency: 3 };
    const { summary } = await onFastClock(
      sendMany(rcsOf(service, { fetch }), messages(20), options),
    );
    expect([summary.accepted, most]).toEqual([20, 3]);
  });
});

describe("how often a run asks about keys in progress elsewhere", () => {
  /** Runs over keys that are in progress elsewhere. Records the time of each lookup. */
  const looksAt = async (count: number, settledMs: number | undefined) => {
    const { ledger, settleAll } = await claimedElsewhere(
      Array.from({ length: count }, (_, n) => phone(n)),
    );
    if (settledMs !== undefined) setTimeout(() => settleAll({ state: "accepted" }), settledMs);
    const begun = Date.now();
    const looks: number[] = [];
    const find: Ledger["find"] = (...key) => {
      looks.push(Date.now() - begun);
      return ledger.find(...key);
    };
    const { summary, tookMs } = await onFastClock(
      runOver({ ...ledger, find }, messages(count), { concurrency: 8 }).run,
    );
    // The run looks up each key first, and looks up the keys in doubt again when it ends.
    const again = looks.slice(count, looks.length - summary.inDoubt);
    const inSecond = (start: number) => again.filter((at) => at >= start && at < start + 1_000);
    return { summary, tookMs, again, most: Math.max(...again.map((at) => inSecond(at).length)) };
  };

  test("a thousand keys cost the ledger at most a few hundred look-ups a second", async () => {
    const { summary, again, most, tookMs } = await looksAt(999, undefined);
    expect(summary).toMatchObject({ inDoubt: 999 });
    expect(most).toBeLessThanOrEqual(300);
    expect(again.length).toBeLessThan(15_000);
    // Each key is looked up for the last time within one cycle after its time is over.
    expect(tookMs).toBeLessThanOrEqual(CALL_MS + 5_000);
  });

  test.each([
    [1, 300, 200],
    [1, 20_000, 1_000],
    [20, 5_000, 250],
    [999, 10_000, 5_000],
  ])(
    "a run over %i keys that are accepted after %i ms ends at most %i ms later",
    async (count, settledMs, laterMs) => {
      const { summary, tookMs } = await looksAt(count, settledMs);
      expect(summary).toMatchObject({ skippedBy: { acceptedBefore: count }, inDoubt: 0 });
      expect(tookMs).toBeLessThanOrEqual(settledMs + laterMs);
    },
  );

  test("the pause between two look-ups grows with the time for which a key has waited", async () => {
    const { again } = await looksAt(1, 40_000);
    const pauses = again.slice(1).map((at, index) => at - (again[index] ?? 0));
    expect(pauses[0]).toBe(200);
    expect(pauses.every((ms, index) => ms >= (pauses[index - 1] ?? 0))).toBe(true);
    expect(pauses.at(-1)).toBeGreaterThan(1_500);
    expect(pauses.at(-1)).toBeLessThanOrEqual(5_000);
  });
});

describe("the end of a run that waits for other runs", () => {
  test.each([
    ["stop", () => ({ stop: AbortSignal.timeout(30) }), "signal"],
    ["signal", () => ({ signal: AbortSignal.timeout(30) }), "signal"],
    ["deadline", () => ({ deadline: new Date(Date.now() + 5_000) }), "deadline"],
  ] as const)("%s ends the wait, and the run reports it", async (_, end, stopped) => {
    const { ledger } = await claimedElsewhere([phone(0)]);
    const { run, service } = runOver(ledger, messages(2), end());
    const begun = Date.now();
    // A signal of the runtime fires in real time.
    if (stopped === "signal") expect(await run).toMatchObject({ done: 1, stopped });
    else expect((await onFastClock(run)).summary).toMatchObject({ done: 1, stopped });
    expect(Date.now() - begun).toBeLessThanOrEqual(5_000);
    expect(service.outbox).toHaveLength(1);
    expect((await ledger.find(BATCH, phone(0)))?.state).toBe("sending");
  });

  test("a run that stops by itself leaves the keys that wait without a result, and reports why", async () => {
    const { ledger } = await claimedElsewhere([phone(0)]);
    const service = createFake();
    service.failNext({ status: 401, times: 9 });
    const run = sendMany(rcsOf(service), messages(2), { batch: BATCH, ledger });
    const { summary } = await onFastClock(run);
    expect(summary).toMatchObject({ done: 1, rejected: 1, stopped: "credentials", inDoubt: 0 });
  });
});

describe("a removal that is in progress elsewhere", () => {
  const world = async (agoMs = 0) => {
    const service = createFake();
    const { id: listId } = service.addList();
    service.addSubscriber(listId, { phone_number: phone(0) });
    const [claim] = (await claimsOf((own) => {
      const elsewhere = { listId, batch: BATCH, ledger: own, stopAfterFailures: false } as const;
      return removeMany(v2Of(createFake()), [phone(0)], elsewhere);
    })) as [LedgerClaim];
    const ledger = memoryLedger();
    await claimAgo(ledger, [claim], agoMs);
    const run = () => removeMany(v2Of(service), [phone(0)], { listId, batch: BATCH, ledger });
    return { service, ledger, claim, run };
  };

  test("a removal that is in progress elsewhere is not repeated in the meantime", async () => {
    const { service, ledger, claim, run } = await world();
    setTimeout(() => ledger.settle(claim, { state: "accepted" }), 3_000);
    const { results } = await onFastClock(run());
    expect(results.map(({ end }) => end)).toEqual(["accepted_before"]);
    expect(service.requests).toEqual([]);
  });

  test.each([
    [0, CALL_MS],
    [CALL_MS - 1_000, 1_000],
    [CALL_MS, 0],
  ])(
    "a removal that a killed run started %i ms ago is repeated when its time is over",
    async (agoMs, waitMs) => {
      const { run } = await world(agoMs);
      const { results, tookMs } = await onFastClock(run());
      expect(results.map(({ end }) => end)).toEqual(["accepted"]);
      expect(tookMs).toBe(waitMs);
    },
  );
});

test.each([2, 3])(
  "%i runs over one ledger with the same items send each once, and none reports doubt",
  async (count) => {
    const ledger = memoryLedger();
    const service = createFake();
    const fetch: typeof service.fetch = async (...args) => {
      await new Promise((resolve) => setTimeout(resolve, 10 + Math.floor(Math.random() * 20)));
      return service.fetch(...args);
    };
    const options = { batch: BATCH, ledger, concurrency: 4 };
    const runs = Array.from({ length: count }, () =>
      onFastClock(sendMany(rcsOf(service, { fetch }), messages(60), options)),
    );
    const summaries = (await Promise.all(runs)).map(({ summary }) => summary);
    for (const summary of summaries) {
      expect(summary).toMatchObject({ done: 60, inDoubt: 0, notSent: 0, rejected: 0 });
      expect(summary.accepted + summary.skippedBy.acceptedBefore).toBe(60);
    }
    const accepted = summaries.map((summary) => summary.accepted);
    expect(accepted.reduce((sum, each) => sum + each, 0)).toBe(60);
    expect(service.outbox).toHaveLength(60);
  },
);
