// The statements that SQLite and Postgres share. Each one decides and writes at once, so that no transaction is needed.
import {
  checkFilter,
  checkForgetFilter,
  type EntryFilter,
  type Ledger,
  type LedgerEntry,
  type LedgerState,
  noCounts,
  toClaimResult,
  toConfirmedEntry,
} from "./ledger.ts";

/** Row of a result; a column without a value is `null`. */
export type Row = Readonly<Record<string, string | number | bigint | null>>;

/** Values of a statement. */
export type Values = readonly (string | null)[];

/**
 * Effect of a statement. A `claim` is a write that must not wait for the application; after a crash, what a `forget` deleted
 * may be there again.
 */
export type StatementKind = "read" | "claim" | "write" | "forget";

/** The part of a database that a ledger uses, with its table. */
export interface SqlDatabase {
  /** Name of the table, quoted and with its schema. */
  readonly table: string;
  /** Runs one statement and returns its rows. Each `?` is a value, in order. */
  query(sql: string, values: Values, kind: StatementKind): Promise<readonly Row[]>;
}

/** A ledger in a table, with what its command needs. */
export interface SqlLedger extends Ledger {
  /** Iterates over the names of all batches. */
  batches(): AsyncGenerator<string>;
  /** Counts entries by state; with a time, those that were claimed before it. */
  countsOf(filter: EntryFilter): Promise<Record<LedgerState, number>>;
  /** Does what `forget` does, and yields the number of entries of each step. */
  forgetInSteps(filter: EntryFilter): AsyncGenerator<number>;
}

/** Name of a table or a schema. */
export const IDENTIFIER = /^[A-Za-z_][\w$]{0,62}$/;

/** Number of tries of a claim. If none succeeds, the connection reads from a replica that lags behind, or drops rows. */
const MAX_CLAIM_TRIES = 100;

/** Largest number of entries that are read at once. */
const PAGE_SIZE = 1_000;

/** Numbers of rows that one step passes over, and the time that it should take in milliseconds. */
const ROWS = { firstRead: 500, firstWrite: 50, min: 20, max: 10_000 };
const STEP_MS = 10;

/** Longest time that a step is repeated in milliseconds: less than a run waits for its ledger, so that the error says why. */
const MAX_BUSY_MS = 9_000;
/** Longest pause between two tries in milliseconds. */
const MAX_PAUSE_MS = 5;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Repeats a step while the database refuses it, without having done anything, because another connection is at work. */
export const whileBusy = async <T>(
  step: () => T | Promise<T>,
  isBusy: (error: unknown) => boolean,
): Promise<T> => {
  const end = performance.now() + MAX_BUSY_MS;
  for (let longest = 1; ; longest = Math.min(2 * longest, MAX_PAUSE_MS)) {
    try {
      return await step();
    } catch (error) {
      if (performance.now() >= end || !isBusy(error)) throw error;
    }
    await sleep(Math.random() * longest);
  }
};

/**
 * Returns a function that prepares something on its first call and shares it afterwards. After a failure, the next call
 * tries again.
 */
export const onFirstUse = <T>(prepare: () => Promise<T>): (() => Promise<T>) => {
  let prepared: Promise<T> | undefined;
  return () => {
    prepared ??= prepare().catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
    return prepared;
  };
};

const COLUMNS = [
  ...["batch", "key", "state", "id", "digest", "ref", "owner", "at"],
  ...["transaction_id", "code"],
];
const ENTRY = COLUMNS.join(", ").replace("transaction_id", `transaction_id AS "transactionId"`);
const IS_IN_DOUBT = "state IN ('sending', 'unknown')";

/** Returns the columns of the table and its key; `text` is the type of what is compared and sorted by bytes. */
export const columnsOf = (text: string): string => `(
  batch ${text} NOT NULL,
  key ${text} NOT NULL,
  state text NOT NULL,
  id text NOT NULL,
  digest text NOT NULL,
  ref text NOT NULL,
  owner text NOT NULL,
  at ${text} NOT NULL,
  transaction_id text,
  code text,
  PRIMARY KEY (batch, key)
)`;

/**
 * Further indexes of the table. None is unique, so that two claims of one key at the same moment meet at its primary key,
 * where `ON CONFLICT` decides.
 */
export const INDEXES = {
  ref: "(ref)",
  by_time: "(batch, at, key)",
  in_doubt: `(at, batch, key) WHERE ${IS_IN_DOUBT}`,
};

const statementsFor = (table: string) => {
  const claimed = COLUMNS.slice(2).map((column) => `${column} = excluded.${column}`);
  const insert = `INSERT INTO ${table} AS entry (${COLUMNS.join(", ")})`;
  const settle = "state = excluded.state, code = excluded.code, transaction_id";
  return {
    find: `SELECT ${ENTRY} FROM ${table} WHERE batch = ? AND key = ?`,
    // Returns nothing if the entry of the key stands in the way.
    claim: `
      ${insert} VALUES (?, ?, 'sending', ?, ?, ?, ?, ?, NULL, NULL)
      ON CONFLICT (batch, key) DO UPDATE SET ${claimed.join(", ")}
      WHERE entry.state = 'open'
        OR (entry.state = 'rejected' AND entry.digest <> excluded.digest)
        OR (entry.state = 'sending' AND entry.ref = excluded.ref)
      RETURNING key`,
    // If the claim was lost, its entry is written again.
    settleAccepted: `
      ${insert} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (batch, key) DO UPDATE SET
        ${settle} = COALESCE(entry.transaction_id, excluded.transaction_id)
      RETURNING key`,
    // An entry that has the state already holds the result of an earlier try, and keeps its details.
    settleUnknown: `
      ${insert} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (batch, key) DO UPDATE SET
        state = excluded.state,
        transaction_id = CASE entry.state WHEN 'sending' THEN excluded.transaction_id ELSE entry.transaction_id END,
        code = CASE entry.state WHEN 'sending' THEN excluded.code ELSE entry.code END
      WHERE entry.id = excluded.id AND entry.state IN ('sending', 'unknown')
      RETURNING key`,
    settle: `
      UPDATE ${table} SET
        transaction_id = CASE state WHEN 'sending' THEN ? ELSE transaction_id END,
        code = CASE state WHEN 'sending' THEN ? ELSE code END,
        state = ?
      WHERE batch = ? AND key = ? AND id = ? AND state IN ('sending', ?)
      RETURNING key`,
    resolve: `
      UPDATE ${table} SET state = ?, code = NULL
      WHERE batch = ? AND key = ? AND state IN ('sending', 'unknown', ?) RETURNING key`,
    findRef: `SELECT ${ENTRY} FROM ${table} WHERE ref = ?`,
    confirm: `
      UPDATE ${table}
      SET state = 'accepted', transaction_id = COALESCE(transaction_id, ?), code = NULL
      WHERE ref = ? AND state NOT IN ('accepted', 'rejected') RETURNING ${ENTRY}`,
    nextBatch: `SELECT batch FROM ${table} WHERE batch > ? ORDER BY batch LIMIT 1`,
  };
};

/** Converts a row into an entry, without the columns that are `null`. */
const toEntry = (row: Row): LedgerEntry =>
  // The columns of `ENTRY` have the names of an entry's fields.
  Object.fromEntries(
    Object.entries(row).filter(([, value]) => value !== null),
  ) as unknown as LedgerEntry;

/** Rows to pass over, in the order of an index. */
interface Scan {
  /** Columns of the index, in its order. */
  readonly order: string;
  /** Condition on rows, by the columns before `order`. */
  readonly where: string;
  readonly values: Values;
  /** Time before which the entries were claimed. */
  readonly before?: string | undefined;
  /** Largest number of rows of one step. */
  readonly maxRows?: number;
  /** Whether the steps write, so that other writers need a turn between them. */
  readonly writes?: boolean;
}

/**
 * Passes over rows in steps that are short enough to block nobody, and yields what `run` returns for the condition of each
 * step. The rows that a step passes over bound it, so a condition that few of them meet does not make it longer.
 */
async function* inSteps<T>(
  database: SqlDatabase,
  { order, where, values, before, maxRows = ROWS.max, writes = false }: Scan,
  run: (condition: string, values: Values, isLast: boolean) => Promise<T>,
): AsyncGenerator<T> {
  const columns = order.split(", ");
  const [first] = columns;
  const marks = `(${columns.map(() => "?").join(", ")})`;
  // SQLite follows the index by the comparisons of rows, which come first for that. Postgres estimates those of one column.
  const from = `${where} AND (${order}) >= ${marks}`;
  const rest = `${from} AND ${first} >= ?${before === undefined ? "" : " AND at < ?"}`;
  const step = `${from} AND (${order}) < ${marks} AND ${first} BETWEEN ? AND ?`;
  const findEnd = `
    SELECT ${order} FROM ${database.table} WHERE ${rest} ORDER BY ${order} LIMIT 1 OFFSET ?`;
  let position: Values = columns.map(() => "");
  let rows = Math.min(writes ? ROWS.firstWrite : ROWS.firstRead, maxRows);
  /** Time that any statement takes, such as a round trip: it blocks nobody. */
  let latencyMs = Number.POSITIVE_INFINITY;
  for (;;) {
    const start = performance.now();
    const [low = ""] = position;
    const inRest = [...values, ...position, low, ...(before === undefined ? [] : [before])];
    const [end] = await database.query(findEnd, [...inRest, `${rows}`], "read");
    if (!end) return yield await run(rest, inRest, true);
    const found = performance.now();
    latencyMs = Math.min(latencyMs, found - start);
    const next = columns.map((column) => String(end[column]));
    const result = await run(step, [...values, ...position, ...next, low, next[0] ?? ""], false);
    const workMs = Math.max(0, performance.now() - found - latencyMs);
    yield result;
    position = next;
    const fitting = rows * Math.min(2, STEP_MS / workMs);
    rows = Math.round(Math.min(maxRows, Math.max(ROWS.min, fitting)));
    await sleep(writes ? workMs : 0);
  }
}

/** Merges entries that are sorted by time. */
async function* oldestFirst(
  sources: readonly AsyncGenerator<LedgerEntry>[],
): AsyncGenerator<LedgerEntry> {
  /** The next entry of each source, the oldest at the end. */
  const heads: { readonly entry: LedgerEntry; readonly source: AsyncGenerator<LedgerEntry> }[] = [];
  const advance = async (source: AsyncGenerator<LedgerEntry>): Promise<void> => {
    const { value: entry, done } = await source.next();
    if (done) return;
    let [low, high] = [0, heads.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((heads[middle]?.entry.at ?? "") > entry.at) low = middle + 1;
      else high = middle;
    }
    heads.splice(low, 0, { entry, source });
  };
  for (const source of sources) await advance(source);
  for (let head = heads.pop(); head; head = heads.pop()) {
    yield head.entry;
    await advance(head.source);
  }
}

/**
 * Creates a ledger over a table of a database.
 *
 * @param open - Opens the database at each use; the table exists then.
 */
export function sqlLedger(open: () => Promise<SqlDatabase>, close: () => Promise<void>): SqlLedger {
  let statements: ReturnType<typeof statementsFor> | undefined;
  const use = async () => {
    const database = await open();
    statements ??= statementsFor(database.table);
    return { database, sql: statements };
  };

  const entriesOf = (
    database: SqlDatabase,
    states: EntryFilter["states"],
    scan: Scan,
  ): AsyncGenerator<LedgerEntry> => {
    const inState = states ? `AND state IN (${states.map(() => "?").join(", ")})` : "";
    const pages = inSteps(database, scan, (condition, values) => {
      const select = `SELECT ${ENTRY} FROM ${database.table} WHERE ${condition} ${inState}`;
      return database.query(
        `${select} ORDER BY ${scan.order}`,
        [...values, ...(states ?? [])],
        "read",
      );
    });
    return (async function* () {
      for await (const rows of pages) yield* rows.map(toEntry);
    })();
  };

  async function* batches(): AsyncGenerator<string> {
    const { database, sql } = await use();
    for (let last = ""; ; ) {
      const [row] = await database.query(sql.nextBatch, [last], "read");
      if (!row) return;
      last = String(row.batch);
      yield last;
    }
  }

  async function* select({ batch, states, before }: EntryFilter): AsyncGenerator<LedgerEntry> {
    if (states?.length === 0) return;
    const { database } = await use();
    if (states?.every((state) => state === "sending" || state === "unknown")) {
      // As an expression, `batch` does not lead a planner to an index of all entries.
      const inBatch = batch === undefined ? "" : ` AND batch || '' = ?`;
      const where = `${IS_IN_DOUBT}${inBatch}`;
      const values = batch === undefined ? [] : [batch];
      return yield* entriesOf(database, states, {
        ...{ order: "at, batch, key", where, values, before, maxRows: PAGE_SIZE },
      });
    }
    const names: string[] = [];
    if (batch !== undefined) names.push(batch);
    else for await (const name of batches()) names.push(name);
    const maxRows = Math.max(ROWS.min, Math.floor(PAGE_SIZE / Math.max(1, names.length)));
    const sources = names.map((name) =>
      entriesOf(database, states, {
        ...{ order: "at, key", where: "batch = ?", values: [name], before, maxRows },
      }),
    );
    yield* oldestFirst(sources);
  }

  async function* forgetInSteps({ batch, before }: EntryFilter): AsyncGenerator<number> {
    const { database } = await use();
    const scan = {
      ...{ order: "at, key", where: "batch = ?", values: [batch ?? ""], before, writes: true },
    };
    yield* inSteps(database, scan, async (condition, values, isLast) => {
      const statement = `DELETE FROM ${database.table} WHERE ${condition} RETURNING 1 AS one`;
      // The flush of the last step also covers those before it.
      const rows = await database.query(statement, values, isLast ? "write" : "forget");
      return rows.length;
    });
  }

  const countsOf = async ({ batch = "", before }: EntryFilter) => {
    const { database } = await use();
    const counts = noCounts();
    // No key changes its place in the order of keys, so each one is counted once while others are claimed.
    const order = before === undefined ? "key" : "at, key";
    const scan = { order, where: "batch = ?", values: [batch], before };
    const steps = inSteps(database, scan, (condition, values) => {
      const statement = `
        SELECT state, count(*) AS count FROM ${database.table} WHERE ${condition} GROUP BY state`;
      return database.query(statement, values, "read");
    });
    for await (const rows of steps) {
      for (const { state, count } of rows) {
        // Postgres counts in 64 bits, which drivers return as strings.
        counts[state as LedgerState] += Number(count);
      }
    }
    return counts;
  };

  return {
    batches,
    countsOf,
    forgetInSteps,

    async find(batch, key) {
      const { database, sql } = await use();
      const [row] = await database.query(sql.find, [batch, key], "read");
      return row && toEntry(row);
    },

    async claim(claim) {
      const { database, sql } = await use();
      const { id, batch, key, digest, ref, owner, at } = claim;
      for (let tries = 1; tries <= MAX_CLAIM_TRIES; tries += 1) {
        const values = [batch, key, id, digest, ref, owner, at];
        if ((await database.query(sql.claim, values, "claim")).length > 0) return undefined;
        const [row] = await database.query(sql.find, [batch, key], "read");
        const entry = row && toEntry(row);
        // An entry that was in the way, and no longer is, was decided or deleted between the two statements.
        if (toClaimResult(entry, claim) !== "claimed") return entry;
      }
      throw new Error(
        "the database neither takes a claim nor has an entry in its way: pass a connection that reads from the primary",
      );
    },

    async settle(claim, { state, transactionId = null, code = null }) {
      const { database, sql } = await use();
      const { id, batch, key, digest, ref, owner, at } = claim;
      const rows =
        state === "accepted" || state === "unknown"
          ? await database.query(
              state === "accepted" ? sql.settleAccepted : sql.settleUnknown,
              [batch, key, state, id, digest, ref, owner, at, transactionId, code],
              "write",
            )
          : await database.query(
              sql.settle,
              [transactionId, code, state, batch, key, id, state],
              "write",
            );
      return rows.length > 0;
    },

    async resolve(batch, key, as) {
      const { database, sql } = await use();
      const further = as === "open" ? "rejected" : "unknown";
      return (await database.query(sql.resolve, [as, batch, key, further], "write")).length > 0;
    },

    async confirm(ref, details) {
      // It comes from a URL, which can hold NUL; Postgres cannot.
      if (ref.includes("\0")) return undefined;
      const { database, sql } = await use();
      // Most webhooks are about messages that are accepted already, which takes no write.
      const [found] = await database.query(sql.findRef, [ref], "read");
      const entry = found && toEntry(found);
      if (!entry || !toConfirmedEntry(entry)) return entry;
      const [confirmed] = await database.query(
        sql.confirm,
        [details?.transactionId ?? null, ref],
        "write",
      );
      if (confirmed) return toEntry(confirmed);
      const [decided] = await database.query(sql.findRef, [ref], "read");
      return decided && toEntry(decided);
    },

    entries: (filter) => select(checkFilter(filter)),

    counts: (batch) => countsOf({ batch, states: undefined, before: undefined }),

    async forget(filter) {
      let forgotten = 0;
      for await (const count of forgetInSteps(checkForgetFilter(filter))) forgotten += count;
      return forgotten;
    },

    close,
  };
}
