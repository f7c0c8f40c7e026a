import fc from "fast-check";
import { ValidationError } from "messaging-service-client";
import {
  LedgerError,
  memoryLedger,
  previewMany,
  type RcsMessage,
  sendMany,
} from "messaging-service-client/bulk";
import { describe, expect, test, vi } from "vitest";
import { createFake, rcsOf, rcsText } from "../support/fakes/fake-service.ts";
import {
  BATCH,
  collect,
  gate,
  inShort,
  messages,
  messageTo,
  phone,
  REFUSAL,
  SEND,
  watched,
} from "./batches.ts";

describe("previewMany", () => {
  test("previewMany checks the rules without a ledger", async () => {
    const items = [
      messageTo(phone(1)),
      { ...messageTo(phone(2)), smsFailover: "€".repeat(100) },
      { ...messageTo("555 123 4567"), smsFailover: "It’s ready" },
      messageTo("(206) 200-0001"),
      { ...messageTo("(206) 200-0009"), smsFailover: "" },
      messageTo(phone(3)),
    ];
    const { invalidItems, ...preview } = await previewMany(items);
    expect(preview).toEqual({
      done: 3,
      accepted: 0,
      rejected: 0,
      invalid: 2,
      notSent: 0,
      unknown: 0,
      skipped: 1,
      inDoubt: 0,
      skippedBy: {
        acceptedBefore: 0,
        rejectedBefore: 0,
        duplicate: 1,
        changed: 0,
        inDoubt: 0,
        excluded: 0,
      },
      items: 6,
      sendable: 3,
      duplicateItems: [{ index: 3, item: items[3], key: phone(1) }],
      fallback: { segments: 4, longestSeptets: 200, multiSegment: 1 },
    });
    expect(invalidItems).toEqual([
      { index: 2, item: items[2], error: expect.any(ValidationError) },
      { index: 4, item: items[4], key: phone(9), error: expect.any(ValidationError) },
    ]);
    const paths = invalidItems.map(({ error }) => error.errors.map(({ path }) => path.join(".")));
    expect(paths).toEqual([["phoneNumber", "smsFailover"], ["smsFailover"]]);
  });

  test("rows of a preview have the item and the error that the results of a run have", async () => {
    const items = [messageTo(phone(1)), messageTo("123"), messageTo(phone(1))];
    const { invalidItems, duplicateItems } = await previewMany(items);
    const options = { batch: BATCH, ledger: memoryLedger(), concurrency: 1 };
    const [, invalid, duplicate] = await collect(sendMany(rcsOf(createFake()), items, options));
    expect(invalidItems).toEqual([{ index: 1, item: invalid?.item, error: invalid?.error }]);
    expect(duplicateItems).toEqual([{ index: 2, item: duplicate?.item, key: duplicate?.key }]);
  });

  test("previewMany converts items to messages, and names invalid items by their keys", async () => {
    const guests = [{ id: "g-1", phone: "1" }];
    const { invalidItems } = await previewMany(guests, {
      keyOf: ({ id }) => id,
      toMessage: async (guest) => ({ ...rcsText, phoneNumber: guest.phone }),
    });
    expect(invalidItems).toMatchObject([{ index: 0, item: guests[0], key: "g-1" }]);
  });

  test("previewMany counts the items that skip excludes", async () => {
    const skip = ({ phoneNumber }: RcsMessage) => phoneNumber === phone(0) && "opted out";
    const preview = await previewMany([...messages(3), messageTo(phone(0))], { skip });
    expect(preview).toMatchObject({ sendable: 2, skipped: 2, skippedBy: { excluded: 2 } });
    const wrong = previewMany(messages(1), { skip: () => true as never });
    await expect(wrong).rejects.toThrow("`skip` returned a boolean for the item at index 0");
  });

  test("a message that was refused before is a duplicate of the message that replaces it", async () => {
    const service = createFake();
    const options = { batch: BATCH, ledger: memoryLedger() };
    const refused = messageTo(phone(0));
    service.failNext({ status: 422, body: REFUSAL, endpoint: SEND });
    await sendMany(rcsOf(service), [refused], options);
    const items = [{ ...refused, smsFailover: "Another text" }, refused];
    const preview = await previewMany(items, options);
    expect(preview).toMatchObject({ sendable: 1, duplicateItems: [{ index: 1 }] });
  });

  test("previewMany accepts the options of a run unchanged", async () => {
    const options = {
      ...{
        batch: BATCH,
        ledger: memoryLedger(),
        concurrency: 2,
        stopAfterFailures: 3,
        maxPause: 0,
      },
      ...{ total: 3, onProgress: () => {}, timeout: 5_000, retry: 1, ledgerTimeout: 500 },
      ...{ deadline: new Date(0), stop: AbortSignal.abort(), totalTimeout: 1_000 },
    };
    expect(await previewMany(messages(3), options)).toMatchObject({ sendable: 3 });
    expect(await sendMany(rcsOf(createFake()), messages(3), options)).toMatchObject({ done: 0 });
  });

  test.each([
    [messages(1), { batch: BATCH }, /`ledger` must be/],
    [messages(1), { ledger: memoryLedger() }, /`batch` is required/],
    [messages(1), { keyOf: "id" }, /`keyOf` must be a function/],
    [messages(1), { toMessage: 5 }, /`toMessage` must be a function/],
    [messages(1), { keyOf: () => "" }, /`keyOf` returned an empty string for the item at index 0/],
    [messages(1), { skip: "opt-outs" }, /`skip` must be a function/],
    [messages(1), { signal: {} }, /`signal` must be an AbortSignal/],
    [messages(1), { validateRequests: "no" }, /`validateRequests` must be/],
    [messages(1), null, /`options` must be an object/],
    ["+12065550123", {}, /`items` must be an iterable/],
    [undefined, {}, /`items` must be an iterable/],
  ])(
    "previewMany rejects the input %o with the options %o with a TypeError",
    async (items, options, message) => {
      const preview = previewMany(items as never, options as never);
      await expect(preview).rejects.toThrow(TypeError);
      await expect(preview).rejects.toThrow(message);
    },
  );

  test("previewMany looks up 64 items at once", async () => {
    const memory = memoryLedger();
    const { open, opened } = gate();
    let [pending, most] = [0, 0];
    const find: typeof memory.find = async (...key) => {
      pending += 1;
      most = Math.max(most, pending);
      if (pending === 64) open();
      await opened;
      pending -= 1;
      return memory.find(...key);
    };
    const ledger = { ...memory, find };
    const preview = await previewMany(messages(200), { batch: BATCH, ledger });
    expect([preview.sendable, most]).toEqual([200, 64]);
  });

  test("previewMany does not wait for other runs, and reports a key that is in progress elsewhere as in doubt", async () => {
    const ledger = memoryLedger();
    const claim = { id: "i", batch: BATCH, key: phone(0), digest: "d", ref: "r", owner: "o" };
    await ledger.claim(claim);
    const find = vi.fn(ledger.find);
    const options = { batch: BATCH, ledger: { ...ledger, find } };
    expect(await previewMany(messages(1), options)).toMatchObject({ sendable: 0, inDoubt: 1 });
    expect(find).toHaveBeenCalledTimes(1);
  });

  test("an aborted previewMany reads no further and closes the input", async () => {
    const ended = new AbortController();
    const { input, seen } = watched(messages(100));
    const keyOf = ({ phoneNumber }: RcsMessage) => {
      if (phoneNumber === phone(3)) ended.abort();
      return phoneNumber;
    };
    const preview = previewMany(input, { keyOf, signal: ended.signal });
    await expect(preview).rejects.toMatchObject({ name: "AbortError" });
    await expect.poll(() => seen.closed).toBe(true);
    expect(seen.read).toBeLessThanOrEqual(5);
  });

  test("previewMany reports a lookup that fails while the input is slow, and leaves no rejection unhandled", async () => {
    const ledger = { ...memoryLedger(), find: () => Promise.reject(new Error("down")) };
    async function* slow() {
      yield* messages(1);
      await new Promise((resolve) => setTimeout(resolve, 50));
      yield* messages(1, 1);
    }
    const preview = previewMany(slow(), { batch: BATCH, ledger });
    await expect(preview).rejects.toBeInstanceOf(LedgerError);
  });
});

test("the counts of a preview equal the counts of the run that follows, for any state of the ledger", async () => {
  const key = fc.integer({ min: 0, max: 7 });
  const item = fc.record({
    key,
    text: fc.constantFrom("one", "two"),
    isValid: fc.boolean(),
    isOut: fc.boolean(),
  });
  const toMessage = (given: { key: number; text: string; isValid: boolean }) => ({
    ...messageTo(given.isValid ? phone(given.key) : "123"),
    smsFailover: given.text,
  });
  const failures = [undefined, { status: 422, body: REFUSAL }, { status: 413 }];
  const earlier = fc.array(
    fc.tuple(item, fc.constantFrom(...failures, { status: 503 }, { status: 429 })),
  );
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
        skip: ({ isOut }: { isOut: boolean }) => isOut && "opted out",
      };
      for (const [known, failure] of before) {
        if (failure && known.isValid) service.failNext({ ...failure, endpoint: SEND });
        await sendMany(rcs, [known], { ...options, maxPause: 0 });
        // Uses up a failure that was planned for an item that is not sent. It would affect a later item of the run.
        await rcs.sendRcsText(rcsText).catch(() => {});
      }
      const preview = await previewMany(items, options);
      const run = sendMany(rcs, items, options);
      const results = await collect(run);
      const { accepted, done, error: _, ...counts } = await run;
      const { accepted: nothing, done: settled, ...previewed } = preview;
      expect(previewed).toMatchObject(counts);
      expect([nothing, settled, preview.items]).toEqual([0, done - accepted, items.length]);
      expect(preview.sendable).toBe(accepted);
      expect(preview.duplicateItems).toHaveLength(counts.skippedBy.duplicate);
      expect(preview.invalidItems).toHaveLength(counts.invalid);
      // The counts match the results.
      const ends = results.map(inShort);
      const countOf = (end: string) => ends.filter((each) => each === end).length;
      expect(counts).toMatchObject({
        invalid: countOf("invalid"),
        skippedBy: {
          acceptedBefore: countOf("accepted_before"),
          rejectedBefore: countOf("rejected_before"),
          duplicate: countOf("duplicate"),
          changed: countOf("changed"),
          inDoubt: countOf("in_doubt"),
          excluded: countOf("excluded"),
        },
      });
    }),
    { numRuns: 100 },
  );
}, 60_000);
