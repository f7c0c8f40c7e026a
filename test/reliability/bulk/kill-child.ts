// A child process that sends a batch, and logs each step with a write that survives SIGKILL.
import { once } from "node:events";
import { openSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import type { Ledger } from "../../../src/bulk/ledger.ts";
import { postgresLedger } from "../../../src/bulk/ledgers/postgres-ledger.ts";
import { sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import { sendMany } from "../../../src/bulk/send-many.ts";
import { TransactionalClient } from "../../../src/clients/transactional-client.ts";
import { createThrottle } from "../../../src/throttle/throttle.ts";
import { BATCH, type ChildEnd, type KillTask, type Step, type Store } from "./kill-task.ts";

const task: KillTask = JSON.parse(process.argv[2] ?? "");
const log = openSync(task.log, "a");
const note = (step: Step, key: string, owner = "") => writeSync(log, `${step} ${key} ${owner}\n`);

const openLedger = (store: Store): Ledger => {
  if ("sqlite" in store) return sqliteLedger(store.sqlite);
  const { port, pgPath, table } = store.postgres;
  const { Pool } = createRequire(import.meta.url)(pgPath);
  const pool = new Pool({
    ...{ host: "127.0.0.1", port, user: "postgres", database: "postgres" },
    connectionTimeoutMillis: 1_000,
  });
  pool.on("error", () => {});
  return postgresLedger(pool, { table });
};

const opened = openLedger(task.store);
const ledger: Ledger = {
  ...opened,
  async claim(claim) {
    note("claim", claim.key, claim.owner);
    const found = await opened.claim(claim);
    note(found ? "refused" : "claimed", claim.key);
    return found;
  },
  async settle(end) {
    note("settle", end.key);
    await opened.settle(end);
    note("settled", end.key);
  },
};

const rcs = new TransactionalClient({
  baseUrl: task.baseUrl,
  apiKey: task.apiKey,
  retry: { limit: 2, backoff: { initial: 2, max: 10 } },
  // Some items always wait in the queue of the throttle, where a kill must leave no doubt.
  throttle: createThrottle({ limit: task.concurrency - 1, interval: 8 }),
  fetch: async (url, init) => {
    const { phoneNumber } = JSON.parse(String(init?.body));
    note("fetch", phoneNumber);
    const response = await fetch(url, init);
    note("response", phoneNumber);
    return response;
  },
});

// Loads the HTTP client: the first request of a process takes so long that most kills would meet it.
await fetch("data:,");
console.log("ready");
await once(process.stdin, "data");
const { stopped } = await sendMany(rcs, task.phones, {
  batch: BATCH,
  ledger,
  concurrency: task.concurrency,
  stopAfterUnknown: false,
  toMessage: (phoneNumber, { ref }) => ({
    phoneNumber,
    webhookUrl: `https://example.com/hooks/${ref}`,
    rcsPayload: { text: "See you tomorrow" },
    smsFailover: "See you tomorrow",
  }),
});
const end: ChildEnd = stopped === undefined ? {} : { stopped };
console.log(JSON.stringify(end));
process.exit();
