// Compiles the recipes of the guide "Queues", and runs them with real job queues.
import { execFile, spawn } from "node:child_process";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import getPort from "get-port";
import { createFakeService } from "messaging-service-client/testing";
import { listen } from "messaging-service-client/testing/node";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { codeBlocksOf, ROOT } from "../docs/pages.ts";
import { compile, newApplication } from "../support/application.ts";
import { installFixture } from "../support/fixture.ts";
import { createPool, startPostgres } from "../support/servers/postgres-server.ts";
import { hasRedis, startRedis } from "../support/servers/redis-server.ts";

const TIMEOUT_MS = 180_000;
const PROGRAM = "queue-program.ts";
const run = promisify(execFile);

/** Returns the recipe of the guide that contains the given words. */
const recipeWith = (words: string): string => {
  const found = codeBlocksOf("docs/guides/queues.md").filter(({ code }) => code.includes(words));
  expect(found, words).toHaveLength(1);
  return found[0]?.code ?? "";
};

/** Recipes of the guide, by the names of their files. */
const RECIPES = {
  "bullmq.ts": recipeWith("new Worker"),
  "pg-boss.ts": recipeWith("perJobResults: true"),
  "graphile.ts": recipeWith("taskList"),
  "dbos.ts": recipeWith("registerWorkflow"),
  "outbox.ts": recipeWith("boss.send"),
  "graphile-outbox.ts": recipeWith("add_job("),
};

describe("the recipes for queues that deliver at least once", { timeout: TIMEOUT_MS }, () => {
  let folder: string;

  beforeAll(() => {
    folder = newApplication(join(installFixture("queues"), "node_modules"));
    copyFileSync(join(ROOT, "test/support/programs", PROGRAM), join(folder, PROGRAM));
  }, TIMEOUT_MS);
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs a recipe with five jobs. */
  const deliver = async (queue: string, recipe: string, variables: Record<string, string>) => {
    writeFileSync(join(folder, "recipe.ts"), recipe);
    const env = { ...process.env, ...variables };
    const options = { cwd: folder, timeout: TIMEOUT_MS, env };
    const { stdout } = await run(process.execPath, [PROGRAM, queue], options);
    return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
  };

  const expected = {
    ends: {
      inDoubt: { state: "failed", requests: 1 },
      sent: { state: "completed", output: { sentNow: true }, requests: 1 },
      sentBefore: { state: "completed", output: { sentNow: false }, requests: 0 },
      brokenRule: { state: "failed", requests: 0 },
      // Three attempts of the client, and the job's own retry.
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
      await using redis = await startRedis(await getPort());
      const REDIS_URL = `redis://127.0.0.1:${redis.port}`;
      const { ends, ...others } = await deliver("bullmq", RECIPES["bullmq.ts"], { REDIS_URL });
      expect({ ends, ...others }).toMatchObject(expected);
      expect(JSON.stringify(ends.brokenRule.output)).toContain("phoneNumber: must be a valid");
    },
  );

  const runOnPostgres = async (queue: string, recipe: string) => {
    await using postgres = await startPostgres();
    const DATABASE_URL = `postgres://postgres@127.0.0.1:${postgres.port}/postgres`;
    return await deliver(queue, recipe, { DATABASE_URL });
  };

  test("the pg-boss recipe, with the ledger in its Postgres, sends each order once; a send in doubt and an invalid message end as failed jobs", async () => {
    const { ends, ...others } = await runOnPostgres("pg-boss", RECIPES["pg-boss.ts"]);
    expect({ ends, ...others }).toMatchObject(expected);
    expect(JSON.stringify(ends.brokenRule.output)).toContain("phoneNumber: must be a valid");
  });

  test("Graphile Worker sends each order once; a send in doubt and a broken rule end as failed jobs after one attempt", async () => {
    const { ends, ...others } = await runOnPostgres("graphile-worker", RECIPES["graphile.ts"]);
    const { sent, sentBefore, limited, confirmed, ...failed } = expected.ends;
    // A completed job is deleted, with its result.
    const completed = { state: "completed" };
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
  });

  test("DBOS sends each order once; a send in doubt and a broken rule end as failed workflows", async () => {
    const { ends, ...others } = await runOnPostgres("dbos", RECIPES["dbos.ts"]);
    expect({ ends, ...others }).toMatchObject(expected);
    expect(ends.brokenRule.output).toContain("phoneNumber: must be a valid");
  });

  test("a DBOS workflow whose process was killed during its send continues, sends nothing again, and fails visibly", async () => {
    await using postgres = await startPostgres();
    const pool = createPool(postgres.port);
    const service = createFakeService();
    const server = await listen(service);
    writeFileSync(join(folder, "recipe.ts"), RECIPES["dbos.ts"]);
    const env = {
      ...process.env,
      DATABASE_URL: `postgres://postgres@127.0.0.1:${postgres.port}/postgres`,
      MESSAGING_TRANSACTIONAL_BASE_URL: server.transactionalBaseUrl,
      MESSAGING_TRANSACTIONAL_API_KEY: service.account.apiKey,
    };
    const start = (code: string) => {
      const options = { cwd: folder, env, stdio: "ignore" } as const;
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

  test("the recipes for queues compile with the types of the real packages", async () => {
    for (const [file, recipe] of Object.entries(RECIPES)) writeFileSync(join(folder, file), recipe);
    expect(await compile(folder, Object.keys(RECIPES))).toBe("");
  });

  test("every recipe for queues makes its webhook URL from ref, and fails for good on an error that is not transient", () => {
    const workers = Object.values(RECIPES).filter((recipe) => recipe.includes("sendOnce("));
    expect(workers).toHaveLength(4);
    for (const recipe of workers) {
      expect(recipe).toMatch(/webhookUrl: `https:\/\/example\.com\/hooks\/\$\{ref\}`/);
      expect(recipe).toContain("error.isTransient");
    }
  });
});
