import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openPostgresLedger } from "../../src/bulk/ledgers/postgres-ledger.ts";
import type { SqlLedger } from "../../src/bulk/ledgers/sql-ledger.ts";
import { openSqliteLedger } from "../../src/bulk/ledgers/sqlite-ledger.ts";
import { claim } from "../bulk/ledgers/claim.ts";
import { claimTimesIn, claimTimesOf, type SetClaimTime } from "../support/claim-times.ts";
import { installFixture } from "../support/fixture.ts";
import { newMemoryFolder } from "../support/memory-folder.ts";
import { usePostgres } from "../support/servers/use-postgres.ts";
import { fill, PHONE, put, runCommand } from "./command.ts";

const TIMEOUT_MS = 120_000;

const folder = newMemoryFolder("ledger-command-");
afterAll(() => rmSync(folder, { recursive: true }));

const postgres = usePostgres();
let places = 0;

/** Each kind of ledger, with the argument that selects it in the command. */
const PLACES = {
  SQLite: () => {
    const path = join(folder, `${places}.db`);
    const ledger = openSqliteLedger(path);
    return { place: [path], ledger, setTime: claimTimesIn(path), cwd: undefined };
  },
  Postgres: () => {
    const table = `sends_${places}`;
    const url = `postgres://postgres@127.0.0.1:${postgres.server.port}/postgres`;
    const ledger = openPostgresLedger(postgres.pool, { table });
    const setTime = claimTimesOf(postgres.pool, table);
    return { place: [url, "--table", table], ledger, setTime, cwd: installFixture("first-ring") };
  },
};

describe.each(["SQLite", "Postgres"] as const)(
  "with a ledger in %s",
  { timeout: TIMEOUT_MS },
  (kind) => {
    let ledger: SqlLedger;
    let setTime: SetClaimTime;
    /** Runs a line of words, followed by arguments that may contain spaces. */
    let run: (line: string, ...args: readonly string[]) => ReturnType<typeof runCommand>;

    beforeEach(async () => {
      places += 1;
      const { place, cwd, ...made } = PLACES[kind]();
      ({ ledger, setTime } = made);
      run = (line, ...args) => runCommand([...place, ...line.split(" "), ...args], cwd);
      await fill(ledger, setTime);
      return () => ledger.close();
    }, TIMEOUT_MS);

    test("status lists the batches with their counts, the oldest key in doubt, and the size", async () => {
      const { code, stdout, stderr } = await run("status");
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(/^batch +accepted +rejected +open +in doubt +oldest doubt\n/);
      expect(stdout).toMatch(/^once +0 +0 +1 +1 +90 min ago$/m);
      expect(stdout).toMatch(/^reminders +1 +1 +0 +3 +3 d ago$/m);
      expect(stdout).toMatch(/^7 entries in 2 batches, 4 in doubt; [\d.]+ kB$/m);
      for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    });

    test("status with a batch prints JSON", async () => {
      const { code, stdout } = await run("status reminders --json");
      expect(code).toBe(0);
      const { size, batches } = JSON.parse(stdout);
      expect(size).toBeGreaterThan(1_000);
      const { at: oldestDoubt } = (await ledger.find("reminders", PHONE)) ?? {};
      const counts = { sending: 1, accepted: 1, rejected: 1, open: 0, unknown: 2 };
      expect(batches).toEqual([{ batch: "reminders", ...counts, oldestDoubt }]);
    });

    test("doubts lists keys in doubt, oldest first, without phone numbers", async () => {
      const { code, stdout } = await run("doubts");
      expect(code).toBe(0);
      const rows = stdout.split("\n").slice(1, 5);
      expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
        [
          "+*******0123",
          "reminders",
          expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/),
          "timeout",
        ],
        ["+*******0142", "reminders", expect.any(String), "no result yet"],
        ["order-17-ready", "once", expect.any(String), "timeout"],
        ["+*******0199", "reminders", expect.any(String), "timeout"],
      ]);
      expect(stdout).toContain(
        "4 keys in doubt\nPhone numbers are masked: --show-keys shows them in full.\n",
      );
    });

    test("doubts with --show-keys shows phone numbers, of one batch and before a time", async () => {
      const { stdout } = await run("doubts --batch reminders --before 1h --show-keys --json");
      expect(JSON.parse(stdout)).toEqual([
        {
          batch: "reminders",
          key: PHONE,
          state: "unknown",
          since: expect.any(String),
          lastError: "timeout",
        },
        {
          batch: "reminders",
          key: "+13125550142",
          state: "sending",
          since: expect.any(String),
          lastError: null,
        },
      ]);
    });

    test("doubts --before, resolve --all-before and forget --before accept a time as doubts prints it", async () => {
      const { at } = (await ledger.find("reminders", "+13125550142")) ?? { at: "" };
      const { stdout } = await run("doubts --batch reminders");
      const printed = stdout.match(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/g) ?? [];
      expect(printed).toHaveLength(3);
      const keysBefore = async (time: string) => {
        const flags = ["--before", time, "--show-keys", "--json"];
        const { stdout: json } = await run("doubts --batch reminders", ...flags);
        return JSON.parse(json).map(({ key }: { key: string }) => key);
      };
      expect(await keysBefore(String(printed[1]))).toEqual([PHONE]);
      expect(await keysBefore(at)).toEqual([PHONE]);
      expect(await keysBefore(String(printed[2]))).toEqual([PHONE, "+13125550142"]);
      const flags = ["--all-before", String(printed[1]), "--as", "accepted", "--yes"];
      expect((await run("resolve reminders", ...flags)).stdout).toBe(
        '1 key of "reminders" resolved as accepted\n',
      );
      const forgotten = await run("forget reminders --yes --before", String(printed[1]));
      expect(forgotten.code).toBe(0);
      expect(await ledger.find("reminders", PHONE)).toBeUndefined();
      expect(await ledger.find("reminders", "+13125550142")).toMatchObject({ state: "sending" });
    });

    test("doubts --csv prints CSV, and nothing else", async () => {
      const { code, stdout, stderr } = await run("doubts --batch once --csv");
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(
        /^\uFEFFbatch,key,state,since,last_error\r\nonce,order-17-ready,unknown,\S+Z,timeout\r\n$/,
      );
      const masked = await run("doubts --csv");
      expect(masked.stdout.split("\r\n")).toHaveLength(6);
      expect(masked.stderr).toMatch(/^Phone numbers are masked/);
    });

    test("entries lists every key with its state, oldest first, without phone numbers", async () => {
      const { code, stdout } = await run("entries");
      expect(code).toBe(0);
      const [head, ...rows] = stdout.split("\n").map((row) => row.split(/ {2,}/));
      expect(head).toEqual(["key", "batch", "state", "claimed at", "last error"]);
      const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/);
      expect(rows.slice(0, 7).sort()).toEqual([
        ["+*******0100", "reminders", "accepted", time],
        ["+*******0101", "reminders", "rejected", time],
        ["+*******0123", "reminders", "unknown", time, "timeout"],
        ["+*******0142", "reminders", "sending", time, "no result yet"],
        ["+*******0199", "reminders", "unknown", time, "timeout"],
        ["order-17-ready", "once", "unknown", time, "timeout"],
        ["order-18-ready", "once", "open", time],
      ]);
      expect(rows[0]?.[0]).toBe("+*******0123");
      expect(stdout).toContain(
        "7 entries\nPhone numbers are masked: --show-keys shows them in full.\n",
      );
    });

    test("entries finds a phone number in any common format, and any other key as it is", async () => {
      await put(
        ledger,
        [
          ["walk-ins", "(206) 555-0123", "accepted", 30],
          ["walk-ins", "1.206.555.0124", "accepted", 20],
          ["walk-ins", "Order-17-ready", "accepted", 10],
        ],
        setTime,
      );
      const keysOf = async (...args: readonly string[]) => {
        const { code, stdout } = await run("entries --json --show-keys", ...args);
        expect(code).toBe(0);
        return JSON.parse(stdout).map(({ key }: { key: string }) => key);
      };
      for (const written of [PHONE, "206-555-0123", "(206) 555-0123", "tel:+1 206 555 0123"]) {
        expect(await keysOf("--key", written)).toEqual([PHONE, "(206) 555-0123"]);
      }
      expect(await keysOf("walk-ins", "--key", PHONE)).toEqual(["(206) 555-0123"]);
      expect(await keysOf("--key", "order-17-ready")).toEqual(["order-17-ready"]);
      expect(await keysOf("--key", "order-17-ready", "--key", "2065550124")).toEqual([
        ...["order-17-ready", "1.206.555.0124"],
      ]);
      expect(await keysOf("--key", "order-17")).toEqual([]);
      expect(await keysOf("--key", "+13125550199", "--state", "accepted")).toEqual([]);
    });

    test("entries in one state, as JSON and as CSV, have the transaction id and the last error", async () => {
      const send = { ...claim, batch: "once", key: "order-19-ready" };
      await ledger.claim(send);
      await ledger.settle(send, { state: "accepted", transactionId: "t-19" });
      const { at: claimedAt } = (await ledger.find(send.batch, send.key)) ?? {};
      const { stdout } = await run("entries once --state accepted --json");
      const entry = { batch: "once", key: "order-19-ready", state: "accepted", claimedAt };
      expect(JSON.parse(stdout)).toEqual([{ ...entry, transactionId: "t-19", lastError: null }]);

      const states = ["--state", "accepted", "--state", "unknown"];
      const { code, stdout: csv } = await run("entries once", ...states, "--csv");
      expect(code).toBe(0);
      const [head, ...rows] = csv.split("\r\n");
      expect(head).toBe("\uFEFFbatch,key,state,claimed_at,transaction_id,last_error");
      expect(rows.sort()).toEqual([
        "",
        expect.stringMatching(/^once,order-17-ready,unknown,\S+Z,,timeout$/),
        `once,order-19-ready,accepted,${claimedAt},t-19,`,
      ]);
    });

    test("entries reports that no entry was found, and exits with 0", async () => {
      const none = await run("entries --key order-99");
      expect(none).toEqual({ code: 0, stdout: "There is no such entry.\n", stderr: "" });
    });

    test("resolve records decisions about keys", async () => {
      const { code, stdout } = await run(
        `resolve reminders ${PHONE} +13125550142 --as accepted --yes`,
      );
      expect([code, stdout]).toEqual([0, '2 keys of "reminders" resolved as accepted\n']);
      expect(await ledger.counts("reminders")).toMatchObject({
        accepted: 3,
        sending: 0,
        unknown: 1,
      });
    });

    test("resolve finds a phone number in any common format, and lists unknown keys as they were written", async () => {
      await put(ledger, [["reminders", "(312) 555-0142", "unknown", 30]], setTime);
      const keys = ["312-555-0142", "tel:+1 206 555 0123"];
      const { code } = await run("resolve reminders", ...keys, "--as", "open", "--yes");
      expect(code).toBe(0);
      for (const key of ["(312) 555-0142", "+13125550142", PHONE]) {
        expect(await ledger.find("reminders", key)).toMatchObject({ state: "open" });
      }
      await put(ledger, [["reminders", "2065550123", "unknown", 30]], setTime);
      await run("resolve reminders 2065550123 --as accepted --yes");
      expect(await ledger.find("reminders", "2065550123")).toMatchObject({ state: "accepted" });
      expect(await ledger.find("reminders", PHONE)).toMatchObject({ state: "open" });
      const again = { ...claim, batch: "reminders", key: PHONE };
      await ledger.claim(again);
      expect((await run(`resolve reminders ${PHONE} --as accepted --yes`)).code).toBe(0);
      const refused = await run("resolve reminders", "206 555 0199", "--as", "open", "--yes");
      expect(refused.stderr).toContain("*** *** 0199 is not in this batch");
    });

    test("resolve can open rejected keys, and changes nothing if a key needs no decision", async () => {
      const refused = await run(
        `resolve reminders ${PHONE} +14155550100 +14155559999 --as open --yes`,
      );
      expect([refused.code, refused.stderr]).toEqual([
        1,
        "Nothing was changed, because not every key is in doubt:\n  +*******0100 is accepted\n  +*******9999 is not in this batch\n",
      ]);
      expect(await ledger.find("reminders", PHONE)).toMatchObject({ state: "unknown" });
      expect((await run("resolve reminders +14155550101 --as open --yes")).code).toBe(0);
      expect(await ledger.find("reminders", "+14155550101")).toMatchObject({ state: "open" });
    });

    test("resolve refuses to open keys that were claimed less than ten minutes ago, unless it is forced", async () => {
      const refused = await run("resolve reminders --all-before 10s --as open --yes");
      expect([refused.code, refused.stderr]).toEqual([
        1,
        "Nothing was changed: 1 of 3 keys was claimed less than ten minutes ago, and may be on the wire now. Wait, or pass --force.\n",
      ]);
      expect(await ledger.counts("reminders")).toMatchObject({ open: 0 });
      const forced = await run("resolve reminders --all-before 10s --as open --yes --force");
      expect(forced.code).toBe(0);
      expect(await ledger.counts("reminders")).toMatchObject({ open: 3, sending: 0, unknown: 0 });
    });

    test.each(["accepted", "open"] as const)(
      "a decision as %s does not change a key that was claimed again after the question",
      async (as) => {
        const seen = await ledger.find("reminders", PHONE);
        if (!seen) throw new Error("the key is missing");
        await ledger.resolve("reminders", PHONE, "open");
        const again = { ...claim, batch: "reminders", key: PHONE };
        expect(await ledger.claim(again)).toBeUndefined();
        const entry = await ledger.find("reminders", PHONE);
        expect(entry).toMatchObject({ state: "sending", id: again.id });

        expect(await ledger.resolve("reminders", PHONE, as, seen.id)).toBe(false);
        expect(await ledger.find("reminders", PHONE)).toEqual({
          ...entry,
          ageMs: expect.any(Number),
        });
        expect(await ledger.resolve("reminders", PHONE, as, again.id)).toBe(true);
        expect(await ledger.find("reminders", PHONE)).toMatchObject({ state: as });
      },
    );

    test("resolve --all-before decides every key that was claimed before a time", async () => {
      const { code, stdout } = await run("resolve reminders --all-before 1h --as open --yes");
      expect([code, stdout]).toEqual([0, '2 keys of "reminders" resolved as open\n']);
      expect(await ledger.find("reminders", "+14155550199")).toMatchObject({ state: "unknown" });
      const none = await run("resolve reminders --all-before 1h --as open --yes");
      expect([none.code, none.stdout]).toEqual([
        0,
        expect.stringMatching(/^No key that was claimed before \d.+ is in doubt\.$/m),
      ]);
    });

    test("forget deletes all entries of a batch, or only the entries that were claimed before a time", async () => {
      const { code, stdout, stderr } = await run("forget reminders --before 2d --yes");
      expect([code, stdout]).toEqual([0, '1 entry of "reminders" forgotten\n']);
      expect(stderr).toBe('1 of 1 entry is in doubt: see doubts --batch "reminders"\n');
      expect((await run("forget reminders --yes")).stdout).toBe(
        '4 entries of "reminders" forgotten\n',
      );
      const rest: string[] = [];
      for await (const { batch } of ledger.entries()) rest.push(batch);
      expect(rest).toEqual(["once", "once"]);
    });

    test.each([
      "status reminder",
      "doubts --batch reminder",
      "doubts --batch reminder --json",
      "entries reminder",
      `entries reminder --key ${PHONE} --json`,
      "resolve reminder --all-before 1h --as open --yes",
      "forget reminder --yes",
    ])("%s fails if the batch does not exist", async (line) => {
      const { code, stdout, stderr } = await run(line);
      expect([code, stdout, stderr]).toEqual([
        1,
        "",
        'There is no batch "reminder" in this ledger.\n',
      ]);
    });

    test("a command that changes entries needs --yes without a terminal", async () => {
      for (const line of [`resolve reminders ${PHONE} --as open`, "forget reminders"]) {
        const { code, stderr } = await run(line);
        expect([code, stderr]).toEqual([
          2,
          expect.stringContaining("There is no terminal to ask in: pass --yes."),
        ]);
      }
      expect(await ledger.counts("reminders")).toMatchObject({ unknown: 2 });
    });

    test("a table that does not exist is reported and not created", async () => {
      const { code, stderr } = await run("status --table nowhere");
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/There is no ledger in .+ table .*nowhere/),
      ]);
      expect((await run("status --table nowhere")).code).toBe(1);
    });
  },
);
