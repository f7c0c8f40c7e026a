// Random orders of cases with too many orders to search: three runs, and Postgres with every SQL statement as a step.
import { rmSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { randomFrom } from "../../support/kills/kill-series.ts";
import { newMemoryFolder } from "../../support/memory-folder.ts";
import { searchAtRandom } from "../../support/orders/search.ts";
import { RANDOM, RANDOM_EVENTS, toStory } from "../../support/orders/series.ts";
import { memoryStore, postgresStore, sqliteStore } from "../../support/orders/stores.ts";
import { usePostgres } from "../../support/servers/use-postgres.ts";

const TIMEOUT_MS = 300_000;

const postgres = usePostgres();
const folder = newMemoryFolder("random-orders-");
afterAll(() => rmSync(folder, { recursive: true }));

test.each(RANDOM)(
  "random orders of %s, %s and %s keep every promise, in memory, SQLite and Postgres",
  async (...calls) => {
    const inPostgres = await postgresStore(postgres.pool, calls.length);
    const stores = [memoryStore, sqliteStore(folder), inPostgres];
    for (const store of stores) {
      const setting = { calls, store, maxEvents: RANDOM_EVENTS };
      const failure = await searchAtRandom(setting, 60, randomFrom(1));
      expect(failure && toStory(failure, calls)).toBeUndefined();
    }
  },
  TIMEOUT_MS,
);
