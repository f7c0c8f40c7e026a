import fc from "fast-check";
import {
  LedgerError,
  memoryLedger,
  previewMany,
  type RcsMessage,
  sendMany,
} from "messaging-service-client/bulk";
import { describe, expect, test } from "vitest";
import { createFake, rcsOf, rcsText } from "../support/fakes/fake-service.ts";
import { BATCH, collect, inShort, messages, messageTo, phone, SEND } from "./batches.ts";

describe("previewMany", () => {
  test("previewMany checks the rules without a ledger", async () => {
    const items = [
      messageTo(phone(1)),
      { ...messageTo(phone(2)), smsFailover: "€".repeat(100) },
      { ...messageTo("555 123 4567"), smsFailover: "It’s ready" },
      messageTo("(206) 200-0001"),
    ];
    const { invalid, ...preview } = await previewMany(items);
    expect(preview).toEqual({
      items: 4,
      sendable: 2,
      duplicates: [{ index: 3, key: phone(1) }],
      acceptedBefore: 0,
      rejectedBefore: 0,
      changed: 0,
      inDoubt: 0,
      excluded: 0,
      fallback: { segments: 3, longest: 200, several: 1 },
    });
    expect(invalid).toEqual([
      { index: 2, errors: [expect.objectContaining({ path: ["phoneNumber"] }), expect.anything()] },
    ]);
  });

  test("previewMany makes the messages of items, and names invalid items by their key", async () => {
    const guests = [{ id: "g-1", phone: "1" }];
    const { invalid } = await previewMany(guests, {
      keyOf: ({ id }) => id,
      toMessage: async (guest) => ({ ...rcsText, phoneNumber: guest.phone }),
    });
    expect(invalid).toMatchObject([{ index: 0, key: "g-1" }]);
  });

  test("previewMany sends nothing and records nothing", async () => {
    const ledger = memoryLedger();
    const preview = await previewMany(messages(200), { batch: BATCH, ledger });
    expect(preview).toMatchObject({ items: 200, sendable: 200 });
    expect(await ledger.counts(BATCH)).toMatchObject({ sending: 0, open: 0, accepted: 0 });
  });

  test("previewMany counts the items that skip excludes", async () => {
    const skip = ({ phoneNumber }: RcsMessage) => phoneNumber === phone(0) && "opted out";
    expect(await previewMany(messages(3), { skip })).toMatchObject({ sendable: 2, excluded: 1 });
  });

  test.each([
    [messages(1), { batch: BATCH }, /`ledger` must be/],
    [messages(1), { ledger: memoryLedger() }, /`batch` must be/],
    [messages(1), { keyOf: "id" }, /`keyOf` must be a function/],
    [messages(1), { toMessage: 5 }, /`toMessage` must be a function/],
    [messages(1), { keyOf: () => "" }, /`keyOf` must be a string that is not empty/],
    ["+12065550123", {}, /`items` must be an iterable/],
    [undefined, {}, /`items` must be an iterable/],
  ])("previewMany refuses %o, %o with a TypeError", async (items, options, message) => {
    const preview = previewMany(items as never, options as never);
    await expect(preview).rejects.toThrow(TypeError);
    await expect(preview).rejects.toThrow(message);
  });

  test("previewMany rejects with a LedgerError if the ledger fails", async () => {
    const ledger = { ...memoryLedger(), find: () => Promise.reject(new Error("down")) };
    const error = await previewMany(messages(1), { batch: BATCH, ledger }).catch((e) => e);
    expect(LedgerError.is(error) && error.reason).toBe("unavailable");
  });
});

test("a preview counts exactly what the following run does, for any state of the ledger", async () => {
  const key = fc.integer({ min: 0, max: 7 });
  const item = fc.record({
    key,
    text: fc.constantFrom("one", "two"),
    isValid: fc.boolean(),
  });
  const toMessage = (given: { key: number; text: string; isValid: boolean }) => ({
    ...messageTo(given.isValid ? phone(given.key) : "123"),
    smsFailover: given.text,
  });
  const earlier = fc.array(fc.tuple(item, fc.constantFrom(undefined, 422, 503, 429)));
  await fc.assert(
    fc.asyncProperty(earlier, fc.array(item, { maxLength: 20 }), async (before, items) => {
      const service = createFake();
      const rcs = rcsOf(service);
      const ledger = memoryLedger();
      const options = {
        batch: BATCH,
        ledger,
        toMessage,
        keyOf: ({ key }: { key: number }) => `${key}`,
      };
      for (const [known, status] of before) {
        if (status !== undefined && known.isValid) service.failNext({ status, endpoint: SEND });
        await sendMany(rcs, [known], { ...options, maxPause: 0 });
        // A fault that was planned for an item that was not tried would affect the run itself.
        await rcs.sendRcsText(rcsText).catch(() => {});
      }
      const preview = await previewMany(items, options);
      const counted = new Map<string, number>();
      for (const result of await collect(sendMany(rcs, items, options))) {
        const end = inShort(result);
        counted.set(end, (counted.get(end) ?? 0) + 1);
      }
      const count = (end: string) => counted.get(end) ?? 0;
      expect({
        items: preview.items,
        sendable: preview.sendable,
        invalid: preview.invalid.length,
        duplicates: preview.duplicates.length,
        acceptedBefore: preview.acceptedBefore,
        rejectedBefore: preview.rejectedBefore,
        changed: preview.changed,
        inDoubt: preview.inDoubt,
      }).toEqual({
        items: items.length,
        sendable: count("accepted"),
        invalid: count("not_sent"),
        duplicates: count("duplicate"),
        acceptedBefore: count("accepted_before"),
        rejectedBefore: count("rejected_before"),
        changed: count("changed"),
        inDoubt: count("in_doubt"),
      });
    }),
    { numRuns: 60 },
  );
}, 60_000);
