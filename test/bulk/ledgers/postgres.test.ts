// Columns of the catalog of Postgres: cspell:ignore attcollation collname indexrelid indrelid
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { type RunProgress, sendMany, sendOnce } from "messaging-service-client/bulk";
import { ledgerChecks } from "messaging-service-client/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Ledger } from "../../../src/bulk/ledgers/ledger.ts";
import {
  defineTable,
  postgresLedger,
  type Queryable,
} from "../../../src/bulk/ledgers/postgres-ledger.ts";
import { createFake, rcsOf } from "../../support/fakes/fake-service.ts";
import {
  createPool,
  type Pool,
  type PostgresServer,
  startPostgres,
} from "../../support/servers/postgres-server.ts";
import { BATCH, gate, messages, messageTo, phone } from "../batches.ts";
import { claim } from "./claim.ts";

const TIMEOUT_MS = 120_000;

/** Forwards statements to a pool and records their SQL. */
const recordedOf = (pool: Pool) => {
  const texts: string[] = [];
  const query = (text: string, values?: (string | null)[]) => {
    texts.push(text);
    return pool.query(text, values);
  };
  return { texts, query };
};

/** Runs every kind of statement through a ledger. */
const useAll = async (ledger: Ledger): Promise<void> => {
  expect(await ledger.claim(claim)).toBeUndefined();
  expect(await ledger.settle(claim, { state: "unknown", code: "?" })).toBe(true);
  const confirmed = { state: "accepted", transactionId: "t?\uFFFD" };
  expect(await ledger.confirm("r", { transactionId: "t?\0" })).toMatchObject(confirmed);
  expect(await ledger.settle(claim, { state: "accepted", transactionId: "\0" })).toBe(true);
  expect(await ledger.counts("b")).toMatchObject({ accepted: 1 });
  const keys: string[] = [];
  for await (const { key } of ledger.entries()) keys.push(key);
  expect(keys).toEqual(["k"]);
  expect(await ledger.forget({ batch: "b" })).toBe(1);
};

let tables = 0;
const newTable = (): string => {
  tables += 1;
  return `sends_${tables}`;
};

describe("a ledger in Postgres", { timeout: TIMEOUT_MS }, () => {
  let server: PostgresServer;
  let pool: Pool;
  /** Twenty connections. */
  let rivals: readonly Pool[];
  beforeAll(async () => {
    server = await startPostgres();
    pool = createPool(server.port);
    rivals = Array.from({ length: 20 }, () => createPool(server.port, 1));
    await Promise.all(rivals.map((each) => each.query("SELECT 1")));
  }, TIMEOUT_MS);
  afterAll(async () => {
    await Promise.all([pool, ...rivals].map((each) => each.end()));
    await server[Symbol.asyncDispose]();
  });

  const checks = ledgerChecks(() => postgresLedger(pool, { table: newTable() }));
  test.each(checks)("a ledger in Postgres passes the check: $name", ({ run }) => run());

  test("the table in Postgres is created once if twenty connections first use it at the same moment", async () => {
    for (let round = 0; round < 5; round += 1) {
      const table = newTable();
      const claims = rivals.map((each, index) =>
        postgresLedger(each, { table }).claim({ ...claim, ref: `r${index}`, owner: `o${index}` }),
      );
      const found = await Promise.all(claims);
      expect(found.filter((entry) => entry === undefined)).toHaveLength(1);
    }
  });

  test.each([-5, 5])(
    "a key that is on the wire elsewhere is not in doubt for a machine whose clock is %i minutes ahead",
    async (minutes) => {
      const table = newTable();
      const service = createFake();
      const [{ open, opened }, { open: arrive, opened: arrived }] = [gate(), gate()];
      let calls = 0;
      const fetch: typeof service.fetch = async (...args) => {
        calls += 1;
        if (calls === 2) arrive();
        await opened;
        return service.fetch(...args);
      };
      const here = { ledger: postgresLedger(pool, { table }), batch: BATCH };
      const there = { ...here, ledger: postgresLedger(pool, { table }) };
      const held = sendMany(rcsOf(service, { fetch }), messages(2), here);
      await arrived;
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes * 60_000 });
      onTestFinished(() => void vi.useRealTimers());
      const once = sendOnce(rcsOf(service), messageTo(phone(0)), { ...there, key: phone(0) });
      await expect(once).rejects.toMatchObject({ reason: "in_progress" });
      const onProgress = ({ waiting }: RunProgress) => void (waiting && open());
      const other = sendMany(rcsOf(service), messages(2), { ...there, onProgress });
      expect(await other).toMatchObject({ inDoubt: 0, skippedBy: { acceptedBefore: 2 } });
      expect(await held).toMatchObject({ accepted: 2, inDoubt: 0 });
    },
  );

  test("each call of a ledger in Postgres is one statement once the table exists, and leaves no transaction open", async () => {
    const single = createPool(server.port, 1);
    const recorded = recordedOf(single);
    const ledger = postgresLedger(recorded, { table: newTable() });
    await ledger.counts("b");
    const { texts } = recorded;
    texts.length = 0;
    await ledger.find("b", "k");
    await ledger.claim(claim);
    await ledger.settle(claim, { state: "unknown" });
    await ledger.resolve("b", "k", "open");
    await ledger.confirm("no such ref");
    await ledger.close();
    expect(texts).toHaveLength(5);
    expect(texts.join()).not.toMatch(/BEGIN|COMMIT/i);
    const { rows } = await pool.query(
      "SELECT state FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'",
    );
    expect(rows).toEqual([]);
    await single.end();
  });

  test("a refused claim in Postgres needs two statements and leaves the row unchanged", async () => {
    const table = newTable();
    const recorded = recordedOf(pool);
    const { texts } = recorded;
    const ledger = postgresLedger(recorded, { table });
    await ledger.claim(claim);
    const version = async () => (await pool.query(`SELECT ctid FROM ${table}`)).rows;
    const before = await version();
    texts.length = 0;
    expect(await ledger.claim({ ...claim, ref: "r2" })).toMatchObject(claim);
    expect(texts).toHaveLength(2);
    expect(await version()).toEqual(before);
  });

  test.each(["read committed", "repeatable read", "serializable"])(
    "each key in Postgres is taken by exactly one of twenty rival connections with %s transactions",
    async (isolation) => {
      const table = newTable();
      const isolate = (level: string) =>
        Promise.all(
          rivals.map((each) => each.query(`SET default_transaction_isolation = '${level}'`)),
        );
      await isolate(isolation);
      const taken = await Promise.all(
        rivals.map(async (each, index) => {
          const ledger = postgresLedger(each, { table });
          const keys: string[] = [];
          for (let number = 0; number < 30; number += 1) {
            const key = `${number}`;
            const own = { ...claim, key, ref: `${index}-${key}`, owner: `${index}` };
            if ((await ledger.claim(own)) === undefined) keys.push(key);
          }
          return keys;
        }),
      );
      expect(taken.flat().sort()).toEqual([...new Set(taken.flat())].sort());
      expect(taken.flat()).toHaveLength(30);
      await isolate("read committed");
    },
  );

  test("a batch and a key of 1024 bytes fit into every index of the table in Postgres", async () => {
    const ledger = postgresLedger(pool, { table: newTable() });
    // Postgres compresses repeated content, so only random names have their full length in an index.
    const randomName = () => randomBytes(512).toString("hex");
    const longest = { ...claim, batch: randomName(), key: randomName() };
    expect(await ledger.claim(longest)).toBeUndefined();
    expect(await ledger.settle(longest, { state: "unknown" })).toBe(true);
    const { batch, key } = longest;
    expect(await ledger.find(batch, key)).toMatchObject({ state: "unknown" });
  });

  test("every text in an index of the table in Postgres is sorted by bytes", async () => {
    const table = newTable();
    await postgresLedger(pool, { table }).counts("b");
    const { rows } = await pool.query(
      `SELECT DISTINCT attname, collname FROM pg_index JOIN pg_attribute ON attrelid = indexrelid
      LEFT JOIN pg_collation ON pg_collation.oid = attcollation WHERE indrelid = $1::regclass ORDER BY 1`,
      [table],
    );
    expect(rows).toEqual(
      ["at", "batch", "key", "ref"].map((attname) => ({ attname, collname: "C" })),
    );
  });

  test("a ref with NUL, which a URL can contain and Postgres cannot store, belongs to no entry", async () => {
    const ledger = postgresLedger(pool, { table: newTable() });
    expect(await ledger.confirm("\0")).toBeUndefined();
  });

  describe("whose table was created by the statements in the guide", () => {
    const schema = "by_hand";
    const table = `${schema}.messaging_sends`;
    let sender: Pool;
    beforeAll(async () => {
      const guide = readFileSync(
        new URL("../../../docs/guides/operate-durable-sends.md", import.meta.url),
        "utf8",
      );
      const [, statements = ""] = /```sql\n([\s\S]+?)```/.exec(guide) ?? [];
      const single = createPool(server.port, 1);
      await single.query(`CREATE SCHEMA ${schema}; SET search_path TO ${schema}`);
      for (const statement of statements.split(";").filter((each) => each.trim() !== "")) {
        await single.query(statement);
      }
      await single.end();
      await pool.query(`
        CREATE ROLE sender LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC;
        GRANT USAGE ON SCHEMA ${schema} TO sender;
        GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO sender`);
      sender = createPool(server.port, 4, "sender");
    });
    afterAll(() => sender.end());

    test("the statements in the guide create the columns and indexes that a ledger creates", async () => {
      await pool.query("CREATE SCHEMA by_ledger");
      await postgresLedger(pool, { table: "by_ledger.messaging_sends" }).counts("b");
      const describeTable = async (name: string) => {
        const columns = await pool.query(
          `SELECT column_name, data_type, collation_name, is_nullable FROM information_schema.columns
          WHERE table_schema = $1 ORDER BY ordinal_position`,
          [name],
        );
        const indexes = await pool.query(
          "SELECT replace(indexdef, $1, '') AS index FROM pg_indexes WHERE schemaname = $1 ORDER BY 1",
          [name],
        );
        return [columns.rows, indexes.rows];
      };
      const byHand = await describeTable(schema);
      expect(byHand).toEqual(await describeTable("by_ledger"));
      expect(byHand.map((rows) => rows.length)).toEqual([10, 4]);
    });

    test("a role that may only read and write rows can use a ledger", () =>
      useAll(postgresLedger(sender, { table })));

    test("a role that may not create tables needs an existing table", async () => {
      await expect(postgresLedger(sender, { table: newTable() }).claim(claim)).rejects.toThrow(
        "permission denied",
      );
    });
  });

  test.each([
    ...["a?b", "?", 'tenant "?" one', 'say ""?""', "it's ?", "$1 ?", "a.b", "A b", "a\\?", "ü?"],
    ...["-- ?", "/* ? */", "%s", ":name ?", "[1]"],
  ])("a ledger works in a schema with the name %s", async (schema) => {
    const quoted = `"${schema.replaceAll('"', '""')}"`;
    await pool.query(`CREATE SCHEMA ${quoted}`);
    const role = newTable();
    await pool.query(`CREATE ROLE ${role} SUPERUSER LOGIN`);
    await pool.query(`ALTER ROLE ${role} SET search_path TO ${quoted}`);
    const own = createPool(server.port, 1, role);
    await useAll(postgresLedger(own));
    await own.end();
    const { rows } = await pool.query(
      "SELECT schemaname FROM pg_tables WHERE tablename = 'messaging_sends' AND schemaname = $1",
      [schema],
    );
    expect(rows).toHaveLength(1);
  });

  test.each([
    [
      "a table that is not a ledger",
      "key text, state text",
      "batch, id, digest, ref, owner, at, transaction_id, code",
    ],
    [
      "a table of which one column is missing",
      "batch text, key text, state text, id text, digest text, ref text, owner text, at text, code text",
      "transaction_id",
    ],
  ])(
    "%s is refused with the names of its missing columns, and stays unchanged",
    async (_, columns, missing) => {
      const table = newTable();
      await pool.query(`CREATE TABLE ${table} (${columns})`);
      const ledger = postgresLedger(pool, { table });
      const refused = new Error(
        `the table ${table} is not a ledger: it lacks the columns ${missing}`,
      );
      for (const use of [() => ledger.counts("b"), () => ledger.claim(claim)]) {
        await expect(use()).rejects.toThrow(refused);
      }
      const { rows } = await pool.query("SELECT 1 FROM pg_indexes WHERE tablename = $1", [table]);
      expect(rows).toEqual([]);
    },
  );

  test("a role that may only read can count and list the entries of a ledger", async () => {
    const table = newTable();
    await postgresLedger(pool, { table }).claim(claim);
    await pool.query(
      `CREATE ROLE reader_${table} LOGIN; GRANT SELECT ON ${table} TO reader_${table}`,
    );
    const own = createPool(server.port, 1, `reader_${table}`);
    const ledger = postgresLedger(own, { table });
    expect(await ledger.counts("b")).toMatchObject({ sending: 1 });
    await expect(ledger.settle(claim, { state: "accepted" })).rejects.toThrow("permission denied");
    await own.query("SET default_transaction_read_only = on");
    expect(await postgresLedger(own, { table }).find("b", "k")).toMatchObject(claim);
    await own.end();
  });

  test("the table of a ledger may be in a schema, and its name keeps its case", async () => {
    await pool.query(`CREATE SCHEMA jobs`);
    await postgresLedger(pool, { table: "jobs.Sends" }).claim(claim);
    const { rows } = await pool.query(`SELECT key FROM jobs."Sends"`);
    expect(rows).toEqual([{ key: "k" }]);
  });

  describe("of a connection that changes its search_path", () => {
    let tenants: Pool;
    beforeAll(async () => {
      await pool.query("CREATE SCHEMA tenant_a; CREATE SCHEMA tenant_b");
      tenants = createPool(server.port, 1);
    });
    afterAll(() => tenants.end());

    test("a ledger keeps the table of its first use when the search_path changes", async () => {
      const table = newTable();
      const ledger = postgresLedger(tenants, { table });
      await ledger.claim(claim);
      await tenants.query("SET search_path TO tenant_a");
      expect(await ledger.find("b", "k")).toMatchObject(claim);
      expect(await ledger.claim({ ...claim, id: "i2", ref: "r2", owner: "o2" })).toMatchObject(
        claim,
      );
      await tenants.query("RESET search_path");
    });

    test("a ledger requires a schema if the search_path was changed before its first use", async () => {
      const table = newTable();
      await tenants.query("SET search_path TO tenant_b");
      await expect(postgresLedger(tenants, { table }).claim(claim)).rejects.toThrow(
        `the search_path of this connection was changed: name the schema in the option \`table\`, as in "public.${table}"`,
      );
      const named = postgresLedger(tenants, { table: `public.${table}` });
      expect(await named.claim(claim)).toBeUndefined();
      await tenants.query("RESET search_path");
      const { rows } = await pool.query(`SELECT key FROM public.${table}`);
      expect(rows).toEqual([{ key: "k" }]);
    });

    test("a ledger uses the default search_path of its role", async () => {
      const table = newTable();
      await pool.query(
        "CREATE ROLE tenant SUPERUSER LOGIN; ALTER ROLE tenant SET search_path TO tenant_a",
      );
      const own = createPool(server.port, 1, "tenant");
      await postgresLedger(own, { table }).claim(claim);
      await own.end();
      const { rows } = await pool.query(`SELECT key FROM tenant_a.${table}`);
      expect(rows).toEqual([{ key: "k" }]);
    });

    test("a ledger requires a schema if the search_path is empty", async () => {
      await pool.query(
        "CREATE ROLE nowhere SUPERUSER LOGIN; ALTER ROLE nowhere SET search_path TO missing",
      );
      const own = createPool(server.port, 1, "nowhere");
      await expect(postgresLedger(own, { table: newTable() }).claim(claim)).rejects.toThrow(
        "no schema is on the search_path: name a schema in the option `table`",
      );
      await own.end();
    });
  });

  const partition = (table: string, kind: string) =>
    `${defineTable(table).replace(/\);/, ") PARTITION BY HASH (batch);")}
      CREATE ${kind} TABLE ${table}_0 PARTITION OF ${table} FOR VALUES WITH (MODULUS 1, REMAINDER 0)`;

  test.each<[string, (table: string) => string]>([
    ["unlogged", (table) => `CREATE UNLOGGED TABLE ${table} (batch text)`],
    ["temporary", (table) => `CREATE TEMP TABLE ${table} (batch text)`],
    ["partitioned with an unlogged partition", (table) => partition(table, "UNLOGGED")],
    [
      "a view",
      (table) =>
        `CREATE UNLOGGED TABLE ${table}_0 (batch text); CREATE VIEW ${table} AS SELECT * FROM ${table}_0`,
    ],
  ])("a table that is %s is refused, because a crash could empty it", async (_, define) => {
    const single = createPool(server.port, 1);
    const table = newTable();
    await single.query(define(table));
    await expect(postgresLedger(single, { table }).claim(claim)).rejects.toThrow(
      `${table} is temporary, unlogged or a view, or has such a partition, so a crash could empty it: use a permanent table`,
    );
    await single.end();
  });

  test("a ledger is not created in a temporary schema, because a crash would empty it", async () => {
    const single = createPool(server.port, 1);
    const refusal = "is temporary, unlogged or a view, or has such a partition";
    const named = postgresLedger(single, { table: `pg_temp.${newTable()}` });
    await expect(named.claim(claim)).rejects.toThrow(refusal);
    await pool.query(
      "CREATE ROLE temporary SUPERUSER LOGIN; ALTER ROLE temporary SET search_path TO pg_temp, public",
    );
    const own = createPool(server.port, 1, "temporary");
    await expect(postgresLedger(own, { table: newTable() }).claim(claim)).rejects.toThrow(refusal);
    await Promise.all([single.end(), own.end()]);
  });

  test("a partitioned table whose partitions are permanent can be a ledger, even if no ledger may be created", async () => {
    const table = newTable();
    const ledger = () => postgresLedger(pool, { table, create: false });
    await expect(ledger().claim(claim)).rejects.toThrow(
      `there is no ledger in the table "public"."${table}", and the option \`create\` is false`,
    );
    await pool.query(partition(table, ""));
    expect(await ledger().claim(claim)).toBeUndefined();
    expect(await ledger().settle(claim, { state: "accepted" })).toBe(true);
    expect(await ledger().find("b", "k")).toMatchObject({ state: "accepted" });
  });

  test("a failed setup of the table is retried at the next call", async () => {
    let isDown = true;
    const flaky: Queryable = {
      query: async (text, values) => {
        if (isDown) throw new Error("down");
        return pool.query(text, values);
      },
    };
    const ledger = postgresLedger(flaky, { table: newTable() });
    await expect(ledger.find("b", "k")).rejects.toThrow("down");
    isDown = false;
    expect(await ledger.find("b", "k")).toBeUndefined();
  });

  test("a driver that converts times to dates is refused before the first claim", async () => {
    const reviver = (_: string, value: unknown) =>
      /^\d{4}-\d\d-\d\dT/.test(String(value)) ? new Date(String(value)) : value;
    const converting: Queryable = {
      query: async (text, values) =>
        JSON.parse(JSON.stringify((await pool.query(text, values)).rows), reviver),
    };
    await expect(postgresLedger(converting, { table: newTable() }).claim(claim)).rejects.toThrow(
      "values that were converted to objects",
    );
  });

  test("a claim survives a crash of the Postgres server", async () => {
    const table = newTable();
    await postgresLedger(pool, { table }).claim(claim);
    await server.crash();
    await expect(postgresLedger(pool, { table }).find("b", "k")).rejects.toThrow();
    await server.start();
    expect(await postgresLedger(pool, { table }).find("b", "k")).toMatchObject(claim);
  });
});

describe("postgresLedger", () => {
  const columns = "batch key state id digest ref owner at transaction_id code";
  const LOCATED = {
    ...{ path: "public", initial: "public", current: "public", schema: "public" },
    ...{ now: "2026-11-27T12:00:00.000Z", lasting: "true", columns, writable: "true" },
  };
  /** A driver that finds the table and resolves to the same rows for every other statement. */
  const driverOf = (rows: readonly object[]): Queryable => ({
    query: async (text) => {
      if (text.includes("pg_settings")) return [LOCATED];
      return /WHERE false/.test(text) ? [] : rows;
    },
  });
  const queryable = driverOf([]);

  test.each(["", "a b", 'a"b', "a;b", "1a", "a.b.c", "a.", "é", "x".repeat(64), 7])(
    "postgresLedger refuses the table name %j",
    (table) => {
      expect(() => postgresLedger(queryable, { table: table as string })).toThrow(
        new TypeError(
          "option `table` must be a table name of letters, digits, _ and $, optionally after a schema and a dot",
        ),
      );
    },
  );

  test("postgresLedger refuses an option `create` that is not a boolean", () => {
    const refused = new TypeError("option `create` must be true or false");
    expect(() => postgresLedger(queryable, { create: "no" as never })).toThrow(refused);
  });

  test("postgresLedger refuses a URL with an error that names a pool", () => {
    const url = "postgres://user:secret@db.example.com/app" as never;
    expect(() => postgresLedger(url)).toThrow(
      new TypeError(
        "option `queryable` must be a pool, such as new Pool({ connectionString }) of pg",
      ),
    );
  });

  test.each([undefined, null, {}, { query: "SELECT" }, "postgres://"])(
    "postgresLedger refuses the queryable %j",
    (given) => {
      expect(() => postgresLedger(given as Queryable)).toThrow(TypeError);
    },
  );

  test("a claim fails if the database returns neither the new entry nor an existing one", async () => {
    await expect(postgresLedger(queryable).claim(claim)).rejects.toThrow(
      "the database neither records the claim nor shows an entry that prevents it: pass a connection that reads from the primary",
    );
  });

  test.each(["Node.js/24", "Cloudflare-Workers"])(
    "simultaneous first calls in %s look up the table once",
    async (userAgent) => {
      vi.stubGlobal("navigator", { userAgent });
      onTestFinished(() => void vi.unstubAllGlobals());
      let lookups = 0;
      const ledger = postgresLedger({
        query: (text, values) => {
          if (text.includes("pg_settings")) lookups += 1;
          return queryable.query(text, values);
        },
      });
      await Promise.all(Array.from({ length: 50 }, () => ledger.find("b", "k")));
      expect(lookups).toBe(1);
    },
  );

  test.each<[library: string, error: object]>([
    ["pg, after a serialization failure", { code: "40001" }],
    ["pg, after a deadlock", { code: "40P01" }],
    ["Sequelize", { parent: { code: "40001" }, original: { code: "40001" } }],
    ["Drizzle", { cause: { code: "40P01" } }],
    [
      "Prisma",
      { code: "P2010", meta: { driverAdapterError: { cause: { originalCode: "40001" } } } },
    ],
  ])("a statement that was rolled back is retried: error of %s", async (_, error) => {
    let isRolledBack = false;
    const ledger = postgresLedger({
      query: async (text, values) => {
        if (isRolledBack || !text.includes("pg_settings")) return queryable.query(text, values);
        isRolledBack = true;
        throw Object.assign(new Error("rolled back"), error);
      },
    });
    expect(await ledger.find("b", "k")).toBeUndefined();
    expect(isRolledBack).toBe(true);
  });

  test.each([
    { code: "23505", parent: null, cause: "40001", meta: { driverAdapterError: {} } },
    undefined,
    "40001",
  ])("a statement that failed for a different reason is not retried: %o", async (thrown) => {
    const query = vi.fn().mockRejectedValue(thrown);
    await expect(postgresLedger({ query }).find("b", "k")).rejects.toBe(thrown);
    expect(query).toHaveBeenCalledTimes(1);
  });

  test("postgresLedger accepts a function as its driver, which resolves to the rows themselves", async () => {
    const at = "2026-11-21T09:00:00.000Z";
    const entry = { ...claim, state: "open", at, now: at, transaction: null, code: null };
    const http = Object.assign(() => {}, driverOf([entry]));
    expect(await postgresLedger(http).find("b", "k")).toMatchObject({ ...claim, state: "open" });
  });
});
