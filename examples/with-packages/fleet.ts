// Sends one batch from three processes: `node fleet.ts`. A ledger in Postgres ensures that no guest is texted twice,
// and a throttle in Redis keeps the processes within one account's budget.
import { fork } from "node:child_process";
import { once } from "node:events";
import { Redis } from "ioredis";
import { TransactionalClient, throttleFrom } from "messaging-service-client";
import { postgresLedger, sendMany } from "messaging-service-client/bulk";
import { Pool } from "pg";
import { RateLimiterRedis } from "rate-limiter-flexible";

const PROCESSES = 3;
const GUESTS = Array.from(
  { length: 60 },
  (_, index) => `+120655501${String(index).padStart(2, "0")}`,
);
const BUDGET = { points: 20, duration: 1 };
const BATCH = "reminders";

const pool = new Pool({ connectionString: process.env.DATABASE_URL });
// Without this listener, a lost idle connection ends the process.
pool.on("error", ({ message }) => console.error(message));
const ledger = postgresLedger(pool);

const stop = new AbortController();

async function work(): Promise<void> {
  const redis = new Redis(process.env.REDIS_URL ?? "redis://127.0.0.1:6379");
  const limiter = new RateLimiterRedis({ storeClient: redis, keyPrefix: "messaging", ...BUDGET });
  const rcs = new TransactionalClient({ throttle: throttleFrom(limiter, { key: "account-1" }) });
  // Every process reads the whole list. It skips guests who have the text, and waits while another process is texting a guest.
  const { accepted, skipped, stopped, error } = await sendMany(rcs, GUESTS, {
    batch: BATCH,
    ledger,
    stop: stop.signal,
    toMessage: (phoneNumber, { ref }) => ({
      phoneNumber,
      webhookUrl: `https://example.com/hooks/${ref}`,
      rcsPayload: { text: "See you tomorrow" },
      smsFailover: "See you tomorrow",
    }),
  });
  console.log(`${process.pid} sent ${accepted}, and left ${skipped} to the others`);
  if (stopped) console.error(`${process.pid} stopped: ${error?.message ?? stopped}`);
  await redis.quit();
}

if (process.send) {
  process.on("SIGTERM", () => stop.abort()); // may arrive twice: a supervisor such as systemd stops every process
  process.on("SIGINT", () => {}); // Ctrl+C reaches every process, but only the parent handles it and stops its children
  await work();
} else {
  const children = Array.from({ length: PROCESSES }, () => fork(import.meta.filename));
  const stopAll = () => {
    for (const child of children) child.kill("SIGTERM");
  };
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stopAll);
  await Promise.all(children.map((child) => once(child, "exit")));
  const { accepted, sending, unknown } = await ledger.counts(BATCH);
  console.log(`${GUESTS.length} guests: ${accepted} texted once, ${sending + unknown} in doubt`);
  process.exitCode = accepted === GUESTS.length ? 0 : 1;
}
await pool.end();
