import type { Fault } from "messaging-service-client/testing";
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

  /** Starts a removal that meets a fault, and that its caller can end. */
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

  test("the fault network breaks the connection before anything is done", async () => {
    await expect(whatComes("network")).rejects.toThrow(TypeError);
    expect(wasRemoved(world.service)).toBe(false);
    await expectRecovery();
  });

  test("the fault network leaves no record of the request", async () => {
    await expect(whatComes("network")).rejects.toThrow(TypeError);
    expect(world.service.requests).toEqual([]);
  });

  test("the fault dropped records and carries out the request, and then breaks the connection", async () => {
    await expect(whatComes("dropped")).rejects.toThrow(TypeError);
    expect(world.service.requests).toMatchObject([{ method: "DELETE", path: REMOVAL }]);
    expect(wasRemoved(world.service)).toBe(true);
    await expectRecovery();
  });

  test("the fault hang sends no response, and nothing is done", async () => {
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

  test("the fault stalled_body carries out the request, and sends only the beginning of the body", async () => {
    world.service.failNext({ fault: "stalled_body" });
    const controller = new AbortController();
    const response = await remove({ signal: controller.signal });
    expect(response.status).toBe(200);
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

  test("the fault truncated carries out the request and sends JSON that breaks off", async () => {
    const response = await whatComes("truncated");
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).toMatch(/^\{"status":/);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(wasRemoved(world.service)).toBe(true);
  });

  test("the fault html sends a 200 with an HTML page, and nothing is done", async () => {
    const response = await whatComes("html");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/html/);
    expect(await response.text()).toMatch(/^<!doctype html>/);
    expect(wasRemoved(world.service)).toBe(false);
  });

  test("the fault slow carries out the request and sends the whole response after delayMs", async () => {
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

  test("failNext with a status sends an error in the fake's own shape, and nothing is done", async () => {
    world.service.failNext({ status: 503 });
    const response = await remove();
    expect(response.status).toBe(503);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({
      status: "error",
      error: expect.stringContaining("503"),
    });
    expect(wasRemoved(world.service)).toBe(false);
  });

  test("failNext with a status sends the given headers and JSON body", async () => {
    world.service.failNext({ status: 429, headers: { "Retry-After": "7" }, body: { oops: true } });
    const response = await remove();
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({ oops: true });
  });

  test("failNext with a status sends the given headers and string", async () => {
    world.service.failNext({
      status: 502,
      headers: { "content-type": "text/plain" },
      body: "Bad!",
    });
    const response = await remove();
    expect(response.headers.get("content-type")).toBe("text/plain");
    expect(await response.text()).toBe("Bad!");
  });

  test.each(["content-type", "Content-Type"])(
    "failNext with the header %s replaces the fake's own header",
    async (name) => {
      world.service.failNext({
        status: 500,
        headers: { [name]: "application/problem+json" },
        body: {},
      });
      expect((await remove()).headers.get("content-type")).toBe("application/problem+json");
    },
  );

  test.each([204, 205, 304])("failNext with the status %i sends no body", async (status) => {
    world.service.failNext({ status });
    const response = await remove();
    expect(response.status).toBe(status);
    expect(await response.text()).toBe("");
    await expectRecovery();
  });

  test("failNext with times fails this number of requests", async () => {
    world.service.failNext({ status: 500, times: 2 });
    const statuses = [];
    for (let call = 0; call < 3; call += 1) statuses.push((await ask("/api/v2/lists")).status);
    expect(statuses).toEqual([500, 500, 200]);
  });

  test("failNext with endpoint fails only requests to this endpoint", async () => {
    world.service.failNext({ fault: "html", endpoint: "GET /api/v2/lists/{ID}" });
    expect((await ask("/api/v2/lists")).headers.get("content-type")).toBe("application/json");
    expect((await ask("/api/v2/lists/10")).headers.get("content-type")).toMatch(/html/);
    expect((await ask("/api/v2/lists/10")).headers.get("content-type")).toBe("application/json");
  });

  test("several failures take effect in the order in which they were armed", async () => {
    world.service.failNext({ status: 500 });
    world.service.failNext({ status: 502, endpoint: "GET /api/v2/accounts/me" });
    world.service.failNext({ status: 503 });
    const statuses = [];
    for (const path of ["/api/v2/lists", "/api/v2/lists", "/api/v2/accounts/me"]) {
      statuses.push((await ask(path)).status);
    }
    expect(statuses).toEqual([500, 503, 502]);
  });
});
