import ky from "ky";
import { afterEach, describe, expect, test, vi } from "vitest";
import { fetchFrom } from "../../../src/index.ts";
import { account, clientsOf } from "../../support/calls.ts";
import { ALL_CARRIERS } from "../../support/carriers.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";
import { BOTH } from "./both.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const fetchOf = (text: string) => vi.fn(async () => Response.json({ text }));
const request = { method: "GET", path: "/any" } as const;

describe.each(BOTH)("option fetch of $name", ({ options, make }) => {
  test("the option fetch replaces globalThis.fetch", async () => {
    const [own, global] = [fetchOf("own"), fetchOf("global")];
    vi.stubGlobal("fetch", global);
    expect(await make({ ...options, fetch: own }).request(request)).toEqual({ text: "own" });
    expect(global).not.toHaveBeenCalled();
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
});

test.each(ALL_CARRIERS.filter(({ fetch }) => fetch))(
  "a function around `fetch` of $carrier reads the same response",
  async ({ fetch }) => {
    await using server = await startLoopback(respond(200, account));
    const around: typeof fetch = (url, init) => (fetch as NonNullable<typeof fetch>)(url, init);
    expect(await clientsOf(server, { fetch: around }).v2.accounts.me()).toEqual(account.account);
    expect(server.requests).toHaveLength(1);
  },
);
