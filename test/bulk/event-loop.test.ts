// Runs, previews and ledgers yield to the event loop even if they never have to wait.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type ClientEvent, TransactionalClient } from "messaging-service-client";
import {
  type Ledger,
  memoryLedger,
  previewMany,
  type RcsMessage,
  removeMany,
  sendMany,
  sendOnce,
  sqliteLedger,
} from "messaging-service-client/bulk";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { keepTickBusy } from "../support/busy-tick.ts";
import { createFake, rcsOf, v2Of } from "../support/fakes/fake-service.ts";
import { newMemoryFolder } from "../support/memory-folder.ts";
import { respond, startLoopback } from "../support/servers/loopback.ts";
import { BATCH, messageTo, phone } from "./batches.ts";

const ITEMS = 6_000;
/** Maximum number of steps between two turns. A preview looks up 64 items at a time. */
const MAX_STEPS = 1_000 + 64;

afterEach(() => void vi.useRealTimers());

const rcs = rcsOf(createFake());

/** A ledger in which every key has been accepted, except the given ones. */
const settledExcept = (...open: readonly string[]): Ledger => {
  const ledger = memoryLedger();
  const entry = {
    id: "i",
    digest: "d",
    ref: "r",
    owner: "o",
    at: "2026-01-01T00:00:00.000Z",
    ageMs: 9e9,
  };
  return {
    ...ledger,
    find: async (batch, key) =>
      open.includes(key) ? ledger.find(batch, key) : { ...entry, batch, key, state: "accepted" },
  };
};
const settled = settledExcept();

/** Counts the maximum number of items that are read between two turns of the event loop. */
const watchTurns = () => {
  let [inTurn, most, turns] = [0, 0, 0];
  let immediate = setImmediate(function onTurn() {
    [most, inTurn, turns] = [Math.max(most, inTurn), 0, turns + 1];
    immediate = setImmediate(onTurn);
  });
  const step = () => {
    inTurn += 1;
  };
  const end = () => {
    clearImmediate(immediate);
    return { most: Math.max(most, inTurn), turns };
  };
  return { step, end };
};

function* itemsOf<Item>(make: (index: number) => Item, step: () => void, count = ITEMS) {
  for (let index = 0; index < count; index += 1) {
    step();
    yield make(index);
  }
}

const toItem = (index: number) => messageTo(phone(index));

/** Work with many items that need no request. */
const WORK: Readonly<Record<string, (step: () => void) => PromiseLike<unknown>>> = {
  "a run of settled items": (step) =>
    sendMany(rcs, itemsOf(toItem, step), { batch: BATCH, ledger: settled }),
  "a run of invalid items": (step) =>
    sendMany(
      rcs,
      itemsOf(() => messageTo("123"), step),
      { batch: BATCH, ledger: memoryLedger() },
    ),
  "a run that leaves everybody out": (step) =>
    sendMany(rcs, itemsOf(toItem, step), {
      ...{ batch: BATCH, ledger: memoryLedger(), skip: () => "opted out" },
    }),
  "a run whose results are read": async (step) => {
    const run = sendMany(rcs, itemsOf(toItem, step), { batch: BATCH, ledger: settled });
    for await (const { state } of run) expect(state).toBe("skipped");
  },
  "a removal of phones that were removed before": (step) =>
    removeMany(v2Of(createFake()), itemsOf(phone, step), {
      ...{ listId: 1, batch: BATCH, ledger: settled },
    }),
  "a preview of new items": (step) => previewMany(itemsOf(toItem, step)),
  "a preview of settled items": (step) =>
    previewMany(itemsOf(toItem, step), { batch: BATCH, ledger: settled }),
};

test.each(Object.keys(WORK))("%s yields to the event loop", async (name) => {
  const { step, end } = watchTurns();
  await WORK[name]?.(step);
  expect(end().most).toBeLessThanOrEqual(MAX_STEPS);
});

const folder = newMemoryFolder("event-loop-");
afterAll(() => rmSync(folder, { recursive: true }));

/** Calls that a caller may repeat in a loop and that never have to wait. */
const REPEATED: Readonly<Record<string, (ledger: Ledger) => Promise<unknown>>> = {
  "find()": (ledger) => ledger.find("once", "key"),
  "counts()": (ledger) => ledger.counts("once"),
  "forget()": (ledger) => ledger.forget({ batch: "none" }),
  "confirm()": (ledger) => ledger.confirm("none"),
  "sendOnce()": (ledger) => sendOnce(rcs, messageTo(phone(1)), { ledger, key: "key" }),
};

describe.each([
  ["memory", () => memoryLedger()],
  ["SQLite", () => sqliteLedger(join(folder, "sends.db"))],
])("a caller's loop over a ledger in %s", (_, open) => {
  test.each(Object.keys(REPEATED))("%s yields to the event loop", async (name) => {
    const ledger = open();
    await sendOnce(rcs, messageTo(phone(1)), { ledger, key: "key" });
    const { step, end } = watchTurns();
    for (let index = 0; index < 3 * MAX_STEPS; index += 1) {
      step();
      await REPEATED[name]?.(ledger);
    }
    expect(end().most).toBeLessThanOrEqual(MAX_STEPS);
    await ledger.close();
  });
});

describe("a ledger in memory", () => {
  const filled = (async () => {
    const ledger = memoryLedger();
    vi.useFakeTimers({ toFake: ["Date"] });
    for (let index = 0; index < ITEMS; index += 1) {
      vi.setSystemTime(1e12 + index);
      const claim = { id: `i${index}`, batch: BATCH, key: `${index}`, digest: "d" };
      await ledger.claim({ ...claim, ref: `r${index}`, owner: "o" });
    }
    vi.useRealTimers();
    return ledger;
  })();

  test("entries() of many entries yields to the event loop, and returns the entries in order", async () => {
    const ledger = await filled;
    const { step, end } = watchTurns();
    const times: string[] = [];
    for await (const { at } of ledger.entries()) {
      step();
      times.push(at);
    }
    const { most, turns } = end();
    expect(most).toBeLessThanOrEqual(MAX_STEPS);
    // `entries()` reads every entry and then yields it.
    expect(turns).toBeGreaterThanOrEqual(2 * Math.floor(ITEMS / MAX_STEPS));
    expect(times).toHaveLength(ITEMS);
    expect(times).toEqual(times.toSorted());
  });

  test.each([
    ["counts()", (ledger: Ledger) => ledger.counts(BATCH)],
    ["forget()", (ledger: Ledger) => ledger.forget({ batch: BATCH })],
  ])("%s of many entries yields to the event loop", async (_, work) => {
    const ledger = await filled;
    const { end } = watchTurns();
    await work(ledger);
    expect(end().turns).toBeGreaterThan(ITEMS / MAX_STEPS - 2);
  });
});

describe("the turns of the event loop", () => {
  test("a run yields to the event loop after each callback that takes 5 ms", async () => {
    const { step, end } = watchTurns();
    const block = (item: RcsMessage) => {
      keepTickBusy(5);
      return item;
    };
    const items = itemsOf(toItem, step, 20);
    await sendMany(rcs, items, { batch: BATCH, ledger: settled, toMessage: block });
    expect(end().most).toBeLessThanOrEqual(2);
  });

  test.each([
    ["all timers and clocks", undefined],
    ["only the clocks", ["performance", "Date"]],
    ["only the timers", ["setTimeout", "setImmediate", "clearTimeout", "clearImmediate"]],
  ] as const)(
    "a run yields to the event loop without a timer if a test fakes %s",
    async (_, fakes) => {
      vi.useFakeTimers(fakes && { toFake: [...fakes] });
      const items = itemsOf(toItem, () => {}, 5_000);
      expect(await sendMany(rcs, items, { batch: BATCH, ledger: settled })).toMatchObject({
        skipped: 5_000,
      });
    },
  );

  test.each([
    ["stop", () => ({ stop: AbortSignal.timeout(30) }), "signal"],
    ["signal", () => ({ signal: AbortSignal.timeout(30) }), "signal"],
    ["deadline", () => ({ deadline: new Date(Date.now() + 30) }), "deadline"],
  ] as const)("a run without requests is stopped at once by %s", async (_, option, stopped) => {
    const endless = itemsOf(toItem, () => {}, Infinity);
    const options = { batch: BATCH, ledger: settled, ...option() };
    expect(await sendMany(rcs, endless, options)).toMatchObject({ stopped });
  });

  test("a response arrives while the run reads its input, so the time for the items does not count for the timeout", async () => {
    const accepted = { message: "Accepted", transactionId: "t-1" };
    await using server = await startLoopback(respond(202, accepted));
    const client = new TransactionalClient({ baseUrl: server.baseUrl, apiKey: "key" });
    let read = 0;
    const step = () => {
      read += 1;
      keepTickBusy(0.05);
    };
    const items = itemsOf(toItem, step, 20_000);
    let readAtResponse = Infinity;
    const onEvent = ({ type }: ClientEvent) => {
      if (type === "response") readAtResponse = read;
    };
    const options = { batch: BATCH, ledger: settledExcept(phone(0)), retry: 0, onEvent };
    expect(await sendMany(client, items, options)).toMatchObject({ accepted: 1, skipped: 19_999 });
    expect(readAtResponse).toBeLessThan(20_000);
  });
});
