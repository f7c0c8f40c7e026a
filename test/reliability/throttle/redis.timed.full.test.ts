// Several processes share the budget of one account through a real Redis.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import { afterAll, describe, expect, test } from "vitest";
import { throttleFrom } from "../../../src/index.ts";
import { bundleProgram } from "../../support/bundle.ts";
import { account, clientsOf, errorOf, sleep } from "../../support/calls.ts";
import { installFixture } from "../../support/fixture.ts";
import { newMemoryFolder } from "../../support/memory-folder.ts";
import type { Task } from "../../support/programs/redis-child.ts";
import { REFUSED_PORT, respond, startLoopback } from "../../support/servers/loopback.ts";
import { newPort } from "../../support/servers/new-port.ts";
import { createClient, hasRedis, startRedis } from "../../support/servers/redis-server.ts";

if (!hasRedis)
  console.warn(
    "SKIPPED: test/reliability/throttle/redis.timed.full.test.ts needs redis-server, which is not installed",
  );

const PROCESSES = 4;
const SOURCE = new URL("../../support/programs/redis-child.ts", import.meta.url).pathname;
const folder = newMemoryFolder("redis-");
afterAll(() => rmSync(folder, { recursive: true }));
const script = hasRedis ? await bundleProgram(SOURCE, folder) : "";
/** Path of the client's package, for processes that run in other folders. */
const ioredis = hasRedis
  ? createRequire(join(installFixture("first-ring"), "package.json")).resolve("ioredis")
  : "";

interface Result {
  readonly done: number;
  readonly failures: Readonly<Record<string, number>>;
}

/** Starts a process whose output a test can await line by line. */
const startProcess = (task: Omit<Task, "ioredis">) => {
  const args = [script, JSON.stringify({ ...task, ioredis })];
  const child: ChildProcess = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 100_000,
  });
  if (!child.stdout) throw new Error("the process has no output");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exit = once(child, "exit");
  return {
    async line(): Promise<unknown> {
      const { value } = await lines.next();
      return JSON.parse(value ?? "null");
    },
    async result(): Promise<Result> {
      const result = (await this.line()) as Result;
      expect(await exit).toEqual([0, null]);
      return result;
    },
  };
};
const startProcesses = (task: Parameters<typeof startProcess>[0]) =>
  Array.from({ length: PROCESSES }, () => startProcess(task));
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

describe.skipIf(!hasRedis)("four processes that share a budget in Redis", () => {
  test("four processes that share a budget in Redis never exceed it, and do not send the remaining calls", async () => {
    await using server = await startLoopback(respond(200, account));
    await using redis = await startRedis(await newPort());
    const budget = { points: 25, duration: 600 };
    const { baseUrl } = server;
    const task = { baseUrl, redisPort: redis.port, ...budget, calls: 20, totalTimeout: 4000 };
    const results = await Promise.all(startProcesses(task).map((child) => child.result()));
    expect(sum(results.map(({ done }) => done))).toBe(25);
    expect(server.requests).toHaveLength(25);
    const left = results.flatMap(({ failures }) => Object.entries(failures));
    expect(new Set(left.map(([what]) => what))).toEqual(new Set(["timeout, not_sent"]));
    expect(sum(left.map(([, times]) => times))).toBe(PROCESSES * 20 - 25);
  }, 110_000);

  test("four processes that share a budget in Redis wait for the next window, in which their calls succeed", async () => {
    await using server = await startLoopback(respond(200, account));
    await using redis = await startRedis(await newPort());
    const { baseUrl } = server;
    const task = { baseUrl, redisPort: redis.port, points: 8, duration: 1, calls: 10 };
    const results = await Promise.all(startProcesses(task).map((child) => child.result()));
    expect(results).toEqual(Array(PROCESSES).fill({ done: 10, failures: {} }));
    expect(server.requests).toHaveLength(40);
    const arrivals = server.requests.map(({ at }) => at).sort((a, b) => a - b);
    const [first = 0] = arrivals;
    // A window begins with its first point and lasts one second. The very first request may be delayed on its way.
    const LATE = 500;
    for (const windows of [1, 2, 3, 4]) {
      const until = first + windows * 1000 - LATE;
      expect(arrivals.filter((at) => at < until).length).toBeLessThanOrEqual(windows * 8);
    }
    expect((arrivals.at(-1) ?? 0) - first).toBeGreaterThan(4 * 1000 - LATE);
  }, 110_000);

  test("four processes that share a budget in Redis fail with a clear error while Redis is down, and continue when it is back", async () => {
    await using server = await startLoopback(respond(200, account));
    const port = await newPort();
    await using redis = await startRedis(port);
    const budget = { points: 1_000_000, duration: 600 };
    const task = {
      ...{ baseUrl: server.baseUrl, redisPort: port, ...budget },
      calls: "until it comes back",
    } as const;
    const children = startProcesses(task);
    const ready = await Promise.all(children.map((child) => child.line()));
    expect(ready).toEqual(Array(PROCESSES).fill({ isReady: true }));
    await expect.poll(() => server.requests.length, { timeout: 60_000 }).toBeGreaterThan(100);
    await redis.kill();
    const gone = await Promise.all(children.map((child) => child.line()));
    expect(gone).toEqual(Array(PROCESSES).fill({ gone: true }));
    // Each process keeps requesting points, but sends nothing.
    const sent = server.requests.length;
    await sleep(300);
    expect(server.requests).toHaveLength(sent);
    await using _ = await startRedis(port);
    const results = await Promise.all(children.map((child) => child.result()));
    for (const { failures } of results) {
      expect(Object.keys(failures)).toEqual(["throttle unavailable, not_sent"]);
    }
    expect(server.requests).toHaveLength(sum(results.map(({ done }) => done)));
    expect(server.requests.length).toBeGreaterThanOrEqual(sent + PROCESSES);
  }, 110_000);
});

describe.skipIf(!hasRedis)("one process whose Redis is down", () => {
  test("one process whose Redis is down falls back to an insurance limiter", async () => {
    await using server = await startLoopback(respond(200, account));
    const storeClient = createClient(REFUSED_PORT);
    const insuranceLimiter = new RateLimiterMemory({ points: 2, duration: 600 });
    const shared = { storeClient, points: 8, duration: 600, insuranceLimiter };
    const throttle = throttleFrom(new RateLimiterRedis(shared), { key: "account-1", maxWait: 0 });
    const { v2 } = clientsOf(server, { throttle });
    await v2.accounts.me();
    await v2.accounts.me();
    expect(await errorOf(v2.accounts.me())).toMatchObject({ reason: "max_wait" });
    expect(server.requests).toHaveLength(2);
    storeClient.disconnect();
  });
});
