// Measures how durable sends scale: the cost of a large ledger, how long its steps block this process and others, and how many
// sends one database records. `--rows` sets the size of the table, `--seconds` the time of each measurement of sends.
// Writes a part of docs/performance.md.
import { rmSync, statSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { postgresLedger, sqliteLedger } from "messaging-service-client/bulk";
import { createPool, startPostgres } from "../../support/servers/postgres-server.ts";
import { toTable, writeReport } from "../write-report.ts";
import { BATCH, ENTRY_MS, keyOf, measureLedger, START_MS } from "./scale-ledgers.ts";
import { LATENCY_MS, measureSends, UNDER_WAY } from "./scale-sends.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "10000000" },
    seconds: { type: "string", default: "15" },
    folder: { type: "string", default: tmpdir() },
  },
});
const rows = Number(values.rows);
const TABLE = "messaging_sends";
const PROCESSES = [1, 4];
/** Enough for the pools of all processes. */
const MAX_CONNECTIONS = 400;

/**
 * Returns the statement that fills the table. Of a thousand keys, 990 are accepted, 5 rejected, 4 unknown and 1 is sending.
 * @param series Source of the column `i`, from 0.
 * @param random Expression of 22 random characters.
 * @param at Expression of the time of an entry, ISO 8601.
 */
const fillFrom = (series: string, random: string, at: string): string => `
  INSERT INTO ${TABLE} (batch, key, state, transaction_id, id, digest, ref, owner, at)
  SELECT '${BATCH}', ${keyOf("i")},
    CASE WHEN i % 1000 = 0 THEN 'sending' WHEN i % 1000 < 5 THEN 'unknown' WHEN i % 1000 < 10 THEN 'rejected' ELSE 'accepted' END,
    CASE WHEN i % 1000 >= 10 THEN ${random} || 'transaction-id' END,
    ${random}, '${"0".repeat(64)}', ${random}, '${"o".repeat(22)}', ${at}
  FROM ${series}`;

const measureSqlite = async () => {
  const folder = await mkdtemp(join(values.folder, "bench-scale-"));
  const path = join(folder, "sends.db");
  await sqliteLedger(path).close();
  const database = new DatabaseSync(path);
  const series = `(WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT ${rows}) SELECT i FROM n)`;
  const at = `strftime('%Y-%m-%dT%H:%M:%fZ', ${START_MS / 1_000} + i * ${ENTRY_MS / 1_000}, 'unixepoch')`;
  database.exec(fillFrom(series, "lower(hex(randomblob(11)))", at));
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  const bytes = statSync(path).size / rows;
  const { lines } = await measureLedger("SQLite", path, rows);
  rmSync(folder, { recursive: true });
  return { lines, bytes };
};

const measurePostgres = async () => {
  await using server = await startPostgres({ flushes: true });
  let pool = createPool(server.port, 1);
  await pool.query(`ALTER SYSTEM SET max_connections = ${MAX_CONNECTIONS}`);
  await pool.end();
  await server.crash();
  await server.start();
  pool = createPool(server.port, 1);
  await postgresLedger(pool).counts(BATCH);
  const at = `to_char(to_timestamp(${START_MS / 1_000} + i * ${ENTRY_MS / 1_000}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const random = "substr(md5(random()::text || i), 1, 22)";
  await pool.query(fillFrom(`generate_series(0::bigint, ${rows - 1}) AS i`, random, at));
  // Autovacuum analyzes a table that fills up over time.
  await pool.query(`VACUUM ANALYZE ${TABLE}`);
  await pool.query("CHECKPOINT");
  const size = await pool.query(`SELECT pg_total_relation_size('${TABLE}') AS bytes`);
  await pool.end();
  const sends: string[][] = [];
  for (const processes of PROCESSES) {
    sends.push(await measureSends(server.port, processes, Number(values.seconds)));
  }
  const bytes = Number(size.rows[0]?.bytes) / rows;
  return { ...(await measureLedger("Postgres", `${server.port}`, rows)), sends, bytes };
};

const sqlite = await measureSqlite();
const postgres = await measurePostgres();
const lines = sqlite.lines.map((line, index) => [
  ...line,
  ...(postgres.lines[index] ?? []).slice(1),
]);
const scans = postgres.plans.filter((plan) => /Seq Scan/.test(plan));
for (const scan of scans) console.error(`this statement reads the whole table:\n${scan}`);
process.exitCode = scans.length === 0 ? 0 : 1;

const head = ["step", "SQLite", "block", "writer", "Postgres", "block", "writer"];
writeReport(
  "performance.md",
  "bench-scale",
  `Measured with Node ${process.version.slice(1)} in a table of ${rows.toLocaleString("en")} rows, while a writer in another process claims and settles keys: the time of
each step (medians of \`find\` and \`claim\`), and in ms its longest block of the event loop and of the writer, without waits for a processor.
An entry takes ${sqlite.bytes.toFixed(0)} bytes in SQLite and ${postgres.bytes.toFixed(0)} in Postgres.

${toTable([head, ...lines])}

By \`EXPLAIN\` of Postgres, ${scans.length === 0 ? "no statement" : `${scans.length} of ${postgres.plans.length} statements`} of these steps scans the table sequentially.

Sends per second with that table in Postgres, ${UNDER_WAY} at a time in each process, with ${LATENCY_MS} ms of latency to the database and to the service, all on one
machine of ${cpus().length} processors, by number of processes: ${postgres.sends.map(([processes, perSecond]) => `${perSecond} (${processes})`).join(", ")}.`,
);
