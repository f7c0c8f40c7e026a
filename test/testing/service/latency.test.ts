import type { FakeServiceOptions } from "messaging-service-client/testing";
import { describe, expect, test } from "vitest";
import { createFake } from "../../support/fakes/fake-service.ts";

/** Delays of the requests in milliseconds. */
const delaysOf = (
  latency: FakeServiceOptions["latency"],
  requests: readonly { readonly path: string; readonly body?: unknown }[],
): number[] => {
  const service = createFake({ latency });
  return requests.map(({ path, body }) => {
    const [method, text] = body === undefined ? ["GET", ""] : ["POST", JSON.stringify(body)];
    return service.handle({ method, path, query: {}, headers: {}, body: text }).delayMs ?? 0;
  });
};
const lists = { path: "/api/v2/lists" };
const account = { path: "/api/v2/accounts/me" };

describe("the option latency", () => {
  test("the option latency delays nothing by default", () => {
    expect(delaysOf(undefined, [lists, account])).toEqual([0, 0]);
  });

  test("the option latency delays every response by a number of milliseconds", () => {
    expect(delaysOf(250, [lists, account, { path: "/nowhere" }])).toEqual([250, 250, 250]);
  });

  test("the option latency spreads delays between min and max, and repeats them for the same seed", () => {
    const requests = Array.from({ length: 100 }, () => lists);
    const delays = delaysOf({ min: 50, max: 150, seed: 5 }, requests);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(50);
    expect(Math.max(...delays)).toBeLessThanOrEqual(150);
    expect(new Set(delays).size).toBeGreaterThan(90);
    expect(delaysOf({ min: 50, max: 150, seed: 5 }, requests)).toEqual(delays);
    expect(delaysOf({ min: 50, max: 150, seed: 6 }, requests)).not.toEqual(delays);
  });

  test("the option latency can be limited to an endpoint", () => {
    const latency = { min: 10, endpoint: "GET /api/v2/lists" } as const;
    expect(delaysOf(latency, [lists, account])).toEqual([10, 0]);
  });

  test("the option latency is added to the delay of the fault slow", () => {
    const service = createFake({ latency: 100 });
    service.failNext({ fault: "slow", delayMs: 50 });
    const request = { method: "GET", path: "/api/v2/lists", query: {}, headers: {}, body: "" };
    expect(service.handle(request).delayMs).toBe(150);
  });

  test("the option latency delays fetch in real time", async () => {
    const service = createFake({ latency: 60 });
    const started = performance.now();
    await service.fetch(`${service.v2BaseUrl}/api/v2/lists`);
    expect(performance.now() - started).toBeGreaterThan(55);
    expect(service.requests[0]?.durationMs).toBeGreaterThanOrEqual(60);
  });
});
