import ky from "ky";
import { afterEach, describe, expect, test, vi } from "vitest";
import { fetchFrom } from "../../src/index.ts";
import { BOTH } from "./both.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const fetchOf = (text: string) => vi.fn(async () => Response.json({ text }));
const request = { method: "GET", path: "/any" } as const;

describe.each(BOTH)("option fetch of $name", ({ options, make }) => {
  test("the option fetch defaults to globalThis.fetch, looked up at each call", async () => {
    const client = make(options);
    for (const text of ["first", "second"]) {
      const fetch = fetchOf(text);
      vi.stubGlobal("fetch", fetch);
      expect(await client.request(request)).toEqual({ text });
      expect(fetch).toHaveBeenCalledTimes(1);
    }
  });

  test("globalThis.fetch is looked up again for a retry", async () => {
    const client = make({ ...options, retry: { backoff: { max: 0 } } });
    const second = fetchOf("second");
    const first = vi.fn(async () => {
      vi.stubGlobal("fetch", second);
      return new Response("", { status: 503 });
    });
    vi.stubGlobal("fetch", first);
    expect(await client.request(request)).toEqual({ text: "second" });
    expect(first).toHaveBeenCalledTimes(1);
  });

  test("the option fetch replaces globalThis.fetch", async () => {
    const [own, global] = [fetchOf("own"), fetchOf("global")];
    vi.stubGlobal("fetch", global);
    expect(await make({ ...options, fetch: own }).request(request)).toEqual({ text: "own" });
    expect(global).not.toHaveBeenCalled();
  });

  test("globalThis.fetch may be missing when the client is created", async () => {
    vi.stubGlobal("fetch", undefined);
    const client = make(options);
    vi.stubGlobal("fetch", fetchOf("later"));
    expect(await client.request(request)).toEqual({ text: "later" });
  });

  test("a ky instance as the option fetch throws a TypeError that names fetchFrom", () => {
    for (const instance of [ky, ky.create({ retry: 0 }), ky.extend({ timeout: 5 })]) {
      expect(() => make({ ...options, fetch: instance })).toThrow(
        new TypeError("option `fetch` must be fetchFrom(ky) instead of the ky instance itself"),
      );
    }
    expect(() => make({ ...options, fetch: fetchFrom(ky) })).not.toThrow();
  });

  test.each([
    ["create", { create: () => {} }],
    ["extend", { extend: () => {} }],
    ["both, but is not ky", { create: () => {}, extend: () => {} }],
    ["create and stop", { create: () => {}, stop: () => {} }],
    ["extend and stop", { extend: () => {}, stop: () => {} }],
    ["stop", { stop: () => {}, create: {}, extend: {} }],
  ])("a function with %s is accepted as the option fetch", async (_, properties) => {
    const fetch = Object.assign(fetchOf("own"), properties);
    expect(await make({ ...options, fetch }).request(request)).toEqual({ text: "own" });
  });

  test("a call rejects if there is no fetch at all", async () => {
    vi.stubGlobal("fetch", undefined);
    await expect(make({ ...options, retry: 0 }).request(request)).rejects.toThrow(/GET \/any/);
  });
});
