// The table of a ledger in SQLite or Postgres: its rows, the wait while other connections are busy, and scans of many rows in
// short steps.

import { isIsolateShared, Lease } from "../../core/isolate.ts";
import { assertBoolean, ignoreErrors, or, readOptions } from "../../core/options.ts";

export type Row = Readonly<Record<string, string | number | bigint | null>>;

export type Values = readonly (string | null)[];

/**
 * Effect of a statement. A `claim` is a write that does not wait for a transaction of the application. A `forget` is a
 * write that is not flushed to the disk, so the deleted rows may be back after a crash.
 */
export type StatementKind = "read" | "claim" | "write" | "forget";

export interface SqlDatabase {
  /** Name of the table, quoted and with its schema. */
  readonly name: string;
  /** Runs one statement; each `?` outside of a quoted name is a value. Returns rows with exactly these columns. */
  query(
    sql: string,
    values: Values,
    kind: StatementKind,
    columns: readonly string[],
  ): Promise<readonly Row[]>;
  /** SQL expression for the time by the clock that all users of the database share, in ISO 8601 in UTC with milliseconds. */
  readonly now: string;
  /** SQL expression for the size in bytes of the database or the table. */
  readonly size: string;
}

/** Returns the checked options of a ledger in a table. The name of the table is checked where it is used. */
export const toTableOptions = (options: {
  readonly table?: string | undefined;
  readonly create?: boolean | undefined;
}) =>
  readOptions("options", options, {
    table: (_name, table = "messaging_sends") => table,
    create: or(assertBoolean),
  });

/** Error for a ledger that does not exist and must not be created. */
export class MissingLedger extends Error {
  readonly place: string;

  constructor(place: string) {
    super(`there is no ledger in ${place}, and the option \`create\` is false`);
    this.place = place;
  }
}

/** @throws MissingLedger if no new ledger may be created. */
export const assertCreatable = (create: boolean | undefined, place: string): void => {
  if (create === false) throw new MissingLedger(place);
};

/** Warns of a new ledger that the caller did not request. With a ledger in the wrong place, everybody could be texted again. */
export const warnOfNewLedger = (create: boolean | undefined, place: string): void => {
  if (create) return;
  const warning = `Created a new ledger in ${place}. If one should exist already, this is the wrong place. Set \`create\` to false once it exists.`;
  ignoreErrors(() => console.warn(warning));
};

export const ROWS = { firstRead: 500, firstWrite: 50, min: 20, max: 10_000 };
const STEP_MS = 10;

/**
 * Longest time in milliseconds for which a step is retried. It is below the default `ledgerTimeout`, so the error contains the
 * reason of the database.
 */
const MAX_BUSY_MS = 9_000;
const MAX_PAUSE_MS = 5;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Retries a step while the database refuses it because another connection is busy. A refused step has had no effect. */
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
 * Returns a function that calls `prepare` once and shares its result. After a failure, the next call tries again.
 *
 * In an isolate that requests share, a promise of another request may stay pending forever. The other calls therefore wait with
 * their own timers, as long as the request of the preparing call is alive.
 */
export const onFirstUse = <T>(prepare: () => Promise<T>): (() => Promise<T>) => {
  let ready: { readonly value: T } | undefined;
  let lease: Lease | undefined;
  let preparing: Promise<T> | undefined;
  const start = async () => {
    const own = new Lease(isIsolateShared());
    lease = own;
    try {
      const value = await prepare();
      ready ??= { value };
      return ready.value;
    } finally {
      own.end();
      preparing = undefined;
    }
  };
  return async () => {
    while (!ready && lease?.isOver === false && isIsolateShared()) await sleep(MAX_PAUSE_MS);
    if (ready) return ready.value;
    if (isIsolateShared()) return start();
    preparing ??= start();
    return preparing;
  };
};

/** Rows to scan, in the order of an index. */
export interface Scan {
  readonly order: string;
  /** Condition that limits the scan to a part of the index. */
  readonly where: string;
  readonly values: Values;
  /** Time before which the entries were claimed. */
  readonly before?: string | undefined;
  readonly maxRows?: number;
  /** Whether the steps write. In that case, other writers get a turn between two steps. */
  readonly writes?: boolean;
}

/**
 * Scans rows in steps that are short enough to block no other work. Calls `run` with the condition of each step, and yields its
 * results. A step is bounded by the rows that it scans, not by the rows that `run` finds, so rare matches do not make it longer.
 */
export async function* inSteps<T>(
  table: SqlDatabase,
  { order, where, values, before, maxRows = ROWS.max, writes = false }: Scan,
  run: (condition: string, values: Values, isLast: boolean) => Promise<T>,
): AsyncGenerator<T> {
  const columns = order.split(", ");
  const [first] = columns;
  const marks = `(${columns.map(() => "?").join(", ")})`;
  // SQLite finds its position in the index by the comparisons of whole rows, so they come first. Postgres estimates by the
  // comparisons of one column.
  const from = `${where} AND (${order}) >= ${marks}`;
  const rest = `${from} AND ${first} >= ?${before === undefined ? "" : " AND at < ?"}`;
  const step = `${from} AND (${order}) < ${marks} AND ${first} BETWEEN ? AND ?`;
  const findEnd = `
    SELECT ${order} FROM ${table.name} WHERE ${rest} ORDER BY ${order} LIMIT 1 OFFSET ?`;
  let position: Values = columns.map(() => "");
  let rows = Math.min(writes ? ROWS.firstWrite : ROWS.firstRead, maxRows);
  /** Time that every statement takes, such as a round trip. It blocks no other work, so it is not counted. */
  let latencyMs = Number.POSITIVE_INFINITY;
  for (;;) {
    const start = performance.now();
    const [low = ""] = position;
    const inRest = [...values, ...position, low, ...(before === undefined ? [] : [before])];
    const [end] = await table.query(findEnd, [...inRest, `${rows}`], "read", columns);
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
