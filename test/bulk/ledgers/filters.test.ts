// Malformed filters are refused. Ignoring one would delete or resolve too many entries.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Ledger } from "../../../src/bulk/ledgers/ledger.ts";
import { memoryLedger } from "../../../src/bulk/ledgers/memory-ledger.ts";
import { sqliteLedger } from "../../../src/bulk/ledgers/sqlite-ledger.ts";
import { claim } from "./claim.ts";

const openSqlite = (): Ledger => {
  const folder = mkdtempSync(join(tmpdir(), "filters-"));
  const ledger = sqliteLedger(join(folder, "sends.db"));
  onTestFinished(async () => {
    await ledger.close();
    rmSync(folder, { recursive: true });
  });
  return ledger;
};

const NO_STATES = "option `states` must be a list of sending, accepted, rejected, open, unknown";
const NO_DATE = "option `before` must be a valid Date before the year 10000";

type Refusal = readonly [filter: unknown, message: string];

/** Filters that `entries` and `forget` refuse. */
const MALFORMED: readonly Refusal[] = [
  [null, "option `filter` must be an object"],
  [{ batch: 5 }, "option `batch` must be a string"],
  [{ batch: null }, "option `batch` must be a string"],
  [{ batch: "b", before: "2026-01-01" }, NO_DATE],
  [{ batch: "b", before: 0 }, NO_DATE],
  [{ batch: "b", before: new Date("soon") }, NO_DATE],
  [{ batch: "b", before: new Date(8.64e15) }, NO_DATE],
  [{ batch: "b", Before: new Date() }, "option `Before` does not exist: did you mean `before`?"],
];

describe.each([
  ["memory", memoryLedger],
  ["SQLite", openSqlite],
])("the filters of a ledger in %s", (_, open) => {
  test.each<Refusal>([
    ...MALFORMED,
    [{ states: "sending" }, NO_STATES],
    [{ states: ["sending", "sent"] }, NO_STATES],
    [{ states: [undefined] }, NO_STATES],
    [{ states: null }, NO_STATES],
  ])("entries refuses the filter %o", async (filter, message) => {
    const ledger = open();
    const list = async () => {
      for await (const _entry of ledger.entries(filter as never));
    };
    await expect(list()).rejects.toThrow(new TypeError(message));
  });

  test.each<Refusal>([
    ...MALFORMED,
    [undefined, "option `filter` must be an object"],
    [{}, "option `batch` must be a string"],
    [{ batch: undefined, before: new Date() }, "option `batch` must be a string"],
  ])("forget refuses the filter %o, and deletes nothing", async (filter, message) => {
    const ledger = open();
    await ledger.claim(claim);
    await expect(ledger.forget(filter as never)).rejects.toThrow(new TypeError(message));
    expect(await ledger.find(claim.batch, claim.key)).toMatchObject(claim);
  });
});
