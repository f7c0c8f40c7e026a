// Compiles the recipes of the guide "Queues", and runs them with real job queues.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { createFakeService } from "messaging-service-client/testing";
import { listen } from "messaging-service-client/testing/node";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { codeBlocksOf, ROOT, readPage } from "../docs/pages.ts";
import { compile, newApplication } from "../support/application.ts";
import { installFixture, requireFixture } from "../support/fixture.ts";
import { newPort } from "../support/servers/new-port.ts";
import { createPool, startPostgres } from "../support/servers/postgres-server.ts";
import { hasRedis, startRedis } from "../support/servers/redis-server.ts";
import { usePostgres } from "../support/servers/use-postgres.ts";

const TIMEOUT_MS = 180_000;
const PROGRAM = "queue-program.ts";
const run = promisify(execFile);

const PAGE = "docs/guides/queues.md";

/** Returns the recipe of the guide that contains the given words. */
const recipeWith = (words: string): string => {
  const found = codeBlocksOf(PAGE).filter(({ code }) => code.includes(words));
  expect(found, words).toHaveLength(1);
  return found[0]?.code ?? "";
};

/** File that every worker recipe imports. */
const RECEIPTS = recipeWith("export const sendReceipt");
/** Recipes of the guide by file name. */
const RECIPES = {
  "bullmq.ts": recipeWith("new Worker"),
  "pg-boss.ts": recipeWith("perJobResults: true"),
  "graphile.ts": recipeWith("taskList"),
  "dbos.ts": recipeWith("registerWorkflow"),
  "outbox.ts": recipeWith("boss.send"),
  "graphile-outbox.ts": recipeWith("add_job("),
};

describe("the recipes for queues that deliver at least once", { timeout: TIMEOUT_MS }, () => {
  /** Applications with the oldest and the newest versions of the queues in the guide. */
  let folders: { readonly oldest: string; readonly newest: string };

  const newFolder = (fixture: string): string => {
    const folder = newApplication(join(installFixture(fixture), "node_modules"));
    copyFileSync(join(ROOT, "test/support/programs", PROGRAM), join(folder, PROGRAM));
    writeFileSync(join(folder, "receipts.ts"), RECEIPTS);
    writeFileSync(join(folder, "orders.ts"), recipeWith("export async function saveOrder"));
    return folder;
  };

  beforeAll(() => {
    folders = { oldest: newFolder("queues-oldest"), newest: newFolder("queues") };
  }, TIMEOUT_MS);
  afterAll(() => {
    for (const folder of Object.values(folders)) rmSync(folder, { recursive: true });
  });

  const postgres = usePostgres();
  /** Creates a database, and returns its URL. */
  const newDatabase = async (name: string): Promise<string> => {
    await postgres.pool.query(`CREATE DATABASE "${name}"`);
    return `postgres://postgres@127.0.0.1:${postgres.server.port}/${name}`;
  };

  /** Runs a recipe with five jobs in a new database, with the oldest and with the newest version of its queue. */
  const deliver = (queue: string, recipe: string, redisPort?: number) => {
    const runs = Object.entries(folders).map(async ([version, folder], index) => {
      const DATABASE_URL = await newDatabase(`${queue}-${version}`);
      const REDIS_URL = `redis://127.0.0.1:${redisPort}/${index}`;
      writeFileSync(join(folder, "recipe.ts"), recipe);
      const env = { ...process.env, DATABASE_URL, REDIS_URL };
      const options = { cwd: folder, timeout: TIMEOUT_MS, env };
      const { stdout } = await run(process.execPath, [PROGRAM, queue], options);
      return { version, ...JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") };
    });
    return Promise.all(runs);
  };

  const expected = {
    ends: {
      inDoubt: { state: "failed", requests: 1 },
      sent: { state: "completed", output: { sentNow: true }, requests: 1 },
      sentBefore: { state: "completed", output: { sentNow: false }, requests: 0 },
      brokenRule: { state: "failed", requests: 0 },
      // The client makes three attempts, and the queue retries the job once.
      limited: { state: "completed", output: { sentNow: true }, requests: 4 },
      confirmed: { state: "completed", output: { sentNow: false } },
    },
    doubts: ["receipt-10"],
    sent: ["+12065550110", "+12065550111", "+12065550113"],
  };

  if (!hasRedis) console.warn("SKIPPED: the recipe for BullMQ, for there is no redis-server");
  test.runIf(hasRedis)(
    "the BullMQ recipe sends each order once; a send in doubt and an invalid message end as failed jobs",
    async () => {
      await using redis = await startRedis(await newPort());
      const reports = await deliver("bullmq", RECIPES["bullmq.ts"], redis.port);
      for (const { ends, ...others } of reports) {
        expect({ ends, ...others }).toMatchObject(expected);
        expect(JSON.stringify(ends.brokenRule.output)).toContain("phoneNumber: must be a valid");
      }
    },
  );

  test("the pg-boss recipe, with the ledger in its Postgres, sends each order once; a send in doubt and an invalid message end as failed jobs", async () => {
    for (const { ends, ...others } of await deliver("pg-boss", RECIPES["pg-boss.ts"])) {
      expect({ ends, ...others }).toMatchObject(expected);
      expect(JSON.stringify(ends.brokenRule.output)).toContain("phoneNumber: must be a valid");
    }
  });

  test("Graphile Worker sends each order once; a send in doubt and a broken rule end as failed jobs after one attempt", async () => {
    const { sent, sentBefore, limited, confirmed, ...failed } = expected.ends;
    // The queue deletes a completed job together with its result.
    const completed = { state: "completed" };
    for (const { ends, ...others } of await deliver("graphile-worker", RECIPES["graphile.ts"])) {
      expect({ ends, ...others }).toMatchObject({
        ...expected,
        ends: {
          ...failed,
          sent: { ...completed, requests: 1 },
          sentBefore: { ...completed, requests: 0 },
          limited: { ...completed, requests: 4 },
          confirmed: completed,
        },
      });
      expect(ends.brokenRule.output).toContain("phoneNumber: must be a valid");
    }
  });

  test("DBOS sends each order once; a send in doubt and a broken rule end as failed workflows", async () => {
    for (const { ends, ...others } of await deliver("dbos", RECIPES["dbos.ts"])) {
      expect({ ends, ...others }).toMatchObject(expected);
      expect(ends.brokenRule.output).toContain("phoneNumber: must be a valid");
    }
  });

  test("a DBOS workflow whose process was killed during its send continues, sends nothing again, and fails visibly", async () => {
    await using postgres = await startPostgres();
    const pool = createPool(postgres.port);
    const service = createFakeService();
    const server = await listen(service);
    writeFileSync(join(folders.newest, "recipe.ts"), RECIPES["dbos.ts"]);
    const env = {
      ...process.env,
      DATABASE_URL: `postgres://postgres@127.0.0.1:${postgres.port}/postgres`,
      MESSAGING_TRANSACTIONAL_BASE_URL: server.transactionalBaseUrl,
      MESSAGING_TRANSACTIONAL_API_KEY: service.account.apiKey,
    };
    const start = (code: string) => {
      const options = { cwd: folders.newest, env, stdio: "ignore" } as const;
      const child = spawn(process.execPath, ["--eval", code], options);
      onTestFinished(() => void child.kill("SIGKILL"));
      return child;
    };
    const order = '{ order: "17", phone: "+12065550117" }';
    service.failNext({ fault: "hang" });
    const killed = start(`import("./recipe.ts").then(async ({ receipt }) => {
      const { DBOS } = await import("@dbos-inc/dbos-sdk");
      await DBOS.startWorkflow(receipt)(${order});
    })`);
    await expect.poll(() => service.requests.length, { timeout: 60_000 }).toBe(1);
    killed.kill("SIGKILL");

    const next = start('import("./recipe.ts")');
    const states = async () =>
      (await pool.query("SELECT status FROM dbos.workflow_status")).rows.map(
        ({ status }) => status,
      );
    await expect.poll(states, { timeout: 90_000 }).toEqual(["ERROR"]);
    next.kill("SIGKILL");
    expect(service.requests).toHaveLength(1);
    await pool.end();
    await server.close();
  });

  /** Code that adds an order to a queue and runs in the same process as the worker. */
  const ADDS = {
    "bullmq.ts": `const { Queue } = await import("bullmq");
      const queue = new Queue("receipts", { connection: { url: process.env.REDIS_URL } });
      await queue.add("receipt", order);
      await queue.close();`,
    "pg-boss.ts": 'await recipe.boss.send("receipts", order);',
    "graphile.ts": 'await recipe.runner.addJob("receipt", order, { jobKey: "receipt-17" });',
  } as const;

  test.runIf(hasRedis).each(Object.keys(ADDS) as (keyof typeof ADDS)[])(
    "a worker of the recipe %s finishes its send at SIGTERM, and leaves no doubt",
    async (name) => {
      await using redis = await startRedis(await newPort());
      const DATABASE_URL = await newDatabase(`stopped-${name}`);
      const service = createFakeService();
      const server = await listen(service);
      onTestFinished(() => server.close());
      service.failNext({ fault: "slow", delayMs: 2_000 });
      writeFileSync(join(folders.newest, name), RECIPES[name]);
      const code = `import("./${name}").then(async (recipe) => {
        const order = { order: "17", phone: "+12065550117" };
        ${ADDS[name]}
      })`;
      const env = {
        ...process.env,
        DATABASE_URL,
        REDIS_URL: `redis://127.0.0.1:${redis.port}`,
        MESSAGING_TRANSACTIONAL_BASE_URL: server.transactionalBaseUrl,
        MESSAGING_TRANSACTIONAL_API_KEY: service.account.apiKey,
      };
      const options = { cwd: folders.newest, env, stdio: "ignore" } as const;
      const child = spawn(process.execPath, ["--eval", code], options);
      onTestFinished(() => void child.kill("SIGKILL"));
      await expect.poll(() => service.requests.length, { timeout: 60_000 }).toBe(1);
      child.kill("SIGTERM");
      await once(child, "close");
      const { Pool } = requireFixture("first-ring", "pg");
      const pool = new Pool({ connectionString: DATABASE_URL });
      const { rows } = await pool.query("SELECT state FROM messaging_sends");
      await pool.end();
      expect(rows).toEqual([{ state: "accepted" }]);
    },
  );

  test.each(["oldest", "newest"] as const)(
    "the pg-boss recipe with the %s version survives the loss of its connections",
    async (version) => {
      const name = `lost-${version}`;
      const DATABASE_URL = await newDatabase(name);
      writeFileSync(join(folders[version], "pg-boss.ts"), RECIPES["pg-boss.ts"]);
      const code = `import("./pg-boss.ts").then(({ boss }) => setInterval(() => {
        boss.send("receipts", { order: "17", phone: "123" }).catch(() => {});
      }, 500))`;
      const env = {
        ...process.env,
        DATABASE_URL,
        MESSAGING_TRANSACTIONAL_BASE_URL: "http://127.0.0.1:1",
        MESSAGING_TRANSACTIONAL_API_KEY: "key",
      };
      const options = { cwd: folders[version], env, stdio: "ignore" } as const;
      const child = spawn(process.execPath, ["--eval", code], options);
      onTestFinished(() => void child.kill("SIGKILL"));
      const { Pool } = requireFixture("first-ring", "pg");
      const pool = new Pool({ connectionString: DATABASE_URL });
      onTestFinished(() => pool.end());
      const countFailed = async () => {
        const found = await pool
          .query("SELECT FROM pgboss.job WHERE name = 'receipts' AND state = 'failed'")
          .catch(() => ({ rowCount: 0 })); // the queue creates its tables at its start
        return found.rowCount;
      };
      await expect.poll(countFailed, { timeout: 60_000 }).toBeGreaterThan(0);
      await pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`);
      const before = await countFailed();
      await expect.poll(countFailed, { timeout: 60_000 }).toBeGreaterThan(before + 1);
      expect(child.exitCode).toBeNull();
    },
  );

  test("the recipes for queues compile with the types of the real packages", async () => {
    for (const folder of Object.values(folders)) {
      const files = Object.entries(RECIPES);
      for (const [file, recipe] of files) writeFileSync(join(folder, file), recipe);
      expect(await compile(folder, Object.keys(RECIPES)), folder).toBe("");
    }
  });

  test.each(["bullmq", "pg-boss", "graphile-worker", "@dbos-inc/dbos-sdk"])(
    "the guide names the versions of %s that these tests run",
    (name) => {
      const [tested = ""] = readPage(PAGE).match(new RegExp(`Tested with ${name} .*`)) ?? [];
      for (const fixture of ["queues-oldest", "queues"]) {
        const path = join(ROOT, "test/fixtures", fixture, "package.json");
        expect(tested).toContain(JSON.parse(readFileSync(path, "utf8")).devDependencies[name]);
      }
    },
  );

  test("every recipe for queues makes its webhook URL from ref, and fails for good on an error that is not transient", () => {
    expect(RECEIPTS).toMatch(/webhookUrl: `https:\/\/example\.com\/hooks\/\$\{ref\}`/);
    expect(RECEIPTS).toContain("!error.isTransient");
    const workers = Object.values(RECIPES).filter((recipe) => recipe.includes("sendReceipt("));
    expect(workers).toHaveLength(4);
    for (const recipe of workers) expect(recipe).toContain("isFinal(error)");
  });
});
