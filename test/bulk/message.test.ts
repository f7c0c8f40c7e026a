import { createHash } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { digestOf, nextId } from "../../src/bulk/message.ts";

afterEach(() => void vi.unstubAllGlobals());

const CONTENTS = [["endpoint", { b: 1, a: "Se\u00f1or 🎉" }], "", null, { text: "\ud83c" }];

test.each(CONTENTS)(
  "the digest of %j is the same from the runtime's own hash and from Web Crypto",
  async (content) => {
    const own = await digestOf(content, "ref");
    vi.stubGlobal("process", { ...process, getBuiltinModule: undefined });
    const subtle = vi.spyOn(crypto.subtle, "digest");
    expect(await digestOf(content, "ref")).toBe(own);
    expect(subtle).toHaveBeenCalledOnce();
    expect(own).toMatch(/^[\da-f]{64}$/);
  },
);

test("the digest of a message is the SHA-256 of its JSON with sorted keys and without the ref", async () => {
  const expected = createHash("sha256").update('{"a":"/hooks/","b":1}').digest("hex");
  expect(await digestOf({ b: 1, a: "/hooks/r-1" }, "r-1")).toBe(expected);
});

test("ids are random, need no escaping in a URL, and take few calls of the runtime", () => {
  const random = vi.spyOn(crypto, "getRandomValues");
  const ids = Array.from({ length: 640 }, nextId);
  expect(new Set(ids).size).toBe(640);
  expect(ids.filter((id) => !/^[\w-]{22}$/.test(id))).toEqual([]);
  expect(random).toHaveBeenCalledTimes(40);
});
