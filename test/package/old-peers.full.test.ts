// The package installs and works with old versions of zod and of its optional peers that no unit test uses.
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { ROOT } from "../docs/pages.ts";

const PROGRAM = `
import { fetchFrom, throttleFrom, V2Client } from "messaging-service-client";
import { createFakeService } from "messaging-service-client/testing";
import { listen } from "messaging-service-client/testing/node";
import pThrottle from "p-throttle";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { Agent } from "undici";

const service = createFakeService();
service.addList({ name: "VIP" });
const { v2BaseUrl: baseUrl, close } = await listen(service);
const pace = { limit: 5, interval: 1000 };
const limiter = new RateLimiterMemory({ points: 5, duration: 1 });
const { email, apiKey } = service.account;
const found = [];
for (const options of [
  { fetch: fetchFrom(new Agent()) },
  { throttle: throttleFrom(pThrottle(pace)) },
  { throttle: throttleFrom(limiter, { key: "account-1" }) },
]) {
  const lists = await new V2Client({ baseUrl, email, apiKey, ...options }).lists.list().toArray();
  found.push(lists[0].name);
}
await close();
console.log(JSON.stringify(found));
process.exit();
`;

const SCHEMAS = `
import { listSchema, optInSettingsSchema, rcsTextMessageSchema } from "messaging-service-client/schemas";
import * as z from "zod";
import * as mini from "zod/mini";

const { smsFailover } = rcsTextMessageSchema.shape;
const reminder = z.object({ text: smsFailover, lists: z.array(listSchema) });
const settings = mini.optional(optInSettingsSchema);
const { text }: { text: string } = reminder.parse({ text: "Hi", lists: [] });
console.log(JSON.stringify([text, settings.safeParse(undefined).success]));
`;

/** Creates an application with a program, the package and other packages. Returns a function that runs a command in it. */
const createApplication = (file: string, program: string, ...packages: string[]) => {
  const folder = mkdtempSync(join(tmpdir(), "old-packages-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [tarball = ""] = globSync("*.tgz", { cwd: inject("application") });
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, file), program);
  const packed = join(inject("application"), tarball);
  run("npm", "install", "--prefer-offline", "--no-audit", "--no-fund", packed, ...packages);
  return run;
};

test("npm installs the package beside old versions of its optional peers, and their objects work", () => {
  const old = ["undici@5", "p-throttle@4", "rate-limiter-flexible@4"];
  const run = createApplication("program.js", PROGRAM, ...old);
  expect(JSON.parse(run(process.execPath, "program.js"))).toEqual(["VIP", "VIP", "VIP"]);
});

test("an application can combine the schemas with its own zod 4.0.0, including their types", () => {
  const run = createApplication("program.ts", SCHEMAS, "zod@4.0.0", "@types/node@24");
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext"];
  run(join(ROOT, "node_modules/.bin/tsc"), ...options, "program.ts");
  expect(JSON.parse(run(process.execPath, "program.ts"))).toEqual(["Hi", true]);
});
