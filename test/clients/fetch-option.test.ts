import { afterEach, describe, expect, test, vi } from "vitest";
import { BOTH } from "./both.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const answering = (text: string) => vi.fn(async () => Response.json({ text }));
const request = { method: "GET", path: "/any" } as const;

describe.each(BOTH)("the fetch of $name", ({ options, make }) => {
  test("is globalThis.fetch as it is at each call", async () => {
    const client = make(options);
    for (const text of ["first", "second"]) {
      const fetch = answering(text);
      vi.stubGlobal("fetch", fetch);
      expect(await client.request(request)).toEqual({ text });
      expect(fetch).toHaveBeenCalledTimes(1);
    }
  });

  test("is looked up for each attempt, so that a repeat goes to the new one", async () => {
    const client = make({ ...options, retry: { backoff: { max: 0 } } });
    const second = answering("second");
    const first = vi.fn(async () => {
      vi.stubGlobal("fetch", second);
      return new Response("", { status: 503 });
    });
    vi.stubGlobal("fetch", first);
    expect(await client.request(request)).toEqual({ text: "second" });
    expect(first).toHaveBeenCalledTimes(1);
  });

  test("is the option, where it is given", async () => {
    const [own, global] = [answering("own"), answering("global")];
    vi.stubGlobal("fetch", global);
    expect(await make({ ...options, fetch: own }).request(request)).toEqual({ text: "own" });
    expect(global).not.toHaveBeenCalled();
  });

  test("need not be there when the client is made", async () => {
    vi.stubGlobal("fetch", undefined);
    const client = make(options);
    vi.stubGlobal("fetch", answering("later"));
    expect(await client.request(request)).toEqual({ text: "later" });
  });

  test("that is missing at a call is told by a rejection", async () => {
    vi.stubGlobal("fetch", undefined);
    await expect(make({ ...options, retry: 0 }).request(request)).rejects.toThrow(/GET \/any/);
  });
});
