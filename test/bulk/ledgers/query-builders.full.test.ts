// Compiles and runs the recipes of the guide "Databases" with the real query builders, on a real Postgres.
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeBlocksOf, ROOT } from "../../docs/pages.ts";
import { compile, newApplication } from "../../support/application.ts";
import { DECISIVE_CHECKS } from "../../support/decisive-checks.ts";
import { installFixture } from "../../support/fixture.ts";
import {
  createPool,
  type PostgresServer,
  startPostgres,
} from "../../support/servers/postgres-server.ts";

const TIMEOUT_MS = 180_000;
const PROGRAM = "query-builders-program.ts";
const run = promisify(execFile);

/** Output of `prisma generate` for a schema without models. The command would download an engine that only migrations use. */
const PRISMA_CLIENT = `import { getPrismaClient, type PrismaClientOptions } from "@prisma/client/runtime/client";
const none = { models: {}, enums: {}, types: {} };
const RUNTIME = "@prisma/client/runtime/query_compiler_fast_bg.postgresql";
type Client = { $queryRawUnsafe<T = unknown>(text: string, ...values: any[]): Promise<T> };
export const PrismaClient = getPrismaClient({
  previewFeatures: [],
  clientVersion: "7.10.0",
  engineVersion: "0edf323efd1d98336f3f0a68684b56f689b900d3",
  activeProvider: "postgresql",
  inlineSchema: 'datasource db {\\n  provider = "postgresql"\\n}\\n',
  runtimeDataModel: none,
  parameterizationSchema: { strings: [], graph: "AAAA" },
  compilerWasm: {
    getRuntime: () => import(RUNTIME + ".mjs"),
    getQueryCompilerWasmModule: async () => {
      const { wasm } = await import(RUNTIME + ".wasm-base64.mjs");
      return new WebAssembly.Module(Buffer.from(wasm, "base64"));
    },
    importName: "./query_compiler_fast_bg.js",
  },
}) as unknown as new (options: PrismaClientOptions) => Client;
`;

/** File names of the recipes, in the order of the guide. */
const RECIPES = [
  ...["pool.ts", "drizzle.ts", "kysely.ts", "prisma.ts"],
  ...["typeorm.ts", "sequelize.ts", "postgres-js.ts"],
];

/**
 * Number of checks to run with a replica, and over a pool of `pg`, for which a different test runs every check. The last 6 checks
 * call every method.
 */
const FEW = 6;
const OVER_POOL = ["pool.ts", "drizzle.ts"];

const WRITER = "process.env.DATABASE_URL";
const READER = "process.env.REPLICA_URL";

/** Changes that turn a recipe into one for an application with a replica. */
const WITH_REPLICA: Readonly<Record<string, readonly (readonly [now: string, then: string])[]>> = {
  "drizzle.ts": [
    ["export const db =", "const primary ="],
    [
      "export const ledger",
      `const reader = drizzle(${READER} ?? "");
export const db = withReplicas(primary, [reader]);
export const ledger`,
    ],
    [
      "import { drizzle }",
      'import { withReplicas } from "drizzle-orm/pg-core";\nimport { drizzle }',
    ],
    ["db.$client", "db.$primary.$client"],
  ],
  "typeorm.ts": [
    [
      `url: ${WRITER} ?? ""`,
      `replication: { master: { url: ${WRITER} ?? "" }, slaves: [{ url: ${READER} ?? "" }] }`,
    ],
  ],
  "sequelize.ts": [
    [
      `${WRITER} ?? "", { logging: false }`,
      `{ dialect: "postgres", logging: false, replication: { write: toPlace(${WRITER}), read: [toPlace(${READER})] } }`,
    ],
    [
      "export const sequelize",
      `const toPlace = (url = "") => {
  const { hostname: host, port, username, pathname } = new URL(url);
  return { host, port, username, database: pathname.slice(1) };
};
export const sequelize`,
    ],
  ],
};

describe("the recipes of the guide on databases", { timeout: TIMEOUT_MS }, () => {
  let folder: string;
  let server: PostgresServer;

  beforeAll(async () => {
    folder = newApplication(join(installFixture("second-ring"), "node_modules"));
    mkdirSync(join(folder, "generated/prisma"), { recursive: true });
    writeFileSync(join(folder, "generated/prisma/client.ts"), PRISMA_CLIENT);
    copyFileSync(join(ROOT, "test/support/programs", PROGRAM), join(folder, PROGRAM));
    const blocks = codeBlocksOf("docs/guides/databases.md");
    for (const [index, name] of RECIPES.entries()) {
      writeFileSync(join(folder, name), blocks[index]?.code ?? "");
    }
    for (const [recipe, changes] of Object.entries(WITH_REPLICA)) {
      let code = readFileSync(join(folder, recipe), "utf8");
      for (const [now, then] of changes) {
        expect(code).toContain(now);
        code = code.replace(now, then);
      }
      writeFileSync(join(folder, `replicated-${recipe}`), code);
    }
    server = await startPostgres();
    const pool = createPool(server.port);
    await pool.query("CREATE DATABASE replica");
    await pool.query("ALTER DATABASE replica SET default_transaction_read_only = on");
    await pool.query("CREATE DATABASE serializable");
    await pool.query(
      "ALTER DATABASE serializable SET default_transaction_isolation = 'serializable'",
    );
    await pool.end();
  }, TIMEOUT_MS);
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  test("the recipes for query builders compile with the types of the real packages", async () => {
    expect(await compile(folder, RECIPES)).toBe("");
  });

  test("the pool of the recipe for pg survives the loss of an idle connection", async () => {
    const program = `
      import { pool } from "./pool.ts";
      const [idle, busy] = [await pool.connect(), await pool.connect()];
      const { rows } = await idle.query("SELECT pg_backend_pid() AS pid");
      idle.release();
      await busy.query("SELECT pg_terminate_backend($1)", [rows[0].pid]);
      await busy.query("SELECT pg_sleep(0.5)");
      await pool.query("SELECT 1");
      process.exit();`;
    writeFileSync(join(folder, "idle.ts"), program);
    const DATABASE_URL = `postgres://postgres@127.0.0.1:${server.port}/postgres`;
    const env = { ...process.env, DATABASE_URL };
    const { stderr } = await run(process.execPath, ["idle.ts"], { cwd: folder, env });
    expect(stderr).toBe("terminating connection due to administrator command\n");
  });

  test.each(RECIPES)("the ledger of the recipe %s passes the ledger checks", async (recipe) => {
    const DATABASE_URL = `postgres://postgres@127.0.0.1:${server.port}/postgres`;
    const REPLICA_URL = `postgres://postgres@127.0.0.1:${server.port}/replica`;
    const env = { ...process.env, DATABASE_URL, REPLICA_URL };
    const counts = Object.entries({
      [recipe]: OVER_POOL.includes(recipe) ? FEW : DECISIVE_CHECKS,
      // No statement of a ledger can succeed on a replica.
      ...(recipe in WITH_REPLICA && { [`replicated-${recipe}`]: FEW }),
    });
    const args = counts.flatMap(([name, count]) => [name, `${count}`]);
    const { stdout } = await run(process.execPath, [PROGRAM, ...args], { cwd: folder, env });
    const passed = counts.map(([, checks]) => ({ checks, failures: {}, isUsed: true }));
    expect(JSON.parse(stdout)).toEqual(passed);
  });

  test.each(RECIPES)(
    "one of four concurrent claims succeeds, and none fails, with the recipe %s at the isolation level serializable",
    async (recipe) => {
      const program = `
        import { ledger } from "./${recipe}";
        const claimsOf = (key) => [0, 1, 2, 3].map((owner) =>
          ledger.claim({ id: key + owner, batch: "${recipe}", key, digest: "d", ref: "${recipe}" + key + owner, owner: "o" + owner }));
        await ledger.find("b", "k");
        const counts = [];
        for (let round = 0; round < 15; round += 1) {
          const found = await Promise.all(claimsOf("k" + round));
          counts.push(found.filter((entry) => entry === undefined).length);
        }
        console.log(JSON.stringify(counts));
        process.exit();`;
      writeFileSync(join(folder, "claims.mjs"), program);
      const DATABASE_URL = `postgres://postgres@127.0.0.1:${server.port}/serializable`;
      const env = { ...process.env, DATABASE_URL };
      const { stdout } = await run(process.execPath, ["claims.mjs"], { cwd: folder, env });
      expect(JSON.parse(stdout)).toEqual(Array(15).fill(1));
    },
  );
});
