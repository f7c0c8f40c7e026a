// The guide's recipes for a limit that several processes share.
import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import getPort from "get-port";
import { createFakeService } from "messaging-service-client/testing";
import { expect, onTestFinished, test } from "vitest";
import { codeBlocksOf } from "../docs/pages.ts";
import { compile, newApplication } from "../support/application.ts";
import { installExamplePackages } from "../support/example-packages.ts";
import { accountOf } from "../support/run-example.ts";
import { createClient, hasRedis, startRedis } from "../support/servers/redis-server.ts";
import { usePostgres } from "../support/servers/use-postgres.ts";

const postgres = usePostgres();

const recipeWith = (page: string, limiter: string): string =>
  codeBlocksOf(page).find(({ code }) => code.includes(`new ${limiter}`))?.code ?? "";

/** Runs a program in three processes that make four calls each, and returns the number of calls. */
const runWorkers = async (files: Readonly<Record<string, string>>, settings: object) => {
  const folder = newApplication(installExamplePackages());
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code);
  expect(await compile(folder, Object.keys(files))).toBe("");
  const service = createFakeService();
  const env = { ...process.env, ...(await accountOf(service)), ...settings };
  const run = () => promisify(execFile)(process.execPath, ["worker.ts"], { cwd: folder, env });
  await Promise.all([run(), run(), run()]);
  return service.requests.length;
};

const CALLS = "for (let call = 0; call < 4; call += 1) await v2.accounts.me(); process.exit();";

test("workers in three processes take their calls from one limiter in Postgres, as the guide sets it up", async () => {
  const worker = `
    import { V2Client } from "messaging-service-client";
    import { throttle } from "./throttle.ts";
    const v2 = new V2Client({ throttle });
    ${CALLS}`;
  const recipe = recipeWith("docs/guides/queues.md", "RateLimiterPostgres");
  const DATABASE_URL = `postgres://postgres@127.0.0.1:${postgres.server.port}/postgres`;
  const files = { "throttle.ts": recipe, "worker.ts": worker };
  expect(await runWorkers(files, { DATABASE_URL })).toBe(12);
  const { rows } = await postgres.pool.query('SELECT points FROM "rlflx"');
  expect(rows).toEqual([{ points: 12 }]);
});

test.skipIf(!hasRedis)(
  "programs in three processes take their calls from one limiter in Redis, as the guide sets it up",
  async () => {
    const port = await getPort();
    await using _ = await startRedis(port);
    // The code block itself makes one call.
    const recipe = recipeWith("docs/guides/throttle-and-retries.md", "RateLimiterRedis");
    const files = { "worker.ts": `${recipe}\n${CALLS}` };
    expect(await runWorkers(files, { REDIS_URL: `redis://127.0.0.1:${port}` })).toBe(15);
    const client = createClient(port) as ReturnType<typeof createClient> & {
      get(key: string): Promise<string>;
    };
    onTestFinished(() => client.disconnect());
    await expect.poll(() => client.get("rlflx:account-1").catch(() => "")).toBe("15");
  },
);
