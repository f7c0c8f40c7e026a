// Callbacks that return unusable values, and keys that begin with a byte order mark.
import {
  memoryLedger,
  previewMany,
  type RcsMessage,
  removeMany,
  sendMany,
  sendOnce,
} from "messaging-service-client/bulk";
import { describe, expect, test } from "vitest";
import { createFake, rcsOf, rcsText, v2Of } from "../support/fakes/fake-service.ts";
import { BATCH, collect, messages, phone } from "./batches.ts";

const BOM = "\uFEFF";

/** Asserts that nothing is sent and that a run and a preview fail with the same error. Returns that error. */
const errorOfBoth = async <Item>(items: readonly Item[], options: object): Promise<unknown> => {
  const service = createFake();
  const all = { batch: BATCH, ledger: memoryLedger(), concurrency: 1, ...options } as never;
  const [run, preview] = await Promise.allSettled([
    sendMany(rcsOf(service), items as never, all).then(),
    previewMany(items as never, all),
  ]);
  expect(service.outbox.map(({ to }) => to)).not.toContain(phone(1));
  const [error, other] = [run, preview].map((end) => end.status === "rejected" && end.reason);
  expect(String(other)).toBe(String(error));
  return error;
};

describe("a callback that returns something unusable", () => {
  const key = "a string of 1 to 1024 bytes in UTF-8";
  const note = "a string, or nothing";
  test.each([
    ["keyOf", undefined, "undefined", key],
    ["keyOf", null, "null", key],
    ["keyOf", 17, "a number", key],
    ["keyOf", "", "an empty string", key],
    ["keyOf", "x".repeat(1_025), "a string of 1025 bytes", key],
    ["keyOf", "€".repeat(400), "a string of 1200 bytes", key],
    ["keyOf", "a\0b", "a string with NUL", key],
    ["keyOf", "\ud83c", "a string with a lone surrogate", key],
    ["keyOf", `${BOM}g-1`, "a string that begins with a byte order mark", key],
    ["keyOf", Promise.resolve("g-1"), "a promise", key],
    ["keyOf", { id: "g-1" }, "an object", key],
    ["skip", true, "a boolean", note],
    ["skip", 5, "a number", note],
    ["skip", { note: "opted out" }, "an object", note],
    ["toMessage", undefined, "undefined", "a message"],
    ["toMessage", null, "null", "a message"],
    ["toMessage", [], "an array", "a message"],
    ["toMessage", "Hi", "a string of 2 bytes", "a message"],
  ])(
    "%s that returns %j rejects with an error that names it, what it returned, and the item",
    async (name, returned, described, expected) => {
      const items = messages(3);
      const usual = { keyOf: "g-0", skip: undefined, toMessage: items[0] }[name];
      const callback = (item: RcsMessage) => (item === items[1] ? returned : usual);
      const error = await errorOfBoth(items, { [name]: callback });
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toContain(
        `\`${name}\` returned ${described} for the item at index 1, and must return ${expected}`,
      );
    },
  );

  test("the error of a callback quotes nothing that the callback returned", async () => {
    const secret = `${phone(1)}${"0".repeat(2_000)}`;
    const error = await errorOfBoth(messages(1), { keyOf: () => secret });
    expect(String(error)).not.toContain(phone(1));
  });

  test("keyOf of a removal that returns nothing rejects with an error that names it and the phone's index", async () => {
    const keyOf = (given: string) => (given === phone(0) ? "k" : undefined) as string;
    const options = { listId: 1, batch: BATCH, ledger: memoryLedger(), keyOf, concurrency: 1 };
    const run = removeMany(v2Of(createFake()), [phone(0), phone(1)], options);
    await expect(run).rejects.toThrow("`keyOf` returned undefined for the item at index 1");
  });
});

describe("a file with a byte order mark", () => {
  test("a mark before a key is refused, because a file that is saved without it would give a different key", async () => {
    const ledger = memoryLedger();
    const once = sendOnce(rcsOf(createFake()), rcsText, { ledger, key: `${BOM}order-17` });
    await expect(once).rejects.toThrow(/`key` must be .* without a byte order mark at its start/);
    const phones = [`${BOM}${phone(0)}`, phone(1)];
    const options = { listId: 1, batch: BATCH, ledger, stopAfterFailures: false, concurrency: 1 };
    const removals = await collect(removeMany(v2Of(createFake()), phones, options as never));
    expect(removals.map(({ state }) => state)).toEqual(["invalid", "rejected"]);
    expect(removals[0]?.error?.message).toMatch(/without a byte order mark at its start/);
  });

  test("a mark before a phone number is not part of its key", async () => {
    const ledger = memoryLedger();
    const send = (phoneNumber: string) =>
      sendMany(rcsOf(createFake()), [{ ...rcsText, phoneNumber }], { batch: BATCH, ledger });
    const { accepted, invalid } = await send(`${BOM}${phone(0)}`);
    expect(accepted + invalid).toBe(1);
    expect(await ledger.find(BATCH, `${BOM}${phone(0)}`)).toBeUndefined();
  });
});
