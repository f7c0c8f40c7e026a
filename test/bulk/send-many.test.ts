import { memoryLedger, type RunProgress, sendMany } from "messaging-service-client/bulk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFake, rcsOf, rcsText } from "../support/fakes/fake-service.ts";
import { BATCH, collect, inShort, messages, phone, SEND } from "./batches.ts";

const NONE = {
  acceptedBefore: 0,
  rejectedBefore: 0,
  duplicate: 0,
  changed: 0,
  inDoubt: 0,
  excluded: 0,
};

describe("a run", () => {
  test("a run sends each message once, and a second run sends none", async () => {
    const service = createFake();
    const rcs = rcsOf(service);
    const ledger = memoryLedger();
    const options = { batch: BATCH, ledger };
    expect(await sendMany(rcs, messages(10), options)).toEqual({
      done: 10,
      accepted: 10,
      rejected: 0,
      invalid: 0,
      notSent: 0,
      unknown: 0,
      skipped: 0,
      inDoubt: 0,
      skippedBy: NONE,
    });
    const again = await collect(sendMany(rcs, messages(10), options));
    expect(again.map(inShort)).toEqual(Array(10).fill("accepted_before"));
    expect(new Set(again.map(({ transactionId }) => transactionId))).toEqual(
      new Set(service.outbox.map(({ transactionId }) => transactionId)),
    );
    expect(service.outbox).toHaveLength(10);
    expect(await ledger.counts(BATCH)).toMatchObject({ accepted: 10, sending: 0 });
  });

  test("a run converts items to messages, with a ref of 128 bits for each", async () => {
    const service = createFake();
    const refs: string[] = [];
    const guests = [1, 2, 3].map((id) => ({ id: `guest-${id}`, phone: phone(id) }));
    const ledger = memoryLedger();
    const run = sendMany(rcsOf(service), guests, {
      batch: BATCH,
      ledger,
      keyOf: ({ id }) => id,
      toMessage: async (guest, { ref }) => {
        refs.push(ref);
        return {
          ...rcsText,
          phoneNumber: guest.phone,
          webhookUrl: `https://example.com/hooks/${ref}`,
        };
      },
    });
    const results = await collect(run);
    expect(new Map(results.map(({ item, key }) => [key, item]))).toEqual(
      new Map(guests.map((guest) => [guest.id, guest])),
    );
    expect(new Set(refs).size).toBe(3);
    for (const ref of refs) {
      expect(ref).toMatch(/^[\w-]{22}$/);
      expect(await ledger.confirm(ref)).toMatchObject({ state: "accepted", ref });
    }
  });

  test("a run reports its progress after each item, and the total if the input reveals its length", async () => {
    const service = createFake();
    service.failNext({ fault: "dropped", endpoint: SEND });
    const seen: RunProgress[] = [];
    const ledger = memoryLedger();
    const options = {
      batch: BATCH,
      ledger,
      concurrency: 1,
      onProgress: (at: RunProgress) => void seen.push(at),
    };
    await sendMany(rcsOf(service), messages(3), options);
    expect(
      seen.map(({ done, accepted, inDoubt, total }) => [done, accepted, inDoubt, total]),
    ).toEqual([
      [1, 0, 1, 3],
      [2, 1, 1, 3],
      [3, 2, 1, 3],
    ]);
    seen.length = 0;
    await sendMany(rcsOf(service), new Set(messages(2)).values(), options);
    expect(seen.map(({ total }) => total)).toEqual([undefined, undefined]);
    expect(seen.at(-1)).toMatchObject({
      skipped: 2,
      inDoubt: 1,
      skippedBy: { acceptedBefore: 1, inDoubt: 1 },
    });
    seen.length = 0;
    await sendMany(rcsOf(service), new Set(messages(2)), { ...options, total: 7 });
    expect(seen[0]?.total).toBe(7);
  });
});

describe("the start of a run", () => {
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown) => rejections.push(reason);
  beforeEach(() => void process.on("unhandledRejection", onRejection));
  afterEach(() => {
    process.off("unhandledRejection", onRejection);
    rejections.length = 0;
  });
  const turn = () => new Promise((resolve) => setTimeout(resolve, 20));
  const runOf = (options: object = {}) => {
    const service = createFake();
    const all = { batch: BATCH, ledger: memoryLedger(), ...options };
    return { service, run: sendMany(rcsOf(service), messages(3), all) };
  };

  test("a run that is not awaited sends its messages", async () => {
    const { service } = runOf();
    expect(service.requests).toEqual([]);
    await expect.poll(() => service.outbox).toHaveLength(3);
  });

  test("a run sends each message once, however often it is awaited", async () => {
    const { run, service } = runOf();
    const [first, second] = await Promise.all([run, run]);
    expect(first).toBe(second);
    expect(await run.finally()).toBe(first);
    expect(service.requests).toHaveLength(3);
    expect(Object.prototype.toString.call(run)).toBe("[object BulkRun]");
  });

  test("a run can be iterated in the tick of its call, and awaited afterwards", async () => {
    const { run } = runOf();
    expect(await collect(run)).toHaveLength(3);
    expect(await run).toMatchObject({ done: 3, accepted: 3 });
    await expect(collect(run)).rejects.toThrow("a run can be iterated over only once");
  });

  test("iterating over a run that has already started throws a TypeError that explains why", async () => {
    const { run, service } = runOf();
    await Promise.resolve();
    await expect(collect(run)).rejects.toThrow(TypeError);
    await expect(collect(run)).rejects.toThrow(/has started without an iterator.*in the same tick/);
    expect(await run).toMatchObject({ accepted: 3 });
    expect(service.outbox).toHaveLength(3);
  });

  test("a run whose iterator is closed in the tick of its call sends nothing", async () => {
    const { run, service } = runOf();
    await run[Symbol.asyncIterator]().return?.();
    expect(await run).toMatchObject({ stopped: "left", done: 0 });
    expect(service.requests).toEqual([]);
  });

  test("a failed run raises an unhandled rejection only if it is neither awaited nor iterated", async () => {
    runOf({ batch: "" });
    await turn();
    expect(rejections).toEqual([expect.any(TypeError)]);
    await expect(runOf({ batch: "" }).run).rejects.toThrow(TypeError);
    await expect(collect(runOf({ batch: "" }).run)).rejects.toThrow(TypeError);
    await turn();
    expect(rejections).toHaveLength(1);
  });
});
