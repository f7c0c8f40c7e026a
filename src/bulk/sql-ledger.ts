// The ledger over SQLite or Postgres, with the statements that both share. Each statement decides and writes at once: no transaction is needed.
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
import {
  COLUMNS,
  IS_IN_DOUBT,
  inSteps,
  newTurns,
  ONE,
  ROWS,
  type Row,
  type Scan,
  type SqlDatabase,
} from "./sql-database.ts";

/** Ledger in a table, with additional methods for the command. */
export interface SqlLedger extends Ledger {
  /** Resolves to the time of the ledger's clock in milliseconds since 1970. */
  now(): Promise<number>;
  /** Iterates over the names of all batches. */
  batches(): AsyncGenerator<string>;
  /** Counts entries by state; with `before`, only entries that were claimed before that time. */
  countsOf(filter: EntryFilter): Promise<Record<LedgerState, number>>;
  /** Records a person's decision; with the `id` of a claim, only if nobody has claimed the key since. */
  resolve(batch: string, key: string, as: "accepted" | "open", id?: string): Promise<boolean>;
  /** Deletes entries as `forget` does, and yields the number that each step deleted. */
  forgetInSteps(filter: EntryFilter): AsyncGenerator<number>;
}

/** Maximum number of tries of a claim. If none succeeds, the connection reads from a replica that lags behind, or drops rows. */
const MAX_CLAIM_TRIES = 100;

/** Largest number of entries that are read at once. */
const PAGE_SIZE = 1_000;

/** Maximum number of entries in memory while the entries of several batches are merged. */
const MAX_HELD = 20_000;

/** Columns of an entry in results. No driver that converts between snake case and camel case renames a single word. */
const ENTRY_COLUMNS = [
  ...["batch", "key", "state", "id", "digest", "ref", "owner", "at", "transaction", "code"],
];
const ENTRY = `batch, key, state, id, digest, ref, owner, at, transaction_id AS "transaction", code`;

const statementsFor = (table: string) => {
  const claimed = COLUMNS.slice(2).map((column) => `${column} = excluded.${column}`);
  const insert = `INSERT INTO ${table} AS entry (${COLUMNS.join(", ")})`;
  const settle = "state = excluded.state, code = excluded.code, transaction_id";
  return {
    find: `SELECT ${ENTRY} FROM ${table} WHERE batch = ? AND key = ?`,
    // Returns no row if the entry of the key prevents the claim.
    claim: `
      ${insert} VALUES (?, ?, 'sending', ?, ?, ?, ?, ?, NULL, NULL)
      ON CONFLICT (batch, key) DO UPDATE SET ${claimed.join(", ")}
      WHERE entry.state = 'open'
        OR (entry.state = 'rejected' AND entry.digest <> excluded.digest)
        OR (entry.state = 'sending' AND entry.ref = excluded.ref)
      RETURNING 1 AS one`,
    // If the database lost the claim, the entry is written again.
    settleAccepted: `
      ${insert} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (batch, key) DO UPDATE SET
        ${settle} = COALESCE(entry.transaction_id, excluded.transaction_id)
      RETURNING 1 AS one`,
    // An entry that is already `unknown` holds the result of an earlier try, and keeps its details.
    settleUnknown: `
      ${insert} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (batch, key) DO UPDATE SET
        state = excluded.state,
        transaction_id = CASE entry.state WHEN 'sending' THEN excluded.transaction_id ELSE entry.transaction_id END,
        code = CASE entry.state WHEN 'sending' THEN excluded.code ELSE entry.code END
      WHERE entry.id = excluded.id AND entry.state IN ('sending', 'unknown')
      RETURNING 1 AS one`,
    settle: `
      UPDATE ${table} SET
        transaction_id = CASE state WHEN 'sending' THEN ? ELSE transaction_id END,
        code = CASE state WHEN 'sending' THEN ? ELSE code END,
        state = ?
      WHERE batch = ? AND key = ? AND id = ? AND state IN ('sending', ?)
      RETURNING 1 AS one`,
    resolve: `
      UPDATE ${table} SET state = ?, code = NULL
      WHERE batch = ? AND key = ? AND state IN ('sending', 'unknown', ?) AND id = COALESCE(?, id)
      RETURNING 1 AS one`,
    findRef: `SELECT ${ENTRY} FROM ${table} WHERE ref = ?`,
    confirm: `
      UPDATE ${table}
      SET state = 'accepted', transaction_id = COALESCE(transaction_id, ?), code = NULL
      WHERE ref = ? AND state NOT IN ('accepted', 'rejected') RETURNING ${ENTRY}`,
    nextBatch: `SELECT batch FROM ${table} WHERE batch > ? ORDER BY batch LIMIT 1`,
  };
};

/** Converts a row into an entry, without the columns that are `null`. */
const toEntry = ({ transaction: transactionId, ...row }: Row): LedgerEntry =>
  // The other columns of `ENTRY` have the names of an entry's fields.
  Object.fromEntries(
    Object.entries({ ...row, transactionId }).filter(([, value]) => value != null),
  ) as unknown as LedgerEntry;

/** Merges entries that are sorted by time. There may be as many sources as batches. */
async function* oldestFirst(
  sources: readonly AsyncGenerator<LedgerEntry>[],
  turn: () => Promise<void>,
): AsyncGenerator<LedgerEntry> {
  /** The next entry of each source, the oldest at the end. */
  const heads: { readonly entry: LedgerEntry; readonly source: AsyncGenerator<LedgerEntry> }[] = [];
  const advance = async (source: AsyncGenerator<LedgerEntry>): Promise<void> => {
    await turn();
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
 * @param open Function that resolves to the database, whose table then exists; called before each use.
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
        ENTRY_COLUMNS,
      );
    });
    return (async function* () {
      for await (const rows of pages) yield* rows.map(toEntry);
    })();
  };

  async function* batches(): AsyncGenerator<string> {
    const { database, sql } = await use();
    const turn = newTurns();
    for (let last = ""; ; ) {
      await turn();
      const [row] = await database.query(sql.nextBatch, [last], "read", ["batch"]);
      if (!row) return;
      last = String(row.batch);
      yield last;
    }
  }

  async function* select({ batch, states, before }: EntryFilter): AsyncGenerator<LedgerEntry> {
    if (states?.length === 0) return;
    const { database } = await use();
    if (states?.every((state) => state === "sending" || state === "unknown")) {
      // With a plain `batch = ?`, a planner may choose an index of all entries instead of the index of doubts.
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
    const share = Math.floor(MAX_HELD / Math.max(1, names.length));
    const maxRows = Math.max(ROWS.min, Math.min(PAGE_SIZE, share));
    const sources = names.map((name) =>
      entriesOf(database, states, {
        ...{ order: "at, key", where: "batch = ?", values: [name], before, maxRows },
      }),
    );
    yield* oldestFirst(sources, newTurns());
  }

  async function* forgetInSteps({ batch, before }: EntryFilter): AsyncGenerator<number> {
    const { database } = await use();
    const scan = {
      ...{ order: "at, key", where: "batch = ?", values: [batch ?? ""], before, writes: true },
    };
    yield* inSteps(database, scan, async (condition, values, isLast) => {
      const statement = `DELETE FROM ${database.table} WHERE ${condition} RETURNING 1 AS one`;
      // The last step flushes to the disk, and flushes the earlier steps with it.
      const rows = await database.query(statement, values, isLast ? "write" : "forget", ONE);
      return rows.length;
    });
  }

  const countsOf = async ({ batch = "", before }: EntryFilter) => {
    const { database } = await use();
    const counts = noCounts();
    // A claim changes `at` but not `key`: in the order of keys, each entry is counted once even while keys are claimed.
    const order = before === undefined ? "key" : "at, key";
    const scan = { order, where: "batch = ?", values: [batch], before };
    const steps = inSteps(database, scan, (condition, values) => {
      const statement = `
        SELECT state, count(*) AS count FROM ${database.table} WHERE ${condition} GROUP BY state`;
      return database.query(statement, values, "read", ["state", "count"]);
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
    now: async () => (await open()).now(),
    batches,
    countsOf,
    forgetInSteps,

    async find(batch, key) {
      const { database, sql } = await use();
      const [row] = await database.query(sql.find, [batch, key], "read", ENTRY_COLUMNS);
      return row && toEntry(row);
    },

    async claim(claim) {
      const { database, sql } = await use();
      const { id, batch, key, digest, ref, owner, at } = claim;
      for (let tries = 1; tries <= MAX_CLAIM_TRIES; tries += 1) {
        const values = [batch, key, id, digest, ref, owner, at];
        if ((await database.query(sql.claim, values, "claim", ONE)).length > 0) return undefined;
        const [row] = await database.query(sql.find, [batch, key], "read", ENTRY_COLUMNS);
        const entry = row && toEntry(row);
        // An entry that no longer prevents the claim was decided or deleted between the two statements.
        if (toClaimResult(entry, claim) !== "claimed") return entry;
      }
      throw new Error(
        "the database neither records the claim nor shows an entry that prevents it: pass a connection that reads from the primary",
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
              ONE,
            )
          : await database.query(
              sql.settle,
              [transactionId, code, state, batch, key, id, state],
              "write",
              ONE,
            );
      return rows.length > 0;
    },

    async resolve(batch, key, as, id) {
      const { database, sql } = await use();
      const values = [as, batch, key, as === "open" ? "rejected" : "unknown", id ?? null];
      return (await database.query(sql.resolve, values, "write", ONE)).length > 0;
    },

    async confirm(ref, details) {
      // A `ref` comes from a URL, which can hold NUL. Postgres cannot store NUL.
      if (ref.includes("\0")) return undefined;
      const { database, sql } = await use();
      // Most webhooks concern messages that are already accepted: they need no write.
      const [found] = await database.query(sql.findRef, [ref], "read", ENTRY_COLUMNS);
      const entry = found && toEntry(found);
      if (!entry || !toConfirmedEntry(entry)) return entry;
      const [confirmed] = await database.query(
        sql.confirm,
        [details?.transactionId ?? null, ref],
        "write",
        ENTRY_COLUMNS,
      );
      if (confirmed) return toEntry(confirmed);
      const [decided] = await database.query(sql.findRef, [ref], "read", ENTRY_COLUMNS);
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
