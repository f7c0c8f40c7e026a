// Orders of the steps of two runs on one key. `orders.full.test.ts` searches more orders, and `npm run bench orders` most.
import { rmSync } from "node:fs";
import { afterAll } from "vitest";
import { newMemoryFolder } from "../../support/memory-folder.ts";
import { FIRST } from "../../support/orders/series.ts";
import { memoryStore, sqliteStore } from "../../support/orders/stores.ts";
import { testOrders } from "./order-tests.ts";

const folder = newMemoryFolder("first-orders-");
afterAll(() => rmSync(folder, { recursive: true }));

testOrders(FIRST, { memory: memoryStore, SQLite: sqliteStore(folder) });
