// Every order of the steps of two runs on one key, and faults that the search must detect. `npm run bench orders` searches more
// orders.
import { rmSync } from "node:fs";
import { afterAll, describe, expect, test, vi } from "vitest";
import { newMemoryFolder } from "../../support/memory-folder.ts";
import { MUTANTS, type MutantName } from "../../support/orders/mutants.ts";
import { replay, searchAll } from "../../support/orders/search.ts";
import { SHORT, SHOWN_BY } from "../../support/orders/series.ts";
import { memoryStore, sqliteStore } from "../../support/orders/stores.ts";
import { testOrders } from "./order-tests.ts";

const folder = newMemoryFolder("orders-");
afterAll(() => rmSync(folder, { recursive: true }));

testOrders(SHORT, { memory: memoryStore, SQLite: sqliteStore(folder) });

// A search takes a long time on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

describe.each(Object.entries(SHOWN_BY))("%s", (name, { calls, maxEvents }) => {
  const setting = { calls, store: memoryStore, mutant: MUTANTS[name as MutantName] };

  test(`a search finds this fault with ${maxEvents} events and no fewer, and its path replays it`, async () => {
    const { failure } = await searchAll({ ...setting, maxEvents });
    if (!failure) throw new Error("not found");
    using world = await replay(setting, failure.path);
    expect(world.story).toEqual(failure.story);
    expect(world.broken()).toBe(failure.broken);
    if (maxEvents === 0) return;
    const fewer = await searchAll({ ...setting, maxEvents: maxEvents - 1 });
    expect(fewer).not.toHaveProperty("failure");
  });
});

test("a search skips only the orders that follow a known state", async () => {
  const calls = ["sendOnce", "sendOnce"] as const;
  const setting = { calls, store: memoryStore, maxEvents: 1 };
  const pruned = await searchAll(setting);
  const { histories } = await searchAll(setting, false);
  expect(pruned.orders).toBe(histories);
  expect(pruned.histories).toBeLessThan(histories / 2);
});
