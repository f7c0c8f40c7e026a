// Measures how long the steps of a large ledger block this process and others. `--rows 10000000` sets the size of the table.
// Writes a table of docs/performance.md.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Ledger, postgresLedger, sqliteLedger } from "messaging-service-client/bulk";
import { createPool, startPostgres } from "../../support/servers/postgres-server.ts";
import { toTable, writeReport } from "../write-report.ts";

const BATCH = "reminders";
const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    folder: { type: "string", default: tmpdir() },
    writer: { type: "string" },
  },
});

/** Returns the time in milliseconds for which the system has let this thread wait while it ran other processes. */
const waitedForCpu = (): number => {
  try {
    return Number(readFileSync("/proc/self/schedstat", "utf8").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
};

/** Returns a function that returns the time since now, without what the system gave to other processes. */
const startClock = (): (() => number) => {
  const start = performance.now() - waitedForCpu();
  return () => performance.now() - waitedForCpu() - start;
};

const openLedger = (place: string): { readonly ledger: Ledger; close(): Promise<void> } => {
  if (!/^\d+$/.test(place)) {
    const ledger = sqliteLedger(place);
    return { ledger, close: () => ledger.close() };
  }
  const pool = createPool(Number(place), 2);
  return { ledger: postgresLedger(pool), close: () => pool.end() };
};

/** Claims and settles keys until it is told to end, and prints its longest step in milliseconds after each line of its input. */
const write = async (place: string): Promise<void> => {
  const { ledger, close } = openLedger(place);
  let longest = 0;
  let isOver = false;
  process.stdin.on("data", () => {
    console.log(longest);
    longest = 0;
  });
  process.stdin.on("end", () => {
    isOver = true;
  });
  const timed = async (step: () => Promise<unknown>) => {
    const elapsed = startClock();
    await step();
    longest = Math.max(longest, elapsed());
  };
  for (let index = 0; !isOver; index += 1) {
    const key = `${process.pid}-${index}`;
    const at = new Date().toISOString();
    const claim = { id: key, batch: "others", key, digest: "d", ref: key, owner: "o", at };
    await timed(() => ledger.claim(claim));
    await timed(() => ledger.settle(claim, { state: "accepted" }));
    await sleep(2);
  }
  await close();
};

/** Fills the table: of a thousand keys, 990 are accepted, 5 rejected, 4 unknown and 1 is sending. */
const fillFrom = (series: string, random: string, toIso: string, table: string): string => `
  INSERT INTO ${table} (batch, key, state, id, digest, ref, owner, at)
  SELECT '${BATCH}', '+1' || (2062000000 + i * 7919 % 6000000011),
    CASE WHEN i % 1000 = 0 THEN 'sending' WHEN i % 1000 < 5 THEN 'unknown' WHEN i % 1000 < 10 THEN 'rejected' ELSE 'accepted' END,
    ${random}, '${"0".repeat(64)}', ${random}, '${"o".repeat(22)}', ${toIso}
  FROM ${series}`;

/** Runs a step, and returns its time and the longest time for which it blocked this process and a writer in another one. */
const measure = async (writer: ChildProcess, step: () => Promise<unknown>) => {
  const lines = writer.stdout as NodeJS.ReadableStream;
  const readLongest = async (): Promise<number> => {
    writer.stdin?.write("\n");
    const [line] = await once(lines, "data");
    return Number(line);
  };
  await readLongest();
  let isOver = false;
  let longest = 0;
  const watch = async () => {
    while (!isOver) {
      const elapsed = startClock();
      await sleep(1);
      longest = Math.max(longest, elapsed());
    }
  };
  const watching = watch();
  const start = performance.now();
  const result = await step();
  const seconds = (performance.now() - start) / 1_000;
  isOver = true;
  await watching;
  return { result, seconds, blockMs: longest, otherMs: await readLongest() };
};

const count = async (entries: AsyncIterable<unknown>): Promise<number> => {
  let number = 0;
  for await (const _ of entries) number += 1;
  return number;
};

const measureLedger = async (name: string, place: string, rows: number): Promise<string[][]> => {
  const { ledger, close } = openLedger(place);
  const writer = spawn(process.execPath, [import.meta.filename, "--writer", place], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const half = new Date(Date.UTC(2026, 0, 1) + (rows / 2) * 20);
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["nothing", () => sleep(2_000)],
    ["`counts`", () => ledger.counts(BATCH).then(({ accepted }) => accepted)],
    ["`entries` in doubt", () => count(ledger.entries({ states: ["sending", "unknown"] }))],
    ["`entries` of a batch", () => count(ledger.entries({ batch: BATCH }))],
    ["`entries`, rejected", () => count(ledger.entries({ states: ["rejected"] }))],
    ["`forget`, half", () => ledger.forget({ batch: BATCH, before: half })],
    ["`forget`, rest", () => ledger.forget({ batch: BATCH })],
  ];
  const lines: string[][] = [];
  for (const [title, step] of steps) {
    const { result, seconds, blockMs, otherMs } = await measure(writer, step);
    const cells = [result ?? "", seconds.toFixed(1), blockMs.toFixed(0), otherMs.toFixed(0)];
    lines.push([name, title, ...cells.map(String)]);
    console.log(lines.at(-1)?.join(" | "));
  }
  writer.stdin?.end();
  await once(writer, "exit");
  await close();
  return lines;
};

const measureAll = async (rows: number): Promise<void> => {
  const folder = mkdtempSync(join(values.folder, "bench-ledgers-"));
  const path = join(folder, "sends.db");
  await sqliteLedger(path).close();
  const database = new DatabaseSync(path);
  const series = `(WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT ${rows}) SELECT i FROM n)`;
  const toIso = `strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + i * 0.02, 'unixepoch')`;
  database.exec(fillFrom(series, "lower(hex(randomblob(11)))", toIso, "messaging_sends"));
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  const lines = await measureLedger("SQLite", path, rows);
  rmSync(folder, { recursive: true });

  await using server = await startPostgres();
  const pool = createPool(server.port, 1);
  await postgresLedger(pool).counts(BATCH);
  const iso = `to_char(timestamp '2026-01-01' + i * interval '20 ms', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const random = "substr(md5(random()::text || i), 1, 22)";
  await pool.query(
    fillFrom(`generate_series(0::bigint, ${rows - 1}) AS i`, random, iso, "messaging_sends"),
  );
  // A table that fills up over time is analyzed by autovacuum.
  await pool.query("ANALYZE messaging_sends");
  await pool.end();
  lines.push(...(await measureLedger("Postgres", `${server.port}`, rows)));

  const head = [
    "",
    "step",
    "entries",
    "s",
    "longest block of this process, ms",
    "longest step of a writer in another process, ms",
  ];
  writeReport(
    "performance.md",
    "bench-ledgers",
    `Measured with Node ${process.version.slice(1)} in a table of ${rows.toLocaleString("en")} rows, while another process claims and settles keys. Times in which
the system ran other processes are left out.

${toTable([head, ...lines])}`,
  );
};

if (values.writer === undefined) await measureAll(Number(values.rows));
else await write(values.writer);
