// Requests that share clients in one isolate of workerd and end before their calls do.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { createFakeService } from "messaging-service-client/testing";
import { listen } from "messaging-service-client/testing/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installFixture } from "../../support/fixture.ts";
import { startWorkerd } from "../../support/servers/workerd.ts";

const PROGRAM = new URL("../../support/programs/shared-isolate.ts", import.meta.url).pathname;
const SEND = "POST /transactional_messages/send_rcs_text";
const ME = "GET /api/v2/accounts/me";
const LIMIT = 1;
const INTERVAL = 400;
/** Time in milliseconds after which other calls have overtaken the calls of requests that have ended, even on a busy machine. */
const OVERTAKEN_MS = 5_000;

const folder = mkdtempSync(join(tmpdir(), "isolates-"));
/** The bundled program, which reads its settings from the variable `SETTINGS`. */
let program: string;
beforeAll(async () => {
  installFixture("runtimes");
  const { outputFiles } = await build({
    entryPoints: [PROGRAM],
    write: false,
    bundle: true,
    format: "esm",
    target: "es2022",
    logLevel: "error",
    tsconfigRaw: {},
  });
  program = outputFiles[0]?.text ?? "";
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Setup {
  readonly date: string;
  readonly limit?: number;
  readonly isLimiter?: boolean;
  readonly ledger?: "memory" | "lazy" | "slow";
}

/** A worker with a service behind it, and the times at which requests reached the service. */
const openIsolate = async ({
  date,
  limit = LIMIT,
  isLimiter = false,
  ledger = "memory",
}: Setup) => {
  const arrivals: number[] = [];
  const service = createFakeService();
  const server = await listen(service);
  const { v2BaseUrl, transactionalBaseUrl } = server;
  const { email, apiKey } = service.account;
  const account = { v2BaseUrl, transactionalBaseUrl, email, apiKey };
  const settings = { ...account, limit, interval: INTERVAL, isLimiter, ledger };
  const outfile = join(mkdtempSync(join(folder, "worker-")), "worker.mjs");
  writeFileSync(outfile, `const SETTINGS = ${JSON.stringify(settings)};\n${program}`);
  const workerd = await startWorkerd(outfile, date, ["--expose-gc"]);
  service.subscribe(({ type }) => {
    if (type === "request") arrivals.push(performance.now());
  });
  /** Sends a request to the worker. Resolves to the response and its duration. */
  const request = async (path: string, signal = AbortSignal.timeout(15_000)) => {
    const begun = performance.now();
    const response = await fetch(workerd.url + path, { signal });
    const body = response.ok ? await response.json() : { status: response.status };
    return { body, tookMs: performance.now() - begun };
  };
  return {
    service,
    arrivals,
    request,
    /** Memory of the process in megabytes. */
    memory: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${workerd.pid}/status`, "utf8"))?.[1]) /
      1024,
    [Symbol.asyncDispose]: async () => {
      workerd.close();
      await server.close();
    },
  };
};

const DONE = { value: "number" };

/** Expects that no window contains more requests than the limit. A busy machine may record an arrival late. */
const expectPaced = (arrivals: readonly number[], limit = LIMIT) => {
  for (const [index, at] of arrivals.slice(limit).entries()) {
    expect(at - (arrivals[index] ?? 0)).toBeGreaterThan(INTERVAL - 100);
  }
};

describe.each(["2026-10-01", "2024-09-01"])("an isolate as of %s", { concurrent: true }, (date) => {
  test("a burst of requests is served in order, and none hangs", async () => {
    await using isolate = await openIsolate({ date });
    const ended: number[] = [];
    const requests: Promise<unknown>[] = [];
    for (const index of [0, 1, 2, 3, 4, 5]) {
      const call = isolate.request("call").finally(() => ended.push(index));
      requests.push(call.then(({ body }) => body));
      // The next call starts when this one is waiting or on the wire.
      const begun = async () =>
        isolate.service.requests.length + (await isolate.request("state")).body.value.queued;
      await expect.poll(begun).toBeGreaterThan(index);
    }
    expect(await Promise.all(requests)).toEqual(Array(6).fill(DONE));
    expect(ended).toEqual([0, 1, 2, 3, 4, 5]);
    expect(isolate.arrivals).toHaveLength(6);
    expectPaced(isolate.arrivals);
  });

  test("a burst with a limit of several slots is served, and none hangs", async () => {
    await using isolate = await openIsolate({ date, limit: 3 });
    const requests = Array.from({ length: 10 }, () => isolate.request("call"));
    for (const { body } of await Promise.all(requests)) expect(body).toEqual(DONE);
    expectPaced(isolate.arrivals, 3);
  });

  test("requests that respond while their calls wait lose their places", async () => {
    await using isolate = await openIsolate({ date });
    await isolate.request("call");
    const leaving = Array.from({ length: 20 }, () => isolate.request("call?leavesAfter=30"));
    await Promise.all(leaving);
    const staying = [1, 2, 3].map(() => isolate.request("call"));
    for (const { body, tookMs } of await Promise.all(staying)) {
      expect(body).toEqual(DONE);
      expect(tookMs).toBeLessThan(OVERTAKEN_MS + 4 * 1.25 * INTERVAL);
    }
    expect((await isolate.request("state")).body).toMatchObject({ value: { queued: 0 } });
    expectPaced(isolate.arrivals);
  });

  test("a request that is aborted while its call waits loses its place", async () => {
    await using isolate = await openIsolate({ date });
    await isolate.request("call");
    const gone = [1, 2, 3].map(() =>
      isolate.request("call", AbortSignal.timeout(50)).catch(() => "gone"),
    );
    expect(await Promise.all(gone)).toEqual(["gone", "gone", "gone"]);
    const { body, tookMs } = await isolate.request("call");
    expect(body).toEqual(DONE);
    expect(tookMs).toBeLessThan(OVERTAKEN_MS + 2 * INTERVAL);
  });

  test("a request that responds while its call is on the wire costs the next request one window, not its slot", async () => {
    await using isolate = await openIsolate({ date });
    isolate.service.failNext({ fault: "slow", delayMs: 12_000, endpoint: ME });
    await isolate.request("call?onWire&leavesAfter=500");
    await expect.poll(() => isolate.service.requests).toHaveLength(1);
    const { body, tookMs } = await isolate.request("call");
    expect(body).toEqual(DONE);
    expect(tookMs).toBeLessThan(1.25 * INTERVAL + OVERTAKEN_MS);
    expectPaced(isolate.arrivals);
    const again = await isolate.request("call");
    expect(again.body).toEqual(DONE);
    expect(again.tookMs).toBeLessThan(OVERTAKEN_MS);
  });

  test("a request that responds while it has a slot, but before its attempt, gives the slot back", async () => {
    await using isolate = await openIsolate({ date, ledger: "slow" });
    await isolate.request("send?key=a&leavesAfter=50");
    const { body, tookMs } = await isolate.request("send?key=b");
    expect(body).toMatchObject({ value: { sentNow: true } });
    expect(tookMs).toBeLessThan(OVERTAKEN_MS);
  });

  test("a 429 holds back the calls of all requests, and none hangs", async () => {
    await using isolate = await openIsolate({ date });
    isolate.service.failNext({ status: 429, headers: { "retry-after": "1" }, endpoint: ME });
    const requests = [0, 1, 2].map(() => isolate.request("call"));
    for (const { body } of await Promise.all(requests)) expect(body).toEqual(DONE);
    expectPaced(isolate.arrivals);
    expect((isolate.arrivals[1] ?? 0) - (isolate.arrivals[0] ?? 0)).toBeGreaterThan(950);
  });

  test("a 429 whose Retry-After is longer than a minute refuses the calls that wait in other requests", async () => {
    await using isolate = await openIsolate({ date });
    isolate.service.failNext({ status: 429, headers: { "retry-after": "90" }, endpoint: ME });
    const requests = [0, 1, 2].map(() => isolate.request("call"));
    const bodies = (await Promise.all(requests)).map(({ body }) => body.error.code);
    expect(bodies.toSorted()).toEqual(["rate_limit", "throttle", "throttle"]);
  });

  test("a limiter that never replies to a request that has ended is asked again by the next request", async () => {
    await using isolate = await openIsolate({ date, isLimiter: true });
    await isolate.request("call?leavesAfter=50");
    const { body, tookMs } = await isolate.request("call");
    expect(body).toEqual(DONE);
    expect(tookMs).toBeLessThan(OVERTAKEN_MS);
  });

  test("two requests with one key of sendOnce return the same transaction", async () => {
    await using isolate = await openIsolate({ date });
    isolate.service.failNext({ fault: "slow", delayMs: 1_200, endpoint: SEND });
    const both = await Promise.all([1, 2].map(() => isolate.request("send?key=a&wait=10000")));
    const ends = both.map(({ body }) => body.value);
    expect(ends.map(({ sentNow }) => sentNow).toSorted()).toEqual([false, true]);
    expect(new Set(ends.map(({ transactionId }) => transactionId)).size).toBe(1);
    expect(isolate.service.outbox).toHaveLength(1);
  });

  test("a key whose request responded during its send is in progress, then in doubt, and never sent again", async () => {
    await using isolate = await openIsolate({ date });
    isolate.service.failNext({ fault: "slow", delayMs: 10_000, endpoint: SEND });
    await isolate.request("send?key=a&leavesAfter=100");
    const { body, tookMs } = await isolate.request("send?key=a");
    expect(body).toMatchObject({ error: { reason: "in_progress", outcome: "unknown" } });
    expect(tookMs).toBeLessThan(OVERTAKEN_MS);
    const late = await isolate.request("send?key=a&wait=10000");
    expect(late.body).toMatchObject({ error: { reason: "in_doubt", outcome: "unknown" } });
    expect((await isolate.request("send?key=b")).body).toMatchObject({ value: { sentNow: true } });
    const sends = isolate.service.requests.filter(({ path }) => path.endsWith("send_rcs_text"));
    expect(sends).toHaveLength(2);
  });

  test("a first use of a ledger that never ends delays no other request", async () => {
    await using isolate = await openIsolate({ date, limit: 10, ledger: "lazy" });
    const first = isolate.request("send?key=a&leavesAfter=100");
    const { body, tookMs } = await isolate.request("send?key=b");
    expect(body).toMatchObject({ value: { sentNow: true } });
    await first;
    const after = await isolate.request("send?key=a");
    expect(after.body).toMatchObject({ value: { sentNow: true } });
    for (const ms of [tookMs, after.tookMs]) expect(ms).toBeLessThan(OVERTAKEN_MS);
  });
});

test("ten thousand requests that respond before their calls have ended leave nothing behind", async () => {
  await using isolate = await openIsolate({ date: "2026-10-01" });
  await isolate.request("call");
  const leave = async (count: number) => {
    for (let index = 0; index < count; index += 50) {
      const some = Array.from({ length: 50 }, (_, each) =>
        isolate.request(each % 2 ? "call?leavesAfter=0" : `send?key=${index + each}&leavesAfter=0`),
      );
      await Promise.all(some);
    }
  };
  await leave(10_000);
  const { body, tookMs } = await isolate.request("call");
  expect(body).toEqual(DONE);
  expect(tookMs).toBeLessThan(OVERTAKEN_MS + 2 * INTERVAL);
  await isolate.request("send?key=last");
  // The worker reads its state after garbage collection.
  const state = await isolate.request("state");
  expect(state.body).toMatchObject({ value: { queued: 0 } });
  const before = isolate.memory();
  await leave(3_000);
  await isolate.request("call");
  await isolate.request("state");
  expect(isolate.memory() - before).toBeLessThan(25);
});
