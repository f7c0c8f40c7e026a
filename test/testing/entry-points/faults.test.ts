import type { FakeService, Fault } from "messaging-service-client/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OpenDoor } from "../../support/wire-cases/entry-point.ts";
import { credentials, openWorld, PHONE, wasRemoved } from "../../support/wire-cases/world.ts";
import { doors } from "./entry-points.ts";

const REMOVAL = `/api/v2/lists/10/subscribers/${PHONE}`;

describe.each(doors)("through $name", ({ open }) => {
  let service: FakeService;
  let door: OpenDoor;

  beforeEach(async () => {
    service = openWorld();
    door = await open(service);
  });
  afterEach(() => door.close());

  const ask = (target: string, init: RequestInit = {}) =>
    door.fetch(door.baseUrl + target, { headers: credentials.v2, ...init });
  const remove = (init: RequestInit = {}) => ask(REMOVAL, { method: "DELETE", ...init });
  const whatComes = async (fault: Fault) => {
    service.failNext({ fault });
    return remove();
  };

  /** A fault is over when it was met. */
  const expectRecovery = async () => expect((await ask("/api/v2/accounts/me")).status).toBe(200);

  test("network: the connection breaks, and nothing was done", async () => {
    await expect(whatComes("network")).rejects.toThrow(TypeError);
    expect(wasRemoved(service)).toBe(false);
    await expectRecovery();
  });

  test("network: what never arrived is not recorded", async () => {
    await expect(whatComes("network")).rejects.toThrow(TypeError);
    expect(service.requests).toEqual([]);
  });

  test("dropped: it is recorded and done, and then the connection breaks", async () => {
    await expect(whatComes("dropped")).rejects.toThrow(TypeError);
    expect(service.requests).toMatchObject([{ method: "DELETE", path: REMOVAL }]);
    expect(wasRemoved(service)).toBe(true);
    await expectRecovery();
  });

  test("hang: no answer comes, and nothing was done", async () => {
    service.failNext({ fault: "hang" });
    const signal = AbortSignal.timeout(80);
    await expect(remove({ signal })).rejects.toThrow();
    expect(signal.aborted).toBe(true);
    expect(wasRemoved(service)).toBe(false);
    await expectRecovery();
  });

  test("stalled_body: it is done; the beginning of the body comes, and then nothing", async () => {
    service.failNext({ fault: "stalled_body" });
    const controller = new AbortController();
    const response = await remove({ signal: controller.signal });
    expect(response.status).toBe(200);
    expect(wasRemoved(service)).toBe(true);
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(new TextDecoder().decode(value)).toMatch(/^\{"status":/);
    const rest = reader?.read();
    const first = await Promise.race([rest, new Promise((resolve) => setTimeout(resolve, 50))]);
    expect(first).toBeUndefined();
    controller.abort();
    await expect(rest).rejects.toThrow();
  });

  test("truncated: it is done; the JSON breaks off", async () => {
    const response = await whatComes("truncated");
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).toMatch(/^\{"status":/);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(wasRemoved(service)).toBe(true);
  });

  test("html: a 200 with a page of HTML, and nothing was done", async () => {
    const response = await whatComes("html");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/html/);
    expect(await response.text()).toMatch(/^<!doctype html>/);
    expect(wasRemoved(service)).toBe(false);
  });

  test("slow: it is done; the whole answer comes after delayMs", async () => {
    service.failNext({ fault: "slow", delayMs: 60 });
    const began = performance.now();
    const response = await remove();
    expect(await response.json()).toHaveProperty("subscriber.phone_number", PHONE);
    expect(performance.now() - began).toBeGreaterThan(55);
    expect(wasRemoved(service)).toBe(true);
  });

  test("slow: who does not wait is let go", async () => {
    service.failNext({ fault: "slow", delayMs: 60_000 });
    await expect(remove({ signal: AbortSignal.timeout(50) })).rejects.toThrow();
    expect(wasRemoved(service)).toBe(true);
  });

  test("wrong_page: the page after the one asked for, by its number", async () => {
    service.failNext({ fault: "wrong_page" });
    const wrong = await (await ask("/api/v2/lists?page=2&per_page=1")).json();
    const right = await (await ask("/api/v2/lists?page=2&per_page=1")).json();
    expect(wrong).toEqual({ ...right, page: 3, pages_count: 3 });
  });

  test("drift: one field is of another type", async () => {
    service.failNext({ fault: "drift" });
    const drifted = (await (await ask("/api/v2/lists/10")).json()).list;
    const { list } = await (await ask("/api/v2/lists/10")).json();
    const differing = Object.keys(list).filter(
      (key) => JSON.stringify(list[key]) !== JSON.stringify(drifted[key]),
    );
    expect(differing).toHaveLength(1);
    const [field = ""] = differing;
    expect(typeof drifted[field]).not.toBe(typeof list[field]);
  });

  test("status: an error in the fake's own shape, and nothing was done", async () => {
    service.failNext({ status: 503 });
    const response = await remove();
    expect(response.status).toBe(503);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({
      status: "error",
      error: expect.stringContaining("503"),
    });
    expect(wasRemoved(service)).toBe(false);
  });

  test("status with headers and a JSON body", async () => {
    service.failNext({ status: 429, headers: { "Retry-After": "7" }, body: { oops: true } });
    const response = await remove();
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({ oops: true });
  });

  test("status with headers and a text", async () => {
    service.failNext({ status: 502, headers: { "content-type": "text/plain" }, body: "Bad!" });
    const response = await remove();
    expect(response.headers.get("content-type")).toBe("text/plain");
    expect(await response.text()).toBe("Bad!");
  });

  test.each(["content-type", "Content-Type"])(
    "the header %s replaces the fake's own",
    async (name) => {
      service.failNext({ status: 500, headers: { [name]: "application/problem+json" }, body: {} });
      expect((await remove()).headers.get("content-type")).toBe("application/problem+json");
    },
  );

  test.each([204, 205, 304])("status %i, which has no body", async (status) => {
    service.failNext({ status });
    const response = await remove();
    expect(response.status).toBe(status);
    expect(await response.text()).toBe("");
    await expectRecovery();
  });

  test("times: as many requests meet it, and not one more", async () => {
    service.failNext({ status: 500, times: 2 });
    const statuses = [];
    for (let call = 0; call < 3; call += 1) statuses.push((await ask("/api/v2/lists")).status);
    expect(statuses).toEqual([500, 500, 200]);
  });

  test("endpoint: only its requests meet it", async () => {
    service.failNext({ fault: "html", endpoint: "GET /api/v2/lists/{ID}" });
    expect((await ask("/api/v2/lists")).headers.get("content-type")).toBe("application/json");
    expect((await ask("/api/v2/lists/10")).headers.get("content-type")).toMatch(/html/);
    expect((await ask("/api/v2/lists/10")).headers.get("content-type")).toBe("application/json");
  });

  test("several failures are met in the order in which they were planned", async () => {
    service.failNext({ status: 500 });
    service.failNext({ status: 502, endpoint: "GET /api/v2/accounts/me" });
    service.failNext({ status: 503 });
    const statuses = [];
    for (const path of ["/api/v2/lists", "/api/v2/lists", "/api/v2/accounts/me"]) {
      statuses.push((await ask(path)).status);
    }
    expect(statuses).toEqual([500, 503, 502]);
  });
});
