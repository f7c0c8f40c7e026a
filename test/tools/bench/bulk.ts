// Measures the cost of durable sends over a bare loop with the same client, for each ledger. Writes the tables of docs/performance.md.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { TransactionalClient } from "messaging-service-client";
import {
  type Ledger,
  memoryLedger,
  postgresLedger,
  previewMany,
  sendMany,
  sqliteLedger,
} from "messaging-service-client/bulk";
import { growthOf, runScale } from "../../support/programs/scale-process.ts";
import { createPool, startPostgres } from "../../support/servers/postgres-server.ts";
import { writeReport } from "../write-report.ts";

const ROUNDS = 7;
const CONCURRENCY = 4;
/** Mean latency of a response, and the maximum deviation from it. */
const LATENCY_MS = 20;
const SPREAD_MS = 5;
/** Numbers of items of a round, with latency and without. */
const ITEMS = { waiting: 400, working: 2_000 };
const TARGET = 1.05;
const PREVIEW_ROWS = 100_000;
const MILLION = 1_000_000;

/** Returns a client whose responses take the next latency. */
const clientWith = (nextLatency: () => number): TransactionalClient =>
  new TransactionalClient({
    baseUrl: "https://rcs.example.com",
    apiKey: "key",
    fetch: async () => {
      const latencyMs = nextLatency();
      if (latencyMs > 0) await sleep(latencyMs);
      return Response.json({ message: "Accepted", transactionId: "t-1" }, { status: 202 });
    },
  });

/** Returns latencies spread evenly around their mean, the same in every run. */
const spreadLatencies = () => {
  let count = 0;
  return () => {
    count += 1;
    return LATENCY_MS - SPREAD_MS + ((count * 7) % (2 * SPREAD_MS + 1));
  };
};

function* messages(count: number) {
  for (let index = 0; index < count; index += 1) {
    yield {
      phoneNumber: `+1206${2_000_000 + index}`,
      webhookUrl: "https://example.com/webhooks/messages",
      rcsPayload: { text: "Your table is ready" },
      smsFailover: "Your table is ready",
    };
  }
}

type Send = (client: TransactionalClient, count: number, batch: string) => Promise<unknown>;

/** Sends without a ledger, with the same number of workers as a run. */
const loop =
  (before = async () => {}, after = async () => {}): Send =>
  async (client, count) => {
    const items = messages(count);
    const work = async () => {
      for (const message of items) {
        await before();
        await client.sendRcsText(message);
        await after();
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  };

const runOver =
  (ledger: Ledger): Send =>
  async (client, count, batch) => {
    const options = { batch, ledger, concurrency: CONCURRENCY };
    const { accepted } = await sendMany(client, messages(count), options);
    if (accepted !== count) throw new Error(`${accepted} of ${count} were accepted`);
  };

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Returns the median wall time of each contender in milliseconds. Contenders take turns, so noise affects all of them. */
const compare = async (
  name: string,
  contenders: readonly Send[],
  nextLatency: () => number,
  count: number,
): Promise<number[]> => {
  const client = clientWith(nextLatency);
  const times = contenders.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, send] of contenders.entries()) {
      const start = performance.now();
      await send(client, count, `${name}, round ${round}`);
      // The first round warms up.
      if (round > 0) times[index]?.push(performance.now() - start);
    }
  }
  return times.map(median);
};

const folder = mkdtempSync(join(tmpdir(), "bench-"));
const postgres = await startPostgres({ flushes: true });
const pool = createPool(postgres.port, CONCURRENCY);
await pool.query("CREATE TABLE notes (note text)");
const find = async () => void (await pool.query("SELECT note FROM notes LIMIT 1"));
const note = async () => void (await pool.query("INSERT INTO notes VALUES ('sent')"));
const contenders: readonly (readonly [name: string, send: Send])[] = [
  ["a bare loop", loop()],
  ["`memoryLedger()`", runOver(memoryLedger())],
  ["`sqliteLedger(path)`", runOver(sqliteLedger(join(folder, "sends.db")))],
  ["a loop with a query and two inserts in Postgres", loop(() => find().then(note), note)],
  ["`postgresLedger(pool)`", runOver(postgresLedger(pool))],
];
/** Index of the rival of each contender. A ledger in Postgres is compared with a loop that runs the same statements. */
const RIVALS = [0, 0, 0, 3, 3];
const sends = contenders.map(([, send]) => send);
const atOnce = () => 0;
const inStep = () => LATENCY_MS;
const working = await compare("without latency", sends, atOnce, ITEMS.working);
const spread = await compare("spread", sends, spreadLatencies(), ITEMS.waiting);
const together = await compare("in step", sends, inStep, ITEMS.waiting);
await pool.end();
await postgres[Symbol.asyncDispose]();

const ratio = (times: readonly number[], index: number, rival = 0): number =>
  (times[index] ?? Number.NaN) / (times[rival] ?? Number.NaN);
const rows = contenders.map(([name], index) => {
  const microseconds = ((working[index] ?? Number.NaN) / ITEMS.working) * 1_000;
  const ratios = [spread, together].map((times) => ratio(times, index).toFixed(3));
  return `| ${[name, microseconds.toFixed(0), ...ratios].join(" | ")} |`;
});
const overRoundTrips = ratio(spread, 4, 3);

const start = performance.now();
const preview = await previewMany(messages(PREVIEW_ROWS), {
  batch: "preview",
  ledger: memoryLedger(),
});
const previewSeconds = (performance.now() - start) / 1_000;
if (preview.sendable !== PREVIEW_ROWS) throw new Error(`${preview.sendable} rows are sendable`);

// Uses a disk in memory if there is one, because a million claims and settles are two million flushes.
const disk = existsSync("/dev/shm") ? mkdtempSync("/dev/shm/bench-") : folder;
const million = await runScale({
  items: MILLION,
  concurrency: CONCURRENCY,
  path: join(disk, "million.db"),
});
for (const used of new Set([disk, folder])) rmSync(used, { recursive: true });

const report = `Measured with Node ${process.version.slice(1)} over a \`fetch\` that needs no network, with ${CONCURRENCY} items at a time; medians of ${ROUNDS} rounds.
SQLite and Postgres flush each commit to disk. The ratios compare elapsed times. In the last column, items tend to reach the ledger together.

| | µs per item, without latency | ratio to the bare loop, ${LATENCY_MS - SPREAD_MS} to ${LATENCY_MS + SPREAD_MS} ms of latency | ratio to the bare loop, ${LATENCY_MS} ms of latency |
|---|---|---|---|
${rows.join("\n")}

With ${LATENCY_MS - SPREAD_MS} to ${LATENCY_MS + SPREAD_MS} ms of latency, \`postgresLedger\` takes ${overRoundTrips.toFixed(3)} of the time of the loop that also makes three round trips to Postgres.

A run of ${MILLION.toLocaleString("en")} items with a SQLite ledger${disk === folder ? "" : " on a disk in memory"} took ${million.seconds.toFixed(0)} s. After the first tenth, the heap grew by ${(growthOf(million) / 1e6).toFixed(1)} MB. The run read at most
${million.mostAhead} items ahead of the results. Previewing ${PREVIEW_ROWS.toLocaleString("en")} rows with \`memoryLedger()\` took ${previewSeconds.toFixed(1)} s.
`;
console.log(report);
writeReport("performance.md", "bench-bulk", report);

for (const [index, [name]] of contenders.entries()) {
  if (ratio(spread, index, RIVALS[index]) <= TARGET) continue;
  console.error(`${name}: over its target of ${TARGET}`);
  process.exitCode = 1;
}
