// Ledgers over real database libraries. Those that return the rows pass every check. Any other result is refused before a claim.
import {
  type Ledger,
  postgresLedger,
  type Queryable,
  sendMany,
} from "messaging-service-client/bulk";
import { ledgerChecks } from "messaging-service-client/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DECISIVE_CHECKS } from "../../support/decisive-checks.ts";
import { createFake, rcsOf, rcsText } from "../../support/fakes/fake-service.ts";
import { importFrom, installFixture, requireFixture } from "../../support/fixture.ts";
import {
  createPool,
  type Pool,
  type PostgresServer,
  startPostgres,
} from "../../support/servers/postgres-server.ts";
import { claim } from "./claim.ts";

const TIMEOUT_MS = 180_000;
const FIXTURE = "second-ring";

type Values = (string | null)[];

interface Kysely {
  executeQuery(query: unknown): Promise<unknown>;
  destroy(): Promise<void>;
}
interface KyselyModule {
  readonly Kysely: new (options: object) => Kysely;
  readonly PostgresDialect: new (options: object) => object;
  readonly CompiledQuery: { raw(text: string, values: Values): unknown };
  readonly CamelCasePlugin: new () => object;
  readonly ParseJSONResultsPlugin: new () => object;
}
interface PostgresJs {
  unsafe(text: string, values: Values): Promise<unknown> & { values(): Promise<unknown> };
  end(): Promise<void>;
}
interface PostgresJsModule {
  readonly default: ((url: string, options: object) => PostgresJs) & Record<string, unknown>;
}

let server: PostgresServer;
let pool: Pool;
const closers: (() => unknown)[] = [];
let url = "";

beforeAll(async () => {
  server = await startPostgres();
  pool = createPool(server.port);
  url = `postgres://postgres@127.0.0.1:${server.port}/postgres`;
}, TIMEOUT_MS);
afterAll(async () => {
  for (const close of closers) await close();
  await pool.end();
  await server[Symbol.asyncDispose]();
});

/** Wraps a function so that it runs once and returns the same result each time. */
const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

const typeorm = once(async () => {
  const { DataSource } = requireFixture(FIXTURE, "typeorm");
  const source = await new DataSource({ type: "postgres", url }).initialize();
  closers.push(() => source.destroy());
  return source;
});
const sequelize = once(() => {
  const { Sequelize } = requireFixture(FIXTURE, "sequelize");
  const instance = new Sequelize(url, { logging: false });
  closers.push(() => instance.close());
  return instance;
});
const kysely = async (...plugins: ("CamelCasePlugin" | "ParseJSONResultsPlugin")[]) => {
  const library = await importFrom<KyselyModule>(installFixture(FIXTURE), "kysely");
  const { Pool: PgPool } = requireFixture(FIXTURE, "pg");
  const dialect = new library.PostgresDialect({ pool: new PgPool({ connectionString: url }) });
  const database = new library.Kysely({
    dialect,
    plugins: plugins.map((name) => new library[name]()),
  });
  closers.push(() => database.destroy());
  return {
    query: (text: string, values: Values) =>
      database.executeQuery(library.CompiledQuery.raw(text, values)),
  };
};
const postgresJs = async (transform?: string): Promise<PostgresJs> => {
  const folder = installFixture(FIXTURE);
  const { default: postgres } = await importFrom<PostgresJsModule>(folder, "postgres");
  const options = transform === undefined ? {} : { transform: postgres[transform] };
  const sql = postgres(url, { ...options, onnotice: () => {} });
  closers.push(() => sql.end());
  return sql;
};
const unsafe = (sql: PostgresJs): Queryable => ({
  query: (text, values) => sql.unsafe(text, values),
});

/** Libraries whose options rename columns or convert values. The guide "Databases" lists more, which another test runs. */
const RIGHT: Readonly<Record<string, () => Promise<Queryable>>> = {
  "Kysely with plugins": () => kysely("CamelCasePlugin", "ParseJSONResultsPlugin"),
  "postgres.js with postgres.camel": async () => unsafe(await postgresJs("camel")),
  "the pool of TypeORM": async () => (await typeorm()).driver.master,
};

const WRAPPED = "rows within an array, such as [rows, metadata] of Sequelize";

/** Libraries and options that do not return the rows, with the description in the error. */
const WRONG: Readonly<Record<string, readonly [shape: string, () => Promise<Queryable>]>> = {
  "a TypeORM DataSource": [WRAPPED, typeorm],
  Sequelize: [WRAPPED, async () => ({ query: (text, bind) => sequelize().query(text, { bind }) })],
  "Sequelize with QueryTypes.RAW": [
    WRAPPED,
    async () => ({ query: (text, bind) => sequelize().query(text, { bind, type: "RAW" }) }),
  ],
  "postgres.js with postgres.pascal": [
    "rows without the column `path`, such as renamed ones",
    async () => unsafe(await postgresJs("pascal")),
  ],
  "postgres.js with values()": [
    "rows that are arrays, not objects",
    async () => {
      const sql = await postgresJs();
      return { query: (text, values) => sql.unsafe(text, values).values() };
    },
  ],
  "pg with rowMode": [
    "rows that are arrays, not objects",
    async () => ({
      query: (text, values) => pool.query({ text, values, rowMode: "array" } as never),
    }),
  ],
  "pg without the rows of an update": [
    "a number",
    async () => ({
      query: async (text, values) => {
        const result = await pool.query(text, values);
        const { command, rowCount } = result as unknown as Record<string, unknown>;
        return command === "UPDATE" ? rowCount : result;
      },
    }),
  ],
  "an adapter that resolves to no row": ["no rows", async () => ({ query: async () => [] })],
};

let tables = 0;
const newTable = (): string => {
  tables += 1;
  return `shapes_${tables}`;
};

describe.each(Object.entries(RIGHT))("a ledger over %s", { timeout: TIMEOUT_MS }, (name, make) => {
  const makeLedger = async (): Promise<Ledger> =>
    postgresLedger(await queryable(), { table: newTable() });
  const queryable = once(make);
  test.each(ledgerChecks(makeLedger).slice(-DECISIVE_CHECKS))(
    `a ledger over ${name} passes the check: $name`,
    ({ run }) => run(),
  );
});

/** Calls that may be the first use of a ledger. */
const FIRST_USES: Readonly<Record<string, (ledger: Ledger) => Promise<unknown>>> = {
  claim: (ledger) => ledger.claim(claim),
  find: (ledger) => ledger.find("b", "k"),
  settle: (ledger) => ledger.settle(claim, { state: "accepted" }),
  resolve: (ledger) => ledger.resolve("b", "k", "open"),
  confirm: (ledger) => ledger.confirm("r"),
  counts: (ledger) => ledger.counts("b"),
  forget: (ledger) => ledger.forget({ batch: "b" }),
  entries: async (ledger) => {
    for await (const _ of ledger.entries());
  },
};

/**
 * Number of first uses to test over each library. All of them prepare the ledger through the same function, so only one library
 * needs all of them.
 */
const usesOf = (name: string): number => (name === "pg without the rows of an update" ? 8 : 1);

describe.each(Object.entries(WRONG))(
  "a ledger over %s",
  { timeout: TIMEOUT_MS },
  (name, [shape, make]) => {
    const queryable = once(make);
    const rowsOf = async (table: string) => {
      const { rows } = await pool.query("SELECT to_regclass($1) AS name", [table]);
      return rows[0]?.name === null ? [] : (await pool.query(`SELECT * FROM ${table}`)).rows;
    };

    test.each(Object.entries(FIRST_USES).slice(0, usesOf(name)))(
      "%s as the first use is refused with an error that names the shape and what to pass instead",
      async (_use, use) => {
        const table = newTable();
        const used = use(postgresLedger(await queryable(), { table }));
        await expect(used).rejects.toThrow(TypeError);
        await expect(used).rejects.toThrow(`a statement of the ledger resulted in ${shape}`);
        await expect(used).rejects.toThrow(
          "pass an object whose `query` resolves to the rows alone",
        );
        expect(await rowsOf(table)).toEqual([]);
      },
    );

    test("a run over a wrong queryable texts nobody, stops as `ledger`, and leaves no doubt", async () => {
      const service = createFake();
      const ledger = postgresLedger(await queryable(), { table: newTable() });
      const summary = await sendMany(rcsOf(service), [rcsText], { batch: "b", ledger });
      expect(summary).toMatchObject({ stopped: "ledger", accepted: 0, inDoubt: 0 });
      expect(service.outbox).toEqual([]);
    });
  },
);
