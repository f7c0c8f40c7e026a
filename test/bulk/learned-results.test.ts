// A webhook confirms a message whose response was lost. The run reports the result in the ledger instead of a doubt.
import {
  type Ledger,
  memoryLedger,
  previewMany,
  type RcsMessage,
  type SendManyOptions,
  sendMany,
  sendOnce,
} from "messaging-service-client/bulk";
import { describe, expect, test, vi } from "vitest";
import { createFake, rcsOf, rcsText } from "../support/fakes/fake-service.ts";
import { useTurningClock } from "../support/turning-clock.ts";
import { BATCH, collect, inShort, messages, messageTo, phone, REFUSAL } from "./batches.ts";

useTurningClock();

const DETAILS = [
  ["no id", undefined],
  ["an id", { transactionId: "t-9" }],
] as const;

const toMessage = ({ phoneNumber }: RcsMessage, { ref }: { readonly ref: string }): RcsMessage => ({
  ...messageTo(phoneNumber),
  webhookUrl: `https://example.com/hooks/${ref}`,
});

/** A service that accepts each message and loses its response. The webhook arrives some time after the request. */
const losing = (
  ledger: Ledger,
  { delayMs = 0, details }: { delayMs?: number; details?: { readonly transactionId: string } } = {},
) => {
  const service = createFake();
  const fetch: typeof service.fetch = async (url, init) => {
    const { webhookUrl } = JSON.parse(String(init?.body));
    const ref = String(webhookUrl).split("/").at(-1) ?? "";
    await service.fetch(url, init);
    if (delayMs === 0) await ledger.confirm(ref, details);
    else setTimeout(() => ledger.confirm(ref, details), delayMs);
    throw new TypeError("fetch failed");
  };
  return { service, rcs: rcsOf(service, { fetch }) };
};

const optionsFor = (
  ledger: Ledger,
  more: Partial<SendManyOptions<RcsMessage>> = {},
): SendManyOptions<RcsMessage> => ({ batch: BATCH, ledger, toMessage, ...more });

describe("a message that a webhook confirms while its attempt is under way", () => {
  test.each(DETAILS)(
    "an item is accepted although its response was lost, if the webhook has %s",
    async (_, details) => {
      const ledger = memoryLedger();
      const { rcs } = losing(ledger, { ...(details && { details }) });
      const run = sendMany(rcs, messages(9), optionsFor(ledger));
      const results = await collect(run);
      expect(results.map(inShort)).toEqual(Array(9).fill("accepted"));
      for (const result of results) {
        expect(result).toEqual({ ...result, ...details });
        expect(result).not.toHaveProperty("recorded");
        expect(result).not.toHaveProperty("error");
      }
      // Nine lost responses in a row would stop the run if no webhook had confirmed the messages.
      const summary = await run;
      expect(summary).toMatchObject({ accepted: 9, unknown: 0, inDoubt: 0 });
      expect(summary).not.toHaveProperty("stopped");
    },
  );

  test.each(DETAILS)(
    "sendOnce resolves with sentNow, if the webhook has %s",
    async (_, details) => {
      const ledger = memoryLedger();
      const { rcs, service } = losing(ledger, { ...(details && { details }) });
      const send = () =>
        sendOnce(rcs, (context) => toMessage(rcsText, context), { ledger, key: "order-17" });
      expect(await send()).toEqual({ ...details, sentNow: true, recorded: true });
      expect(await send()).toEqual({ ...details, sentNow: false, recorded: true });
      expect(service.outbox).toHaveLength(1);
    },
  );

  test("sendOnce rejects with the error of its call if the ledger cannot be read", async () => {
    const ledger = memoryLedger();
    let isSent = false;
    const failing: Ledger = {
      ...ledger,
      find: async (batch, key) => {
        if (isSent) throw new Error("connection lost");
        return ledger.find(batch, key);
      },
      claim: async (claim) => {
        isSent = true;
        return ledger.claim(claim);
      },
    };
    const { rcs } = losing(ledger);
    const call = sendOnce(rcs, (context) => toMessage(rcsText, context), {
      ledger: failing,
      key: "order-17",
    });
    await expect(call).rejects.toMatchObject({ code: "connection", outcome: "unknown" });
  });

  test("a ledger that has failed to record a doubt is not asked whether it was confirmed", async () => {
    const ledger = memoryLedger();
    const find = vi.fn(ledger.find);
    const settle = () => Promise.reject(new Error("connection lost"));
    const { rcs } = losing(ledger, { delayMs: 600_000 });
    const failing: Ledger = { ...ledger, find, settle };
    const call = sendOnce(rcs, (context) => toMessage(rcsText, context), {
      ledger: failing,
      key: "order-17",
    });
    await expect(call).rejects.toMatchObject({ code: "connection", outcome: "unknown" });
    expect(find).toHaveBeenCalledTimes(1);
  });

  test("an item stays unknown if a different run has sent its key in the meantime", async () => {
    const ledger = memoryLedger();
    const service = createFake();
    const rcs = rcsOf(service, {
      fetch: async () => {
        await ledger.resolve(BATCH, phone(0), "open");
        await sendMany(rcsOf(service), messages(1), { batch: BATCH, ledger });
        throw new TypeError("fetch failed");
      },
    });
    const run = sendMany(rcs, messages(1), { batch: BATCH, ledger });
    expect((await collect(run)).map(inShort)).toEqual(["unknown"]);
    expect(await run).toMatchObject({ accepted: 0, unknown: 1, inDoubt: 1 });
  });
});

describe("a message that a webhook confirms while the run goes on", () => {
  /** Items of which the last one follows after the webhooks of the others have arrived. */
  async function* slowly(count: number): AsyncGenerator<RcsMessage> {
    yield* messages(count);
    await new Promise((resolve) => setTimeout(resolve, 900));
    yield messageTo("no phone");
  }

  test("an item that was reported as unknown counts as accepted after its webhook", async () => {
    const ledger = memoryLedger();
    const { rcs } = losing(ledger, { delayMs: 300 });
    const run = sendMany(rcs, slowly(4), optionsFor(ledger));
    const results = await collect(run);
    expect(results.map(inShort).toSorted()).toEqual(["invalid", ...Array(4).fill("unknown")]);
    expect(await run).toMatchObject({ done: 5, accepted: 4, unknown: 0, inDoubt: 0, invalid: 1 });
  });

  test.each([
    ["the same text", toMessage, { acceptedBefore: 1, changed: 0 }],
    ["another text", () => messageTo(phone(0)), { acceptedBefore: 0, changed: 1 }],
  ] as const)(
    "a key in doubt from an earlier run counts in its final state: %s",
    async (_, again, skippedBy) => {
      const ledger = memoryLedger();
      const { rcs } = losing(ledger, { delayMs: 500 });
      await sendMany(rcs, messages(1), optionsFor(ledger, { retry: 0 }));
      const run = sendMany(
        rcsOf(createFake()),
        slowly(1),
        optionsFor(ledger, { toMessage: again }),
      );
      const results = await collect(run);
      expect(results.map(inShort)).toContain("in_doubt");
      expect(await run).toMatchObject({ skippedBy: { ...skippedBy, inDoubt: 0 }, inDoubt: 0 });
    },
  );

  test.each([
    [5, 5],
    [1_010, 1_000],
  ])("a run with %i keys in doubt looks up %i of them once more", async (count, asked) => {
    const ledger = memoryLedger();
    await sendMany(losing(ledger, { delayMs: 600_000 }).rcs, messages(count), {
      ...optionsFor(ledger),
      stopAfterFailures: false,
      concurrency: 32,
    });
    const find = vi.fn(ledger.find);
    const options = optionsFor({ ...ledger, find });
    expect(await sendMany(rcsOf(createFake()), messages(count), options)).toMatchObject({
      inDoubt: count,
    });
    expect(find).toHaveBeenCalledTimes(count + asked);
    find.mockClear();
    await previewMany(messages(count), options);
    expect(find).toHaveBeenCalledTimes(count);
  });

  test("an item in doubt stays so if a person opens its key, and a later item with the key is refused", async () => {
    const ledger = memoryLedger();
    let requests = 0;
    const fetch = async () => {
      requests += 1;
      if (requests === 1) throw new TypeError("fetch failed");
      return Response.json(REFUSAL, { status: 422 });
    };
    const rcs = rcsOf(createFake(), { fetch });
    async function* items() {
      yield messageTo(phone(0));
      await ledger.resolve(BATCH, phone(0), "open");
      yield messageTo(phone(0));
    }
    const run = sendMany(rcs, items(), { batch: BATCH, ledger, concurrency: 1 });
    expect((await collect(run)).map(inShort)).toEqual(["unknown", "rejected"]);
    expect(await run).toMatchObject({ accepted: 0, unknown: 1, rejected: 1, inDoubt: 1 });
  });

  test("a run ends after ledgerTimeout if the last look-up of a key in doubt never returns", async () => {
    const ledger = memoryLedger();
    let finds = 0;
    const hanging: Ledger = {
      ...ledger,
      find: async (batch, key) => {
        finds += 1;
        // The first two calls are the lookups before and after the attempt.
        return finds > 2 ? new Promise(() => {}) : ledger.find(batch, key);
      },
    };
    const { rcs } = losing(ledger, { delayMs: 600_000 });
    const summary = await sendMany(rcs, messages(1), optionsFor(hanging, { ledgerTimeout: 300 }));
    expect(summary).toMatchObject({ unknown: 1, inDoubt: 1 });
    expect(finds).toBe(3);
  });

  test("a run waits for a slow ledger no longer than ledgerTimeout in all to learn about its keys in doubt", async () => {
    const ledger = memoryLedger();
    const { rcs } = losing(ledger, { delayMs: 600_000 });
    await sendMany(rcs, messages(5), { ...optionsFor(ledger), stopAfterFailures: false });
    let finds = 0;
    const slow: Ledger = {
      ...ledger,
      find: async (batch, key) => {
        finds += 1;
        // The run looks up each item once, and again when it ends.
        if (finds > 5) await new Promise((resolve) => setTimeout(resolve, 200));
        return ledger.find(batch, key);
      },
    };
    const options = optionsFor(slow, { concurrency: 1, ledgerTimeout: 300 });
    expect(await sendMany(rcsOf(createFake()), messages(5), options)).toMatchObject({ inDoubt: 5 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(finds).toBe(7);
  });
});
