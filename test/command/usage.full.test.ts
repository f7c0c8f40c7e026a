// A misspelled option: cspell:ignore befor
// The arguments of the command, its treatment of files that are not ledgers, and its prompts in a terminal.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Ledger } from "../../src/bulk/ledgers/ledger.ts";
import { sqliteLedger } from "../../src/bulk/ledgers/sqlite-ledger.ts";
import { claimTimesIn } from "../support/claim-times.ts";
import { installFixture } from "../support/fixture.ts";
import { newMemoryFolder } from "../support/memory-folder.ts";
import {
  bundleCommandIn,
  fill,
  hasTerminal,
  PHONE,
  put,
  runCommand,
  runInTerminal,
} from "./command.ts";

const TIMEOUT_MS = 120_000;
const CLAIM_CHILD = new URL("../support/programs/claim-child.ts", import.meta.url).pathname;

const folder = newMemoryFolder("ledger-command-");
const commandPath = bundleCommandIn(folder);
afterAll(() => rmSync(folder, { recursive: true }));

describe("the command", { timeout: TIMEOUT_MS }, () => {
  test("a misspelled path is reported and creates no file", async () => {
    const path = join(folder, "misspelled.db");
    const { code, stderr } = await runCommand([path, "status"]);
    expect([code, stderr]).toEqual([1, `There is no file ${path}.\n`]);
    expect(existsSync(path)).toBe(false);
  });

  test("a file that is not a ledger, database or not, is reported and stays unchanged", async () => {
    const path = join(folder, "orders.db");
    const database = new DatabaseSync(path);
    database.exec("CREATE TABLE orders (id)");
    database.close();
    const before = readFileSync(path);
    const { code, stderr } = await runCommand([path, "status"]);
    expect([code, stderr]).toEqual([
      1,
      `There is no ledger in ${path}, table messaging_sends: check the place of the ledger, and --table.\n`,
    ]);
    expect(readFileSync(path)).toEqual(before);
    writeFileSync(path, "guests\n".repeat(100));
    expect(await runCommand([path, "status"])).toMatchObject({
      code: 1,
      stderr: `sqliteLedger cannot open ${path}: file is not a database\n`,
    });
  });

  test.each([
    ["a URL without its colon", "postgres//app:secret-9f3a@db/sends"],
    ["a URL without a slash", "postgres:/app:se/cret@9f3a@db/sends"],
    ["a URL with a long token, without its scheme", `app:${"secret".repeat(60)}@db/sends`],
  ])("the password in %s, which is read as a path, is not printed", async (_, place) => {
    const { code, stderr } = await runCommand([place, "status"]);
    expect([code, stderr]).toEqual([1, "There is no file ***@db/sends.\n"]);
  });

  test("a Postgres ledger without the driver is reported with the name of the package", async () => {
    const { code, stderr } = await runCommand(["postgres://localhost/sends", "status"], folder);
    expect([code, stderr]).toEqual([
      1,
      "A ledger in Postgres needs the package pg in this project: npm install pg\n",
    ]);
  });

  test("a Postgres server that cannot be reached is reported without the password", async () => {
    const url = "postgres://app:secret-9f3a@127.0.0.1:1/sends";
    const { code, stderr } = await runCommand([url, "status"], installFixture("first-ring"));
    expect(code).toBe(1);
    expect(stderr).toContain("ECONNREFUSED");
    expect(stderr).not.toContain("secret");
  });

  test.each([
    [["--help"], /status.+doubts.+entries.+resolve.+forget/s],
    [["doubts", "--help"], /doubts.+--batch <name>.+--before <time>.+--csv/s],
    [["sends.db", "resolve", "-h"], /resolve <batch>.+--as <state>.+--force.+--help/s],
  ])("%j prints help that fits a terminal", async (args, text) => {
    const { code, stdout } = await runCommand(args);
    expect(code).toBe(0);
    expect(stdout).toMatch(text);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  test.each([
    ["", "Name a ledger: the path of a SQLite file, or a postgres:// URL."],
    ["sends.db", "Name a command: status, doubts, entries, resolve, forget."],
    [
      "sends.db list",
      'There is no command "list". Name a command: status, doubts, entries, resolve, forget.',
    ],
    ["sends.db status --color", "option `--color` does not exist"],
    ["sends.db resolve --forced", "option `--forced` does not exist: did you mean `--force`?"],
    ["sends.db doubts --before", "Option '--before <value>' argument missing"],
    ["sends.db status --force", "option `--force` does not exist"],
    ["sends.db status a b", "1 argument too many."],
    ["sends.db doubts +12065550123 +12065550124", "2 arguments too many."],
    ["sends.db doubts a", "1 argument too many."],
    ["sends.db entries a b", "1 argument too many."],
    ["sends.db entries --batch a", "option `--batch` does not exist"],
    ["sends.db entries --key k --key ", "--key must not be empty"],
    [
      "sends.db entries --state accepted --state sent",
      "--state must be one of sending, accepted, rejected, open, unknown",
    ],
    ["sends.db doubts --state unknown", "option `--state` does not exist"],
    [
      "sends.db doubts --before yesterday",
      '--before must be an age such as 90s, 30m, 1h, 30d or 2w, or a time as printed by doubts, such as "2026-11-21 08:15:30Z"',
    ],
    [
      "sends.db doubts --before 2026-13-45T08:15:30Z",
      '--before must be an age such as 90s, 30m, 1h, 30d or 2w, or a time as printed by doubts, such as "2026-11-21 08:15:30Z"',
    ],
    ["sends.db doubts --batch ", "--batch must not be empty"],
    ["sends.db forget", "Name the batch: forget <batch>."],
    ["sends.db forget a b", "1 argument too many."],
    ["sends.db resolve a --as open", "resolve takes either keys or --all-before."],
    [
      "sends.db resolve a k --all-before 1h --as open",
      "resolve takes either keys or --all-before.",
    ],
    ["sends.db resolve a k", "--as must be accepted or open."],
    ["sends.db resolve a k --as sent", "--as must be one of accepted, open"],
    [
      "sends.db status --table a;b",
      "--table must be a table name, optionally after a schema and a dot",
    ],
    ["sends.db doubts --csv --json", "Pass --csv or --json, not both."],
    [
      "postgress://app:secret-9f3a@db/sends status",
      'The scheme "postgress" is not supported: name the path of a SQLite file, or a postgres:// URL.',
    ],
    [
      "sends.db postgres://app:secret-9f3a@db/sends",
      'There is no command "***@db/sends". Name a command: status, doubts, entries, resolve, forget.',
    ],
    ["sends.db status b postgres//app:secret-9f3a@db/sends", "1 argument too many."],
    [
      "postgres://app:secret-9f3a@db/sends?sslmode=require&schema=jobs status",
      'pg would ignore the parameter "schema" of the URL: leave it out. Name the schema in --table, as in jobs.sends.',
    ],
    ...["search_path", "currentSchema"].map((name) => [
      `postgres://app:secret-9f3a@db/sends?${name}=jobs status`,
      `pg would ignore the parameter "${name}" of the URL: leave it out. Name the schema in --table, as in jobs.sends.`,
    ]),
  ])("wrong usage exits with 2: %j", async (line, message) => {
    expect(await runCommand(line.split(" "))).toEqual({
      code: 2,
      stdout: "",
      stderr: `${message}\n\nRun with --help to see the options.\n`,
    });
  });

  test("every command works while a run writes to the file", async () => {
    const path = join(folder, "busy.db");
    const ledger = sqliteLedger(path);
    await fill(ledger, claimTimesIn(path));
    const writing = promisify(execFile)(process.execPath, [
      CLAIM_CHILD,
      path,
      "run-1",
      "4000",
      "0",
    ]);
    for (const args of [
      ["status"],
      ["doubts"],
      ["entries", "reminders"],
      ["resolve", "reminders", PHONE, "--as", "open", "--yes"],
      ["forget", "reminders", "--yes"],
    ]) {
      expect(await runCommand([path, ...args])).toMatchObject({ code: 0 });
    }
    expect(JSON.parse((await writing).stdout)).toHaveLength(4_000);
    await ledger.close();
  });

  test("a reader that closes the pipe early causes no failure, but a full disk does", async () => {
    const path = join(folder, "pipe.db");
    const ledger = sqliteLedger(path);
    const keys = Array.from({ length: 3_000 }, (_, index) => `key-${index}`);
    await put(
      ledger,
      keys.map((key) => ["b", key, "unknown", 60] as const),
      claimTimesIn(path),
    );
    await ledger.close();
    const run = `"${process.execPath}" "${commandPath()}" ledger "${path}" doubts --show-keys`;
    const inShell = (script: string) => promisify(execFile)("sh", ["-c", script]);
    const { stdout, stderr } = await inShell(`${run} | head -n 2`);
    expect(stdout.split("\n")).toHaveLength(3);
    expect(stderr).toBe("");
    await expect(inShell(`${run} --csv > /dev/full`)).rejects.toMatchObject({
      ...{
        code: 1,
        stderr: expect.stringMatching(/^The output could not be written: ENOSPC.+\n$/),
      },
    });
  });
});

describe.skipIf(!hasTerminal)("the command in a terminal", { timeout: TIMEOUT_MS }, () => {
  const path = join(folder, "terminal.db");
  let ledger: Ledger;
  beforeEach(async () => {
    ledger = sqliteLedger(path);
    await ledger.forget({ batch: "reminders" });
    await ledger.forget({ batch: "once" });
    await fill(ledger, claimTimesIn(path));
    return () => ledger.close();
  });

  test("resolve shows what it would change, asks, and changes it after a yes", async () => {
    const { code, stdout } = await runInTerminal(
      [path, "resolve", "reminders", "--all-before", "1h", "--as", "open"],
      "y\n",
    );
    expect(stdout).toMatch(/\+\*{7}0123 {2}3 d ago {2}timeout/);
    expect(stdout).toMatch(/\+\*{7}0142 {2}2 h ago {2}no result yet/);
    expect(stdout).toContain(
      'Resolve 2 keys of "reminders" as open? Each may then be sent again. [y/N]',
    );
    expect(stdout).toContain('2 keys of "reminders" resolved as open');
    expect(code).toBe(0);
    expect(await ledger.counts("reminders")).toMatchObject({ open: 2 });
  });

  test.each(["n\n", "\n", "\u0004"])(
    "forget changes nothing after the response %j",
    async (input) => {
      const { code, stdout } = await runInTerminal([path, "forget", "reminders"], input);
      expect(stdout).toContain("3 of 5 entries are in doubt");
      expect(stdout).toContain(
        'Forget 5 entries of "reminders"? Their keys can then be sent again. [y/N]',
      );
      expect(stdout).toContain("Nothing was changed.");
      expect(code).toBe(1);
      expect(await ledger.counts("reminders")).toMatchObject({ accepted: 1 });
    },
  );

  test("a key cannot move the cursor of the terminal", async () => {
    await put(ledger, [["once", "\u001b[2Jorder-19", "unknown", 60]], claimTimesIn(path));
    const { stdout } = await runInTerminal([path, "doubts", "--batch", "once"], "");
    expect(stdout).toContain("�[2Jorder-19");
    expect(stdout).not.toContain("\u001b[2J");
  });
});
