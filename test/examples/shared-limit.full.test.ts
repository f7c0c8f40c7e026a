// The recipe for a limiter in Postgres of the guide "Queues".
import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { createFakeService } from "messaging-service-client/testing";
import { expect, onTestFinished, test } from "vitest";
import { codeBlocksOf } from "../docs/pages.ts";
import { compile, newApplication } from "../support/application.ts";
import { installExamplePackages } from "../support/example-packages.ts";
import { accountOf } from "../support/run-example.ts";
import { usePostgres } from "../support/servers/use-postgres.ts";

const postgres = usePostgres();

test("workers in three processes take their calls from one limiter in Postgres, as the guide sets it up", async () => {
  const folder = newApplication(installExamplePackages());
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const blocks = codeBlocksOf("docs/guides/queues.md");
  const recipe = blocks.find(({ code }) => code.includes("RateLimiterPostgres"))?.code ?? "";
  writeFileSync(join(folder, "throttle.ts"), recipe);
  expect(await compile(folder, ["throttle.ts"])).toBe("");
  const worker = `
    import { V2Client } from "messaging-service-client";
    import { throttle } from "./throttle.ts";
    const v2 = new V2Client({ throttle });
    for (let call = 0; call < 4; call += 1) await v2.accounts.me();
    process.exit();`;
  writeFileSync(join(folder, "worker.ts"), worker);

  const service = createFakeService();
  const DATABASE_URL = `postgres://postgres@127.0.0.1:${postgres.server.port}/postgres`;
  const env = { ...process.env, ...(await accountOf(service)), DATABASE_URL };
  const run = () => promisify(execFile)(process.execPath, ["worker.ts"], { cwd: folder, env });
  await Promise.all([run(), run(), run()]);

  expect(service.requests).toHaveLength(12);
  const { rows } = await postgres.pool.query('SELECT points FROM "rlflx"');
  expect(rows).toEqual([{ points: 12 }]);
});
