// The command never damages a ledger, and treats all data in it as untrusted.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { postgresLedger } from "../../src/bulk/ledgers/postgres-ledger.ts";
import { sqliteLedger } from "../../src/bulk/ledgers/sqlite-ledger.ts";
import { claim } from "../bulk/ledgers/claim.ts";
import { claimTimesIn, claimTimesOf } from "../support/claim-times.ts";
import { installFixture } from "../support/fixture.ts";
import { newMemoryFolder } from "../support/memory-folder.ts";
import { usePostgres } from "../support/servers/use-postgres.ts";
import { PHONE, put, runCommand } from "./command.ts";

const TIMEOUT_MS = 120_000;
const COLUMNS = "batch, key, state, id, digest, ref, owner, at, transaction_id, code";

const root = newMemoryFolder("ledger-command-");
afterAll(() => rmSync(root, { recursive: true }));

let folders = 0;
let folder: string;
let path: string;
beforeEach(() => {
  folders += 1;
  folder = join(root, `${folders}`);
  mkdirSync(folder);
  path = join(folder, "sends.db");
});

const hashOf = (file: string): string =>
  createHash("sha256").update(readFileSync(file)).digest("hex");

describe("a command that reads a SQLite database", { timeout: TIMEOUT_MS }, () => {
  const READS = [
    ...[["status"], ["status", "--json"], ["doubts"], ["doubts", "--json"]],
    ...[["entries"], ["entries", "--json"], ["entries", "--key", "k"]],
  ];

  test.each([
    ["without any column of a ledger", "number, total", COLUMNS],
    [
      "with the columns of the indexes",
      "batch, key, ref, at, state, number",
      "id, digest, owner, transaction_id, code",
    ],
    [
      "with one column missing",
      "batch, key, state, id, digest, ref, owner, at, transaction_id",
      "code",
    ],
  ])(
    "a table %s is refused with the names of its missing columns, and stays unchanged",
    async (_, columns, missing) => {
      const database = new DatabaseSync(path);
      database.exec(`CREATE TABLE orders (${columns}); INSERT INTO orders DEFAULT VALUES`);
      database.close();
      const before = hashOf(path);
      const decide = ["resolve", "b", "k", "--as", "open", "--yes"];
      for (const args of [...READS, decide, ["forget", "b", "--yes"]]) {
        const { code, stderr } = await runCommand([path, ...args, "--table", "orders"]);
        expect([code, stderr]).toEqual([
          1,
          expect.stringContaining(
            `the table orders is not a ledger: it lacks the columns ${missing}\n`,
          ),
        ]);
      }
      expect(hashOf(path)).toBe(before);
      expect(readdirSync(folder)).toEqual(["sends.db"]);
    },
  );

  test("a ledger without its indexes and without a log stays unchanged", async () => {
    const database = new DatabaseSync(path);
    database.exec(`
      CREATE TABLE messaging_sends (${COLUMNS}, PRIMARY KEY (batch, key));
      INSERT INTO messaging_sends (batch, key, state, id, digest, ref, owner, at)
        VALUES ('b', 'k', 'unknown', 'i', 'd', 'r', 'o', '2026-11-21T09:00:00.000Z')`);
    database.close();
    const before = hashOf(path);
    for (const args of READS) {
      const { code, stdout, stderr } = await runCommand([path, ...args]);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain("b");
    }
    expect(hashOf(path)).toBe(before);
    expect(readdirSync(folder)).toEqual(["sends.db"]);
  });

  test("sqliteLedger itself adds no index to a table that is not a ledger", async () => {
    const database = new DatabaseSync(path);
    database.exec("CREATE TABLE orders (batch, key, ref, at, state)");
    const refused = "the table orders is not a ledger: it lacks the columns id, digest, owner";
    expect(() => sqliteLedger(path, { table: "orders" })).toThrow(refused);
    expect(database.prepare("SELECT name FROM sqlite_schema").all()).toHaveLength(1);
    expect(database.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "delete" });
    database.close();
  });
});

describe("states that somebody wrote by hand", { timeout: TIMEOUT_MS }, () => {
  const STATE = "sent\u001b[2J\u202e";

  beforeEach(async () => {
    const ledger = sqliteLedger(path);
    await put(
      ledger,
      [
        ["b", "k-1", "unknown", 60],
        ["b", "k-2", "accepted", 60],
        ["b", "k-3", "accepted", 60],
      ],
      claimTimesIn(path),
    );
    await ledger.close();
    const database = new DatabaseSync(path);
    database.prepare("UPDATE messaging_sends SET state = ? WHERE key <> 'k-1'").run(STATE);
    database.close();
  });

  test("status counts unknown states separately, and shows them without control characters", async () => {
    const { stdout } = await runCommand([path, "status"]);
    expect(stdout).toMatch(/^b +0 +0 +0 +1 +60 min ago$/m);
    expect(stdout).toMatch(/^1 entry in 1 batch, 1 in doubt; /m);
    const told = '2 further entries in the state "sent�[2J�", which this version does not support';
    expect(stdout).toContain(told);
    const { batches } = JSON.parse((await runCommand([path, "status", "--json"])).stdout);
    expect(batches).toMatchObject([{ unknown: 1, otherStates: { "sent�[2J�": 2 } }]);
  });

  test("entries shows unknown states, resolve leaves them alone, and forget counts and deletes them", async () => {
    const { stdout } = await runCommand([path, "entries", "--key", "k-2", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject([{ state: "sent�[2J�" }]);
    const resolve = ["resolve", "b", "k-2", "--as", "open", "--yes"];
    const { code, stderr } = await runCommand([path, ...resolve]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("k-2 is sent�[2J�")]);
    const forgotten = await runCommand([path, "forget", "b", "--yes"]);
    expect(forgotten.stdout).toBe('3 entries of "b" forgotten\n');
    expect(forgotten.stderr).toBe('1 of 3 entries is in doubt: see doubts --batch "b"\n');
  });
});

describe("text that a ledger contains", { timeout: TIMEOUT_MS }, () => {
  const HOSTILE = "\u001b[2J\u009b1m\u202egnp\u2066\r\nforged\u2028\u0007";
  const FORBIDDEN = /[\p{Cf}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u;

  beforeEach(async () => {
    const ledger = sqliteLedger(path);
    await put(ledger, [[`batch ${HOSTILE}`, `key ${HOSTILE}`, "sending", 60]], claimTimesIn(path));
    const other = { ...claim, batch: `batch ${HOSTILE}`, key: "206/555/0123", ref: "r2" };
    await ledger.claim(other);
    await ledger.settle(other, { state: "unknown", code: `=1${HOSTILE}` });
    await ledger.close();
  });

  test.each([
    [["status"]],
    [["status", "--json"]],
    [["doubts"]],
    [["doubts", "--json"]],
    [["doubts", "--json", "--show-keys"]],
    [["doubts", "--batch", `batch ${HOSTILE}`]],
    [["doubts", "--batch", `no batch ${HOSTILE}`]],
    [["entries"]],
    [["entries", "--json"]],
    [["entries", "--json", "--show-keys"]],
    [["entries", `batch ${HOSTILE}`, "--key", "2065550123"]],
    [["entries", `no batch ${HOSTILE}`]],
    [["resolve", `batch ${HOSTILE}`, "--all-before", "1m", "--as", "accepted", "--yes"]],
    [["resolve", `batch ${HOSTILE}`, `no key ${HOSTILE}`, "--as", "open", "--yes"]],
    [["resolve", `batch ${HOSTILE}`, `key ${HOSTILE}`, "--as", "accepted", "--yes"]],
    [["resolve", `batch ${HOSTILE}`, "206/555/0123", "--as", "accepted"]],
    [["forget", `batch ${HOSTILE}`, "--yes"]],
  ])("the output of %j contains no control character", async (args) => {
    const { stdout, stderr } = await runCommand([path, ...args]);
    expect(stdout + stderr).toContain("�");
    expect(stdout + stderr).not.toMatch(FORBIDDEN);
    expect(stdout + stderr).not.toMatch(/^forged/m);
    if (!args.includes("--show-keys")) expect(stdout + stderr).not.toContain("206/555");
    if (!args.includes("--json")) return;
    const walk = (value: unknown): unknown[] =>
      Object(value) === value ? Object.values(value as object).flatMap(walk) : [value];
    for (const text of walk(JSON.parse(stdout)))
      expect(String(text)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test.each(["doubts", "entries"])(
    "the CSV of %s contains no control character and no formula",
    async (name) => {
      const { code, stdout } = await runCommand([path, name, "--csv"]);
      expect(code).toBe(0);
      const lines = stdout.split("\r\n");
      expect(lines).toHaveLength(4);
      expect(lines[0]).toMatch(/^\uFEFFbatch,/);
      lines[0] = String(lines[0]).slice(1);
      for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}]|,=/u);
      expect(lines.join("\n")).toContain(",***/***/0123,unknown,");
    },
  );
});

describe("the clock of a Postgres ledger", { timeout: TIMEOUT_MS }, () => {
  const postgres = usePostgres();
  const run = (...args: string[]) =>
    runCommand(
      [`postgres://postgres@127.0.0.1:${postgres.server.port}/postgres`, ...args],
      installFixture("first-ring"),
    );

  test("a URL with parameters that pg ignores, as Neon prints them, opens its ledger", async () => {
    const ledger = postgresLedger(postgres.pool, { table: "neon_sends" });
    await put(ledger, [["neon", PHONE, "unknown", 30]], claimTimesOf(postgres.pool, "neon_sends"));
    const url = `postgresql://postgres@127.0.0.1:${postgres.server.port}/postgres?sslmode=disable&channel_binding=require`;
    const { code, stdout } = await runCommand(
      [url, "status", "--table", "neon_sends"],
      installFixture("first-ring"),
    );
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^neon +0 +0 +0 +1 /m)]);
  });

  afterEach(() => void vi.useRealTimers());
  /** Shifts the local clock from the server's clock by some minutes. */
  const shiftClock = (minutes: number) =>
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes * 60_000 });

  test("resolve --as open refuses a fresh claim even on a machine whose clock is eleven minutes ahead", async () => {
    const ledger = postgresLedger(postgres.pool);
    await put(ledger, [["clocks", PHONE, "sending", 1]], claimTimesOf(postgres.pool));
    shiftClock(11);
    const shown = await run("status", "clocks");
    expect(shown.stdout).toMatch(/ 1 +(6\d|7\d) s ago$/m);
    for (const args of [[PHONE], ["--all-before", "30s"]]) {
      const { code, stderr } = await run("resolve", "clocks", ...args, "--as", "open", "--yes");
      expect([code, stderr]).toEqual([1, expect.stringContaining("less than ten minutes ago")]);
    }
    const early = await run("doubts", "--batch", "clocks", "--before", "5m");
    expect(early.stdout).toBe("No key is in doubt.\n");
    const kept = await run("forget", "clocks", "--before", "5m", "--yes");
    expect(kept.stdout).toMatch(/^No entry was claimed before/);
    expect(await ledger.find("clocks", PHONE)).toMatchObject({ state: "sending" });
    await ledger.forget({ batch: "clocks" });
  });

  test("resolve --as open accepts an old claim on a machine whose clock is an hour behind", async () => {
    const ledger = postgresLedger(postgres.pool);
    await put(ledger, [["clocks", PHONE, "sending", 30]], claimTimesOf(postgres.pool));
    shiftClock(-60);
    const { code } = await run("resolve", "clocks", PHONE, "--as", "open", "--yes");
    expect(code).toBe(0);
    expect(await ledger.find("clocks", PHONE)).toMatchObject({ state: "open" });
    await ledger.forget({ batch: "clocks" });
  });

  test("a table in Postgres that is not a ledger is refused with the names of its missing columns, and stays unchanged", async () => {
    await postgres.pool.query(
      "CREATE TABLE orders (batch text, key text, ref text, at text, state text)",
    );
    for (const args of [["status"], ["doubts"], ["forget", "b", "--yes"]]) {
      const { code, stderr } = await run(...args, "--table", "orders");
      expect([code, stderr]).toEqual([
        1,
        "the table orders is not a ledger: it lacks the columns id, digest, owner, transaction_id, code\n",
      ]);
    }
    const { rows } = await postgres.pool.query(
      "SELECT 1 FROM pg_indexes WHERE tablename = 'orders'",
    );
    expect(rows).toEqual([]);
    expect(existsSync(join(folder, "orders"))).toBe(false);
  });
});
