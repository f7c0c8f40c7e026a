import type { Fault, NextFailure } from "messaging-service-client/testing";
import { expect, test } from "vitest";
import { describeEntryPoints } from "../../support/wire-cases/describe-entry-points.ts";
import { credentials, PHONE, wasRemoved } from "../../support/wire-cases/world.ts";
import { entryPoints } from "./entry-points.ts";

const REMOVAL = `/api/v2/lists/10/subscribers/${PHONE}`;

describeEntryPoints(entryPoints, (world) => {
  const ask = (target: string, init: RequestInit = {}) =>
    world.fetch(target, { headers: credentials.v2, ...init });
  const remove = (init: RequestInit = {}) => ask(REMOVAL, { method: "DELETE", ...init });
  const whatComes = async (fault: Fault) => {
    world.service.failNext({ fault });
    return remove();
  };

  /** Starts a removal that meets a fault. The caller can abort it. */
  const abandon = (failure: Parameters<typeof world.service.failNext>[0]) => {
    world.service.failNext(failure);
    const controller = new AbortController();
    const rejection = remove({ signal: controller.signal }).then(
      () => undefined,
      (error: unknown) => error,
    );
    return { rejection, abort: () => controller.abort() };
  };

  /** Expects that exactly one request meets the fault. */
  const expectRecovery = async () => expect((await ask("/api/v2/accounts/me")).status).toBe(200);

  test.each([
    ["network", false, 0],
    ["dropped", true, 1],
  ] as const)(
    "the fault %s breaks the connection (processed: %s, recorded: %i times)",
    async (fault, isDone, records) => {
      await expect(whatComes(fault)).rejects.toThrow(TypeError);
      expect(world.service.requests).toHaveLength(records);
      expect(wasRemoved(world.service)).toBe(isDone);
      await expectRecovery();
    },
  );

  test("the fault hang sends no response, and the request is not processed", async () => {
    const { rejection, abort } = abandon({ fault: "hang" });
    await expect.poll(() => world.service.requests).toHaveLength(1);
    expect(await Promise.race([rejection, new Promise((end) => setTimeout(end, 50))])).toBe(
      undefined,
    );
    abort();
    expect(await rejection).toBeInstanceOf(Error);
    expect(wasRemoved(world.service)).toBe(false);
    await expectRecovery();
  });

  test("the fault stalled_body processes the request, and sends only the start of the body", async () => {
    world.service.failNext({ fault: "stalled_body" });
    const controller = new AbortController();
    const response = await remove({ signal: controller.signal });
    expect(response.status).toBe(200);
    // With msw 3, the abort of a body without a length throws an assertion of undici.
    expect(Number(response.headers.get("content-length"))).toBeGreaterThan(0);
    expect(wasRemoved(world.service)).toBe(true);
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(new TextDecoder().decode(value)).toMatch(/^\{"status":/);
    const rest = reader?.read();
    const first = await Promise.race([rest, new Promise((resolve) => setTimeout(resolve, 50))]);
    expect(first).toBeUndefined();
    controller.abort();
    await expect(rest).rejects.toThrow();
  });

  test.each([
    ["truncated", true, /^application\/json/, /^\{"status":.*[^}]$/s],
    ["html", false, /^text\/html/, /^<!doctype html>/],
  ] as const)("the fault %s sends a 200 (processed: %s)", async (fault, isDone, type, text) => {
    const response = await whatComes(fault);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(type);
    expect(await response.text()).toMatch(text);
    expect(wasRemoved(world.service)).toBe(isDone);
  });

  test("the fault slow processes the request and sends the whole response after delayMs", async () => {
    world.service.failNext({ fault: "slow", delayMs: 60 });
    const began = performance.now();
    const response = await remove();
    expect(await response.json()).toHaveProperty("subscriber.phone_number", PHONE);
    expect(performance.now() - began).toBeGreaterThan(55);
    expect(wasRemoved(world.service)).toBe(true);
  });

  test("the fault slow releases a caller that does not wait", async () => {
    const { rejection, abort } = abandon({ fault: "slow", delayMs: 60_000 });
    await expect.poll(() => wasRemoved(world.service)).toBe(true);
    abort();
    expect(await rejection).toBeInstanceOf(Error);
  });

  test("the fault wrong_page sends the requested items under the number of the next page", async () => {
    world.service.failNext({ fault: "wrong_page" });
    const wrong = await (await ask("/api/v2/lists?page=2&per_page=1")).json();
    const right = await (await ask("/api/v2/lists?page=2&per_page=1")).json();
    expect(wrong).toEqual({ ...right, page: 3, pages_count: 3 });
  });

  test("the fault drift changes the type of one field", async () => {
    world.service.failNext({ fault: "drift" });
    const drifted = (await (await ask("/api/v2/lists/10")).json()).list;
    const { list } = await (await ask("/api/v2/lists/10")).json();
    const differing = Object.keys(list).filter(
      (key) => JSON.stringify(list[key]) !== JSON.stringify(drifted[key]),
    );
    expect(differing).toHaveLength(1);
    const [field = ""] = differing;
    expect(typeof drifted[field]).not.toBe(typeof list[field]);
  });

  const OWN = { type: "application/json", text: /^{"status":"error","error":".*503.*"}$/ };
  test.each([
    [{ status: 503 }, OWN],
    [
      { status: 429, headers: { "Retry-After": "7" }, body: { oops: true } },
      { ...OWN, text: /^{"oops":true}$/ },
    ],
    [
      { status: 502, headers: { "content-type": "text/plain" }, body: "Bad!" },
      { type: "text/plain", text: /^Bad!$/ },
    ],
    ...["content-type", "Content-Type"].map((name) => [
      { status: 500, headers: { [name]: "application/problem+json" }, body: {} },
      { type: "application/problem+json", text: /^{}$/ },
    ]),
  ] as [NextFailure & { status: number; headers?: Record<string, string> }, typeof OWN][])(
    "failNext with %j sends this response, and the request is not processed",
    async (failure, { type, text }) => {
      world.service.failNext(failure);
      const response = await remove();
      expect(response.status).toBe(failure.status);
      for (const [name, value] of Object.entries({ "content-type": type, ...failure.headers }))
        expect(response.headers.get(name)).toBe(value);
      expect(await response.text()).toMatch(text);
      expect(wasRemoved(world.service)).toBe(false);
    },
  );

  test.each([204, 205, 304])("failNext with the status %i sends no body", async (status) => {
    world.service.failNext({ status });
    const response = await remove();
    expect(response.status).toBe(status);
    expect(await response.text()).toBe("");
    await expectRecovery();
  });
});
