import { assertFunction, invalidOption } from "../../core/options.ts";
import type { Ledger } from "./ledger.ts";
import { mismatchError, toRows } from "./postgres-rows.ts";
import {
  assertCreatable,
  onFirstUse,
  type SqlDatabase,
  toTableOptions,
  type Values,
  warnOfNewLedger,
  whileBusy,
} from "./sql-database.ts";
import { type SqlLedger, sqlLedger } from "./sql-ledger.ts";
import {
  assertColumns,
  COLUMNS,
  columnsOf,
  furtherIndexes,
  IDENTIFIER,
  ONE,
} from "./sql-statements.ts";

/** Anything that runs a query on Postgres: a pool or a client of `pg`, PGlite or Neon. */
export interface Queryable {
  /**
   * Runs one statement. `$1` is the first value. Resolves to the rows, or to an object with `rows`. A row is an object with the
   * columns of the statement, under their own names.
   */
  query(text: string, values: (string | null)[]): Promise<unknown>;
}

/** Options of {@link postgresLedger}. */
export interface PostgresLedgerOptions {
  /**
   * Name of the table, case-sensitive. Add the schema, as in `jobs.sends`, if connections change their `search_path`.
   * Default: `messaging_sends`, in the schema of the connection.
   */
  readonly table?: string | undefined;
  /**
   * Whether to create a missing ledger. `false` throws an error, so a job with a wrong database, schema or role does not text
   * everybody again. `true` creates it silently. Default: create it and warn with `console.warn`.
   */
  readonly create?: boolean | undefined;
}

const parseTable = (table: unknown): readonly [schema: string | undefined, name: string] => {
  const parts = typeof table === "string" ? table.split(".") : [];
  const name = parts.pop();
  if (
    name !== undefined &&
    parts.length <= 1 &&
    [...parts, name].every((part) => IDENTIFIER.test(part))
  ) {
    return [parts[0], name];
  }
  throw invalidOption(
    "table",
    "a table name of letters, digits, _ and $, optionally after a schema and a dot",
  );
};

/** Codes of a statement that was rolled back: a serialization failure (at a stricter isolation than the default), a deadlock. */
const ROLLED_BACK = /^40(001|P01)$/;

/** Returns whether an error is about a statement that was rolled back. Libraries such as Sequelize wrap the error of the driver. */
const isRolledBack = (error: unknown): boolean => {
  const { code, parent, cause, meta } = Object(error);
  return [code, parent?.code, cause?.code, meta?.driverAdapterError?.cause?.originalCode].some(
    (each) => ROLLED_BACK.test(each),
  );
};

/** Type of compared columns. It sorts by bytes, because the order of a locale can change, and indexes would then miss keys. */
const BYTES = `text COLLATE "C"`;

/** Returns the statements that create a table with its indexes. The guide lists them for the default table. */
export const defineTable = (table: string): string =>
  [
    `CREATE TABLE ${table} ${columnsOf(BYTES)};`,
    ...Object.values(furtherIndexes()).map((columns) => `CREATE INDEX ON ${table} ${columns};`),
  ].join("\n");

/** The time of the server, which also advances during a transaction. */
const NOW = `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Returns the statement that looks up a table, and the `search_path` of the connection: the current one and the initial one. The
 * casts are for drivers that cannot read the types of the catalog, and the time is for drivers that convert times to objects.
 */
const locateQuery = () => `
  SELECT ${NOW} AS now, setting AS path, reset_val AS initial, current_schema()::text AS current,
    nspname::text AS schema,
    (relkind IN ('r', 'p') AND relpersistence = 'p' AND NOT EXISTS (
      SELECT FROM pg_partition_tree(pg_class.oid) JOIN pg_class AS part ON part.oid = relid
      WHERE part.relpersistence <> 'p'))::text AS lasting,
    (SELECT string_agg(attname::text, ' ') FROM pg_attribute
      WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped) AS columns,
    (current_setting('transaction_read_only') = 'off'
      AND has_table_privilege(pg_class.oid, 'INSERT')
      AND has_table_privilege(pg_class.oid, 'UPDATE')
      AND has_table_privilege(pg_class.oid, 'DELETE'))::text AS writable
  FROM pg_settings LEFT JOIN pg_class ON pg_class.oid = to_regclass(?)
    LEFT JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE pg_settings.name = 'search_path'`;
const LOCATED = ["path", "initial", "current", "schema", "lasting", "columns", "writable", "now"];

/** Returns a statement without effect of each kind, because drivers may treat them differently. The first claim is too late. */
const probesOf = (table: string): readonly string[] => [
  `INSERT INTO ${table} (${COLUMNS}) SELECT ${COLUMNS} FROM ${table} WHERE false RETURNING 1 AS one`,
  `UPDATE ${table} SET state = state WHERE false RETURNING 1 AS one`,
  `DELETE FROM ${table} WHERE false RETURNING 1 AS one`,
];

/** Placeholder of a value, or a quoted name, which may contain the same character. */
const MARK_OR_NAME = /\?|"(?:[^"]|"")*"/g;

const toQuoted = (schema: string | undefined, name: string): string =>
  schema === undefined ? `"${name}"` : `"${schema.replaceAll('"', '""')}"."${name}"`;

/** Creates the ledger of {@link postgresLedger}, with the additional methods for the command. */
export const openPostgresLedger = (
  queryable: Queryable,
  options: PostgresLedgerOptions = {},
): SqlLedger => {
  if (typeof queryable === "string") {
    throw invalidOption("queryable", "a pool, such as new Pool({ connectionString }) of pg");
  }
  // Only the method is checked, not the type, because Neon's HTTP driver is a function.
  assertFunction("queryable.query", Object(queryable).query);
  const { table, create: mayCreate } = toTableOptions(options);
  const [givenSchema, name] = parseTable(table);

  const run = (sql: string, values: Values): Promise<unknown> => {
    let count = 0;
    const text = sql.replaceAll(MARK_OR_NAME, (match) => {
      if (match !== "?") return match;
      count += 1;
      return `$${count}`;
    });
    return whileBusy(() => queryable.query(text, [...values]), isRolledBack);
  };
  const query: SqlDatabase["query"] = async (sql, values, _, columns) => {
    const result = await run(sql, values);
    // Neon's HTTP driver resolves to the rows, without an object around them.
    const rows = Array.isArray(result) ? result : (Object(result).rows ?? result);
    return toRows(rows, columns);
  };

  const locate = async () => {
    const [row] = await query(locateQuery(), [toQuoted(givenSchema, name)], "read", LOCATED);
    if (!row) throw mismatchError("no rows");
    const schema = givenSchema ?? row.schema ?? row.current;
    // A table that is created in a temporary schema is temporary, too.
    if (row.lasting === "false" || String(schema).startsWith("pg_temp")) {
      throw new Error(
        `${name} is temporary, unlogged or a view, or has such a partition, so a crash could empty it: use a permanent table`,
      );
    }
    if (givenSchema === undefined && row.path !== row.initial) {
      throw new Error(
        `the search_path of this connection was changed: name the schema in the option \`table\`, as in "public.${name}"`,
      );
    }
    if (schema) {
      // `columns` is null if the table does not exist.
      const columns = row.columns == null ? undefined : String(row.columns).split(" ");
      return { schema: String(schema), columns, isWritable: row.writable === "true" };
    }
    throw new Error(`no schema is on the search_path: name a schema in the option \`table\``);
  };

  const create = async (table: string): Promise<void> => {
    try {
      // One statement creates everything or nothing, because missing indexes are never added to an existing table.
      const block = `BEGIN ${defineTable(table)} END`.replaceAll("'", "''");
      await run(`DO '${block}'`, []);
      warnOfNewLedger(mayCreate, `the table ${table}`);
    } catch (error) {
      // The statement fails if another process creates the table at the same moment.
      if (!(await locate()).columns) throw error;
    }
  };

  // The schema is looked up once, because each connection of a pool has its own search_path.
  const open = onFirstUse(async (): Promise<SqlDatabase> => {
    const { schema, columns, isWritable } = await locate();
    const table = toQuoted(schema, name);
    // An existing table is not created again, because even `IF NOT EXISTS` requires the right to create tables.
    if (columns) assertColumns(name, columns);
    else {
      assertCreatable(mayCreate, `the table ${table}`);
      await create(table);
    }
    // A role that may only read, or a replica, can still read the ledger.
    if (!columns || isWritable) {
      for (const probe of probesOf(table)) await query(probe, [], "write", ONE);
    }
    const size = `pg_total_relation_size('${table.replaceAll("'", "''")}')`;
    return { name: table, now: NOW, size, query };
  });

  return sqlLedger(open);
};

/**
 * Creates a ledger in a table of a Postgres database, for any number of processes and machines.
 *
 * Each statement is a separate transaction, so a pool, a connection pooler or an HTTP driver will do. The first use creates the
 * table if it is missing. A role that may not create tables needs an existing table, and the right to select, insert, update and
 * delete. The first use also checks the form of the rows that `queryable` returns. A different form, such as `[rows, metadata]`
 * of Sequelize, causes a `TypeError`.
 *
 * @param queryable Pool or client, which you close yourself. Pass a client only while no transaction is open in it, because
 * a claim must be committed before the message is sent.
 * @throws TypeError if an argument is malformed.
 * @example
 * const pool = new pg.Pool();
 * pool.on("error", console.error); // an idle connection that breaks would otherwise end the process
 * const ledger = postgresLedger(pool);
 */
export function postgresLedger(queryable: Queryable, options: PostgresLedgerOptions = {}): Ledger {
  return openPostgresLedger(queryable, options);
}
