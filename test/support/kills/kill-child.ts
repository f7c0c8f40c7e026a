// A child process that sends a batch, and logs each step with a write that survives SIGKILL.
import { once } from "node:events";
import { openSync, writeSync } from "node:fs";
import { createRequire, flushCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import type { Ledger } from "../../../src/bulk/ledgers/ledger.ts";
import { postgresLedger } from "../../../src/bulk/ledgers/postgres-ledger.ts";
import { sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import { sendMany } from "../../../src/bulk/send-many.ts";
import { TransactionalClient } from "../../../src/core/clients/transactional-client.ts";
import { RecipientError } from "../../../src/core/errors.ts";
import { createThrottle } from "../../../src/core/throttle/throttle.ts";
import type { DispatcherLike } from "../../../src/core/transport/dispatcher.ts";
import {
  BATCH,
  type ChildEnd,
  type KillTask,
  LATE_MS,
  type Step,
  type Store,
  textFor,
} from "./kill-task.ts";

const task: KillTask = JSON.parse(process.argv[2] ?? "");
const log = openSync(task.log, "a");
const note = (step: Step, key: string, owner = "") => writeSync(log, `${step} ${key} ${owner}\n`);

const openLedger = (store: Store): Ledger => {
  if ("sqlite" in store) return sqliteLedger(store.sqlite, { create: true });
  const { port, pgPath, table, queryTimeoutMs } = store.postgres;
  const { Pool } = createRequire(import.meta.url)(pgPath);
  const pool = new Pool({
    ...{ host: "127.0.0.1", port, user: "postgres", database: "postgres" },
    ...{ connectionTimeoutMillis: 1_000, query_timeout: queryTimeoutMs },
  });
  pool.on("error", () => {});
  return postgresLedger(pool, { table });
};

const isLate = task.condition === "late ledger";
/** Timeout of an attempt. A run waits this long, plus the timeout of a step, for the keys that a killed process had claimed. */
const TIMEOUT_MS = 500;
/** Timeout of a ledger step. The statements of a late ledger sometimes arrive later. */
const LEDGER_TIMEOUT_MS = isLate ? LATE_MS : 500;
/**
 * Delays a statement of SQLite, sometimes for longer than the run waits. The statement takes effect later. For Postgres, a
 * proxy delays the packets instead.
 */
const holdUp = async () => {
  if (!isLate || "postgres" in task.store) return;
  if (Math.random() < 0.04) await sleep(Math.random() * 3 * LATE_MS);
};

const opened = openLedger(task.store);
const ledger: Ledger = {
  ...opened,
  async claim(claim) {
    note("claim", claim.key, claim.owner);
    await holdUp();
    const found = await opened.claim(claim);
    note(found ? "refused" : "claimed", claim.key, claim.owner);
    return found;
  },
  async settle(claim, result) {
    note("settle", claim.key, claim.owner);
    await holdUp();
    const holds = await opened.settle(claim, result);
    // If the claim itself arrives after its release, nothing settles it.
    if (holds) note("settled", claim.key, claim.owner);
    return holds;
  },
};

const phoneOf = (body: unknown): string => JSON.parse(String(body)).phoneNumber;

/** Symbol under which Node stores the dispatcher of its `fetch`. */
const GLOBAL = Symbol.for("undici.globalDispatcher.1");
// Loads the HTTP client with its dispatcher. Otherwise, most kills would hit the first request, which is slow in a new process.
await fetch("data:,");
const globals = globalThis as unknown as Record<symbol, DispatcherLike>;
const ofNode = globals[GLOBAL] as DispatcherLike;

/** Callbacks that Node's own dispatcher calls. */
const CALLBACKS = ["onConnect", "onHeaders", "onData", "onComplete", "onError"];
type Handler = Record<string, (...args: unknown[]) => unknown>;

/** Dispatcher that logs the same steps. */
const notingDispatcher = {
  dispatch(options: { readonly body: AsyncIterable<Uint8Array> }, handler: Handler) {
    void this.send(options, handler);
    return true;
  },
  /** Reads the phone number from the body, which can be read only once, and sends the body. */
  async send(options: { readonly body: AsyncIterable<Uint8Array> }, handler: Handler) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of options.body) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const phoneNumber = phoneOf(body);
    note("fetch", phoneNumber);
    const relay = Object.fromEntries(
      CALLBACKS.filter((name) => name in handler).map((name) => [
        name,
        (...args: unknown[]) => {
          if (name === "onHeaders") note("response", phoneNumber);
          return handler[name]?.(...args);
        },
      ]),
    );
    ofNode.dispatch({ ...options, body }, relay);
  },
};

// A client calls the process's dispatcher, which therefore logs the steps.
globals[GLOBAL] = notingDispatcher as never;

const isGuarded = task.condition === "changing guard";
/** Guard that refuses one attempt in ten at random, and sometimes throws or responds too late. */
const allowSometimes = async (): Promise<boolean> => {
  const chance = Math.random();
  if (chance < 0.005) throw new Error("the table of opt-outs is gone");
  if (chance < 0.01) await sleep(TIMEOUT_MS + 50);
  return chance < 0.9;
};

const rcs = new TransactionalClient({
  allowRecipient: isGuarded ? allowSometimes : undefined,
  baseUrl: task.baseUrl,
  apiKey: task.apiKey,
  retry: { limit: 2, backoff: { initial: 2, max: 10 } },
  // Makes some items wait in the queue of the throttle, where a kill must not leave them in doubt.
  throttle: createThrottle({ limit: task.concurrency - 1, interval: 8 }),
});

// Now, because a killed process does not write the cache.
flushCompileCache();
console.log("ready");
await once(process.stdin, "data");

const send = () =>
  sendMany(rcs, task.phones, {
    batch: BATCH,
    ledger,
    timeout: TIMEOUT_MS,
    ledgerTimeout: LEDGER_TIMEOUT_MS,
    concurrency: task.concurrency,
    stopAfterFailures: false,
    toMessage: (phoneNumber, { ref }) => ({
      phoneNumber,
      webhookUrl: `https://example.com/hooks/${ref}`,
      rcsPayload: { text: textFor(phoneNumber) },
      smsFailover: "See you tomorrow",
    }),
  });
/** Runs the batch under the guard. People whom it refused are sent their messages by a later process. */
const sendGuarded = async (): Promise<ChildEnd> => {
  try {
    const { inDoubt, skippedBy } = await send();
    return { inDoubt, ...(skippedBy.excluded > 0 && { stopped: "excluded" }) };
  } catch (error) {
    if (!RecipientError.is(error)) throw error;
    return { stopped: "guard" };
  }
};
const sendUnguarded = async (): Promise<ChildEnd> => {
  let { stopped, inDoubt } = await send();
  // Late statements of the previous run arrive during the next run of the same process.
  while (isLate && stopped === "ledger") ({ stopped, inDoubt } = await send());
  return { ...(stopped !== undefined && { stopped }), inDoubt };
};
const end = await (isGuarded ? sendGuarded() : sendUnguarded());
console.log(JSON.stringify(end));
process.exit();
