// Compiles the recipes of the guide "Queues", and runs them with real job queues.
import { execFile } from "node:child_process";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import getPort from "get-port";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeBlocksOf, ROOT } from "../docs/pages.ts";
import { compile, newApplication } from "../support/application.ts";
import { installFixture } from "../support/fixture.ts";
import { startPostgres } from "../support/servers/postgres-server.ts";
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
      const { ends, ...others } = await deliver("bullmq", recipeWith("new Worker"), { REDIS_URL });
      expect({ ends, ...others }).toMatchObject(expected);
      expect(JSON.stringify(ends.brokenRule.output)).toContain("phoneNumber: must be a valid");
    },
  );

  test("the pg-boss recipe, with the ledger in its Postgres, sends each order once; a send in doubt and an invalid message end as failed jobs", async () => {
    await using postgres = await startPostgres();
    const DATABASE_URL = `postgres://postgres@127.0.0.1:${postgres.port}/postgres`;
    const recipe = recipeWith("perJobResults: true");
    const { ends, ...others } = await deliver("pg-boss", recipe, { DATABASE_URL });
    expect({ ends, ...others }).toMatchObject(expected);
    expect(JSON.stringify(ends.brokenRule.output)).toContain("phoneNumber: must be a valid");
  });

  test("the recipes for queues compile with the types of the real packages", async () => {
    const recipes = {
      "bullmq.ts": "new Worker",
      "pg-boss.ts": "perJobResults: true",
      "outbox.ts": "placeOrder",
    };
    for (const [file, words] of Object.entries(recipes)) {
      writeFileSync(join(folder, file), recipeWith(words));
    }
    expect(await compile(folder, Object.keys(recipes))).toBe("");
  });
});
