// Runs the recipes of the guide "Send many, safely" with real job queues.
import { execFile } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import getPort from "get-port";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeBlocksOf, ROOT } from "../docs/pages.ts";
import { installFixture } from "../support/fixture.ts";
import { startPostgres } from "../support/servers/postgres-server.ts";
import { hasRedis, startRedis } from "../support/servers/redis-server.ts";

const TIMEOUT_MS = 180_000;
const run = promisify(execFile);
const blocks = codeBlocksOf("docs/guides/send-many.md");

/** Returns the recipe of the guide that contains some words. */
const recipeWith = (words: string): string => {
  const found = blocks.filter(({ code }) => code.includes(words));
  expect(found, words).toHaveLength(1);
  return found[0]?.code ?? "";
};

describe("a recipe for a queue that delivers at least once", () => {
  let folder: string;

  beforeAll(() => {
    const modules = join(installFixture("queues"), "node_modules");
    folder = mkdtempSync(join(tmpdir(), "queues-"));
    mkdirSync(join(folder, "node_modules"));
    for (const name of readdirSync(modules)) {
      symlinkSync(join(modules, name), join(folder, "node_modules", name));
    }
    symlinkSync(ROOT, join(folder, "node_modules/messaging-service-client"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    for (const file of ["docs/preamble.ts", "bulk/queue-program.ts"]) {
      mkdirSync(join(folder, dirname(file)));
      copyFileSync(join(ROOT, "test", file), join(folder, file));
    }
  }, TIMEOUT_MS);
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs a recipe with four jobs, two of them for the same order. The response to the first send is lost. */
  const deliver = async (queue: "bullmq" | "pg-boss", recipe: string, port: number) => {
    writeFileSync(join(folder, "bulk/recipe.ts"), `${recipe}\nexport {};\n`);
    const args = [join(folder, "bulk/queue-program.ts"), queue, String(port)];
    const { stdout } = await run(process.execPath, args, { cwd: folder, timeout: TIMEOUT_MS });
    return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
  };

  if (!hasRedis) console.warn("SKIPPED: the recipe for BullMQ, for there is no redis-server");
  test.runIf(hasRedis)(
    "BullMQ: each order is sent once, and the one in doubt ends as failed",
    async () => {
      await using redis = await startRedis(await getPort());
      const { sent, ends } = await deliver("bullmq", recipeWith('from "bullmq"'), redis.port);
      expect(sent).toEqual(["+12062000001", "+12062000002", "+12062000003"]);
      expect(ends).toEqual(["failed", "completed", "completed", "completed"]);
    },
    TIMEOUT_MS,
  );

  test(
    "pg-boss, with the ledger in its Postgres: each order is sent once, and the one in doubt is reported",
    async () => {
      await using postgres = await startPostgres();
      const { sent, ends } = await deliver("pg-boss", recipeWith("boss.work"), postgres.port);
      expect(sent).toEqual(["+12062000001", "+12062000002", "+12062000003"]);
      expect(ends).toEqual([
        { failed: "in_doubt" },
        expect.objectContaining({ sentNow: true }),
        expect.objectContaining({ sentNow: false }),
        expect.objectContaining({ sentNow: true }),
      ]);
    },
    TIMEOUT_MS,
  );
});
