// The ledger in a table of SQLite or Postgres, with statements that both support.

import { Yielder } from "../../core/yielder.ts";
import {
  checkFilter,
  checkForgetFilter,
  type EntryFilter,
  IN_DOUBT,
  type Ledger,
  type LedgerEntry,
  type LedgerState,
  noCounts,
  toClaimResult,
  toConfirmedEntry,
} from "./ledger.ts";
import {
  inSteps,
  ROWS,
  type Row,
  type Scan,
  type SqlDatabase,
  type StatementKind,
  type Values,
} from "./sql-database.ts";
import {
  ENTRY_COLUMNS,
  entryWith,
  IS_IN_DOUBT,
  ONE,
  type Statements,
  statementsFor,
  toEntry,
  toValues,
} from "./sql-statements.ts";

export interface SqlLedger extends Ledger {
  /** Resolves to the time of the ledger's clock in milliseconds since 1970. */
  now(): Promise<number>;
  /** Resolves to the size in bytes of the SQLite file, or of the Postgres table with its indexes. */
  size(): Promise<number>;
  batches(): AsyncGenerator<string>;
  /** Counts entries by state; with `before`, only entries that were claimed before that time. */
  counts(batch: string, before?: Date): Promise<Record<LedgerState, number>>;
}

/** Maximum number of tries of a claim. If all fail, the connection reads from a replica that lags behind, or drops rows. */
const MAX_CLAIM_TRIES = 100;

const PAGE_SIZE = 1_000;

const MAX_HELD = 20_000;

/** Replaces NUL, which JSON can contain and Postgres cannot store. */
const toStored = (text: string | undefined): string | null =>
  text == null ? null : String(text).replaceAll("\0", "\uFFFD");

const toScan = (batch: string, before: string | undefined): Scan => {
  return { order: "at, key", where: "batch = ?", values: [batch], before };
};

/** Merges sources that are sorted by the time of the claim. There may be thousands, so the event loop gets turns in between. */
async function* mergeByTime(
  sources: readonly AsyncIterator<LedgerEntry>[],
): AsyncGenerator<LedgerEntry> {
  const yielder = new Yielder();
  /** The next entry of each source, the oldest at the end. */
  const heads: { readonly entry: LedgerEntry; readonly source: AsyncIterator<LedgerEntry> }[] = [];
  const advance = async (source: AsyncIterator<LedgerEntry>): Promise<void> => {
    await yielder.turn();
    const { value: entry, done } = await source.next();
    if (done) return;
    // The next entry of a source is usually among the oldest, so its place is near the end.
    const place = heads.findLastIndex((head) => head.entry.at > entry.at) + 1;
    heads.splice(place, 0, { entry, source });
  };
  for (const source of sources) await advance(source);
  for (let head = heads.pop(); head; head = heads.pop()) {
    yield head.entry;
    await advance(head.source);
  }
}

/** @param open Resolves to the table, which then exists; called before each use. */
export function sqlLedger(
  open: () => Promise<SqlDatabase>,
  close = async (): Promise<void> => {},
): SqlLedger {
  let statements: Statements | undefined;
  const run = async (
    name: keyof Statements,
    values: Values,
    kind: StatementKind,
    columns: readonly string[] = ONE,
  ): Promise<readonly Row[]> => {
    const table = await open();
    statements ??= statementsFor(table);
    return table.query(statements[name], values, kind, columns);
  };
  const entryOf = async (
    name: "find" | "findRef" | "confirm",
    values: Values,
    kind: StatementKind = "read",
  ): Promise<LedgerEntry | undefined> => {
    const [row] = await run(name, values, kind, ENTRY_COLUMNS);
    return row && toEntry(row);
  };
  const factOf = async (name: "now" | "size") => (await run(name, [], "read", [name]))[0]?.[name];

  async function* scanEntries(
    states: EntryFilter["states"],
    scan: Scan,
  ): AsyncGenerator<LedgerEntry> {
    const table = await open();
    const inState = states ? `AND state IN (${states.map(() => "?").join(", ")})` : "";
    const pages = inSteps(table, scan, (condition, values) =>
      table.query(
        `SELECT ${entryWith(table.now)} FROM ${table.name} WHERE ${condition} ${inState} ORDER BY ${scan.order}`,
        [...values, ...(states ?? [])],
        "read",
        ENTRY_COLUMNS,
      ),
    );
    for await (const rows of pages) yield* rows.map(toEntry);
  }

  async function* batches(): AsyncGenerator<string> {
    const yielder = new Yielder();
    for (let last = ""; ; ) {
      await yielder.turn();
      const [row] = await run("nextBatch", [last], "read", ["batch"]);
      if (!row) return;
      last = String(row.batch);
      yield last;
    }
  }

  async function* select({ batch, states, before }: EntryFilter): AsyncGenerator<LedgerEntry> {
    if (states?.length === 0) return;
    if (states?.every((state) => IN_DOUBT.includes(state))) {
      // With a plain `batch = ?`, a planner may choose an index of all entries instead of the index of doubts.
      const inBatch = batch === undefined ? "" : ` AND batch || '' = ?`;
      const values = batch === undefined ? [] : [batch];
      const where = IS_IN_DOUBT + inBatch;
      const scan = { order: "at, batch, key", where, values, before, maxRows: PAGE_SIZE };
      return yield* scanEntries(states, scan);
    }
    const names: string[] = [];
    if (batch !== undefined) names.push(batch);
    else for await (const name of batches()) names.push(name);
    const share = Math.floor(MAX_HELD / Math.max(1, names.length));
    const maxRows = Math.max(ROWS.min, Math.min(PAGE_SIZE, share));
    const sources = names.map((name) => scanEntries(states, { ...toScan(name, before), maxRows }));
    yield* mergeByTime(sources);
  }

  return {
    now: async () => Date.parse(String(await factOf("now"))),
    size: async () => Number(await factOf("size")),
    batches,

    find: (batch, key) => entryOf("find", [batch, key]),

    async claim(claim) {
      const { batch, key } = claim;
      const values = toValues(claim, "sending");
      for (let tries = 1; tries <= MAX_CLAIM_TRIES; tries += 1) {
        if ((await run("claim", values, "claim")).length > 0) return undefined;
        const entry = await entryOf("find", [batch, key]);
        // An entry that no longer prevents the claim was decided or deleted between the two statements.
        if (toClaimResult(entry, claim) !== "claimed") return entry;
      }
      throw new Error(
        "the database neither records the claim nor shows an entry that prevents it: pass a connection that reads from the primary",
      );
    },

    async settle(claim, { state, transactionId: told, code = null }) {
      const { id, batch, key } = claim;
      const transactionId = toStored(told);
      const entry = toValues(claim, state, transactionId, code);
      const settled =
        state === "accepted"
          ? run("settleAccepted", entry, "write")
          : state === "unknown"
            ? run("settleUnknown", entry, "write")
            : run("settle", [transactionId, code, state, batch, key, id, state], "write");
      return (await settled).length > 0;
    },

    async resolve(batch, key, as, id) {
      const values = [as, batch, key, as === "open" ? "rejected" : "unknown", id ?? null];
      return (await run("resolve", values, "write")).length > 0;
    },

    async confirm(ref, details) {
      // A `ref` comes from a URL, which can lack it, repeat it, or contain NUL. Postgres cannot store NUL.
      if (typeof ref !== "string" || ref.includes("\0")) return undefined;
      // Most webhooks concern messages that are already accepted and need no write.
      const entry = await entryOf("findRef", [ref]);
      if (!entry || !toConfirmedEntry(entry)) return entry;
      const confirmed = await entryOf("confirm", [toStored(details?.transactionId), ref], "write");
      return confirmed ?? entryOf("findRef", [ref]);
    },

    entries: (filter) => select(checkFilter(filter)),

    async counts(batch, before) {
      const table = await open();
      const counts = noCounts();
      // A claim changes `at` but not `key`, so in the order of keys, each entry is counted once even while keys are claimed.
      const order = before === undefined ? "key" : "at, key";
      const scan = { ...toScan(batch, before?.toISOString()), order };
      const steps = inSteps(table, scan, (condition, values) => {
        const statement = `
          SELECT state, count(*) AS count FROM ${table.name} WHERE ${condition} GROUP BY state`;
        return table.query(statement, values, "read", ["state", "count"]);
      });
      for await (const rows of steps) {
        for (const { state, count } of rows) {
          const name = state as LedgerState;
          // The table may contain other states, for example one that somebody wrote by hand.
          const known = Object.hasOwn(counts, name) ? counts[name] : 0;
          // Postgres counts in 64 bits, which drivers return as strings.
          counts[name] = known + Number(count);
        }
      }
      return counts;
    },

    async forget(filter) {
      const { batch, before } = checkForgetFilter(filter);
      const table = await open();
      const scan = { ...toScan(batch, before), writes: true };
      const steps = inSteps(table, scan, (condition, values, isLast) => {
        const statement = `DELETE FROM ${table.name} WHERE ${condition} RETURNING 1 AS one`;
        // The last step flushes to the disk, and flushes the earlier steps with it.
        return table.query(statement, values, isLast ? "write" : "forget", ONE);
      });
      let forgotten = 0;
      for await (const rows of steps) forgotten += rows.length;
      return forgotten;
    },

    close,
  };
}
