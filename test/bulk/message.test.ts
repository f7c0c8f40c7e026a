import { createHash } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { createIds, digestOf, prepareMessage } from "../../src/bulk/message.ts";
import { rcsText } from "../support/fakes/fake-service.ts";

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

test("the digest of a message does not depend on the order of its keys", async () => {
  const [first, ...others] = await Promise.all(
    [
      { a: 1, b: 2, c: 3 },
      { c: 3, a: 1, b: 2 },
      { b: 2, c: 3, a: 1 },
    ].map((content) => digestOf(content, "ref")),
  );
  expect(others).toEqual([first, first]);
});

test("ids are random, need no escaping in a URL, and come from few calls of the runtime", () => {
  const random = vi.spyOn(crypto, "getRandomValues");
  const nextId = createIds();
  const ids = Array.from({ length: 640 }, nextId);
  expect(new Set(ids).size).toBe(640);
  expect(ids.filter((id) => !/^[\w-]{22}$/.test(id))).toEqual([]);
  expect(random).toHaveBeenCalledTimes(10);
});

const ENDPOINT = "POST /transactional_messages/send_rcs_text";

test("an item whose phone number cannot be its key is invalid, and its error says what a key may be", async () => {
  const message = { ...rcsText, phoneNumber: "5".repeat(1_025) };
  const rule =
    "must be a string of 1 to 1024 bytes in UTF-8, without NUL, without lone surrogates, and without a byte order mark at its start";
  expect(await prepareMessage(message, "ref", undefined, false)).toMatchObject({
    key: undefined,
    error: {
      endpoint: ENDPOINT,
      errors: [{ code: "custom", message: rule, path: ["phoneNumber"] }],
    },
  });
});

test("the error of an item that breaks a rule names its endpoint", async () => {
  const message = { ...rcsText, smsFailover: "" };
  expect(await prepareMessage(message, "ref", "key-1", true)).toMatchObject({
    key: "key-1",
    error: { endpoint: ENDPOINT, errors: [{ path: ["smsFailover"] }] },
  });
});
