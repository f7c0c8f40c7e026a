// Ledgers with many entries: what a step costs, and how long a step blocks other work.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import type { Ledger } from "../../../src/bulk/ledgers/ledger.ts";
import { postgresLedger } from "../../../src/bulk/ledgers/postgres-ledger.ts";
import { openSqliteLedger, sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import { newMemoryFolder } from "../../support/memory-folder.ts";
import { recordedLedger } from "../../support/recorded-sqlite.ts";
import { usePostgres } from "../../support/servers/use-postgres.ts";
import { claim } from "./claim.ts";

const TIMEOUT_MS = 120_000;
const IN_DOUBT = ["sending", "unknown"] as const;

const folder = newMemoryFolder("growth-");
afterAll(() => rmSync(folder, { recursive: true }));

/** Statement that adds entries to three batches; `i` is the number of an entry. 1 in 100 is in doubt. */
const fill = (series: string, iso: string): string => `
  INSERT INTO messaging_sends (batch, key, state, id, digest, ref, owner, at)
  SELECT 'b' || (i % 3), 'k' || (i * 7919 % 1000003),
    CASE i % 100 WHEN 0 THEN 'unknown' WHEN 1 THEN 'rejected' ELSE 'accepted' END,
    'id' || i, 'd', 'ref' || (i * 104729 % 1000003), 'o', ${iso} FROM ${series}`;

const fillSqlite = (path: string, rows: number): void => {
  const database = new DatabaseSync(path);
  const series = `(WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT ${rows}) SELECT i FROM n)`;
  database.exec(fill(series, "strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + i, 'unixepoch')"));
  database.close();
};

/** Calls every method of a ledger. */
const useAll = async (ledger: Ledger): Promise<void> => {
  const before = new Date(Date.UTC(2026, 0, 1) + 10_000_000);
  for (const filter of [
    { states: IN_DOUBT },
    { states: IN_DOUBT, batch: "b0", before },
    { batch: "b1", before },
    { batch: "b1", states: ["rejected"] as const },
    {},
  ]) {
    for await (const _ of ledger.entries(filter));
  }
  await ledger.counts("b0");
  await ledger.claim(claim);
  await ledger.settle(claim, { state: "open" });
  await ledger.settle(claim, { state: "unknown" });
  await ledger.settle(claim, { state: "accepted" });
  await ledger.resolve("b", "k", "open");
  await ledger.confirm("r");
  await ledger.confirm("ref0");
  await ledger.forget({ batch: "b0", before });
  await ledger.forget({ batch: "b0" });
};

describe("the statements of a ledger with many entries", () => {
  test("no statement for SQLite scans or sorts the table, and keys in doubt are read from their own index", async () => {
    const path = join(folder, "plans.db");
    await sqliteLedger(path).close();
    fillSqlite(path, 5_000);
    const database = new DatabaseSync(path);
    const statements = new Set<string>();
    await useAll(
      recordedLedger(path, (kind, sql) => void (kind === "prepare" && statements.add(sql))),
    );
    let doubts = 0;
    for (const sql of statements) {
      if (/pragma/i.test(sql)) continue;
      const marks = sql.match(/\?/g) ?? [];
      const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...marks.map(() => "1"));
      const plan = rows.map(({ detail }) => detail).join("\n");
      expect([sql, plan]).not.toEqual([sql, expect.stringMatching(/SCAN|FOR ORDER BY/)]);
      if (!/^\s*SELECT.*WHERE state IN/s.test(sql)) continue;
      doubts += 1;
      expect([sql, plan]).toEqual([sql, expect.stringContaining("messaging_sends_in_doubt")]);
      expect([sql, plan]).not.toEqual([
        sql,
        expect.stringMatching(/INDEX \S+ \(at>\? AND at<\?\)/),
      ]);
    }
    expect(doubts).toBeGreaterThan(2);
    database.close();
  });

  describe("in Postgres", () => {
    const postgres = usePostgres();

    test(
      "no statement for Postgres scans the table, and keys in doubt are read from their own index",
      async () => {
        const statements: [text: string, values: (string | null)[]][] = [];
        const ledger = postgresLedger({
          query: (text, values) => {
            statements.push([text, values]);
            return postgres.pool.query(text, values);
          },
        });
        await ledger.counts("b");
        const iso = `to_char(timestamp '2026-01-01' + i * interval '1 s', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
        await postgres.pool.query(fill("generate_series(0::bigint, 99999) AS i", iso));
        await postgres.pool.query("ANALYZE messaging_sends");
        statements.length = 0;
        await useAll(ledger);
        let doubts = 0;
        for (const [text, values] of statements) {
          const { rows } = await postgres.pool.query(`EXPLAIN ${text}`, values);
          const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
          expect([text, plan]).not.toEqual([text, expect.stringContaining("Seq Scan")]);
          if (!/^\s*SELECT.*WHERE state IN/s.test(text)) continue;
          doubts += 1;
          expect([text, plan]).toEqual([text, expect.stringContaining("_at_batch_key_idx")]);
        }
        expect(doubts).toBeGreaterThan(4);
      },
      TIMEOUT_MS,
    );
  });
});

test(
  "counts, entries and forget of a large SQLite ledger yield to the event loop and to other connections",
  async () => {
    const path = join(folder, "turns.db");
    await sqliteLedger(path).close();
    fillSqlite(path, 100_000);
    /** Number of runs of each statement. */
    const runs = { DELETE: 0, SELECT: 0 };
    const ledger = recordedLedger(path, (kind, sql) => {
      if (kind === "run") runs[sql.trim().startsWith("DELETE") ? "DELETE" : "SELECT"] += 1;
    });
    const other = sqliteLedger(path);
    let isOver = false;
    /** Longest times, in milliseconds, that the event loop was blocked and that the second connection waited. */
    const longest = { turn: 0, wait: 0 };
    const watch = async () => {
      for (let last = performance.now(); !isOver; ) {
        await sleep(1);
        const now = performance.now();
        longest.turn = Math.max(longest.turn, now - last);
        last = now;
      }
    };
    const write = async () => {
      for (let index = 0; !isOver; index += 1) {
        const start = performance.now();
        await other.claim({ ...claim, key: `${index}`, ref: `${index}` });
        longest.wait = Math.max(longest.wait, performance.now() - start);
        await sleep(5);
      }
    };
    const others = [watch(), write()];
    const counts = Object.values(await ledger.counts("b0"));
    expect(counts.reduce((sum, count) => sum + count)).toBe(33_334);
    expect(runs.SELECT).toBeGreaterThan(6);
    let listed = 0;
    for await (const _ of ledger.entries({ batch: "b1" })) listed += 1;
    expect(listed).toBe(33_333);
    expect(runs.SELECT).toBeGreaterThan(66);
    expect(await ledger.forget({ batch: "b2" })).toBe(33_333);
    expect(runs.DELETE).toBeGreaterThan(10);
    isOver = true;
    await Promise.all(others);
    // The bounds are wide because the machine also does other work.
    expect(longest.turn).toBeLessThan(500);
    expect(longest.wait).toBeLessThan(1_000);
    await other.close();
    await ledger.close();
  },
  TIMEOUT_MS,
);

test(
  "entries and batches of a SQLite ledger with 10,000 batches yield to the event loop",
  async () => {
    const path = join(folder, "batches.db");
    const ledger = openSqliteLedger(path);
    await ledger.counts("b");
    const database = new DatabaseSync(path);
    database.exec(`
      INSERT INTO messaging_sends (batch, key, state, id, digest, ref, owner, at)
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 20000)
      SELECT 'b' || (i % 10000), 'k' || i, 'accepted', 'id' || i, 'd', 'ref' || i, 'o',
        strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + i, 'unixepoch') FROM n`);
    database.close();
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }, 1);
    let times = "";
    let listed = 0;
    for await (const { at } of ledger.entries()) {
      if (at < times) throw new Error(`${at} came after ${times}`);
      times = at;
      listed += 1;
    }
    let batches = 0;
    for await (const _ of ledger.batches()) batches += 1;
    clearInterval(timer);
    expect([listed, batches]).toEqual([20_000, 10_000]);
    // The bound is wide because the machine also does other work.
    expect(longest).toBeLessThan(200);
    await ledger.close();
  },
  TIMEOUT_MS,
);
