// The client option `allowRecipient` in durable sends.
import {
  type AllowRecipient,
  RecipientError,
  TransactionalClient,
  type TransactionalClientOptions,
} from "messaging-service-client";
import { type Ledger, memoryLedger, sendMany, sendOnce } from "messaging-service-client/bulk";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createFake, rcsOf, rcsText } from "../support/fakes/fake-service.ts";
import { deepProxyOf, HELD_CALLS, openHeld } from "../support/held-clients.ts";
import { startTurningClock } from "../support/turning-clock.ts";
import { BATCH, collect, messages, phone } from "./batches.ts";

const refuse: AllowRecipient = () => false;
const boom = new Error("the table of opt-outs is gone");
const FAILURES: readonly (readonly [
  name: string,
  guard: () => Promise<boolean>,
  cause: unknown,
])[] = [
  ["throws", () => Promise.reject(boom), boom],
  ["does not respond", () => new Promise(() => {}), expect.objectContaining({ code: "timeout" })],
];

/** Creates a fake service and a client with `allowRecipient`. Records the phone numbers that the callback receives. */
const open = (
  allowRecipient: AllowRecipient,
  options: TransactionalClientOptions = {},
  ledger: Ledger = memoryLedger(),
) => {
  const service = createFake();
  const asked: string[] = [];
  const rcs = rcsOf(service, {
    ...options,
    allowRecipient: (number) => {
      asked.push(number);
      return allowRecipient(number);
    },
  });
  return { service, rcs, ledger, asked };
};

describe("sendMany with allowRecipient", () => {
  test("items that allowRecipient refuses are excluded, stop no run, and leave no trace in the ledger", async () => {
    const allowed = new Set([phone(0), phone(9)]);
    const { service, rcs, ledger } = open((number) => allowed.has(number));
    const run = sendMany(rcs, messages(10), { batch: BATCH, ledger, stopAfterFailures: 1 });
    const results = await collect(run);
    const summary = await run;
    expect(summary).toMatchObject({
      done: 10,
      accepted: 2,
      skipped: 8,
      skippedBy: { excluded: 8 },
    });
    expect(summary).not.toHaveProperty("stopped");
    expect(results.filter(({ reason }) => reason === "excluded")).toHaveLength(8);
    expect(results).toContainEqual(
      expect.objectContaining({
        state: "skipped",
        reason: "excluded",
        key: phone(5),
        note: "not permitted by allowRecipient",
      }),
    );
    expect(service.outbox.map(({ to }) => to).toSorted()).toEqual([...allowed]);
    expect(await ledger.find(BATCH, phone(5))).toBeUndefined();
  });

  test("an opt-out that arrives while the job runs applies to the rest of the job", async () => {
    const optedOut = new Set<string>();
    const { service, rcs, ledger } = open(async (number) => !optedOut.has(number));
    const run = sendMany(rcs, messages(6), { batch: BATCH, ledger, concurrency: 1 });
    for await (const { key } of run) if (key === phone(0)) optedOut.add(phone(4));
    expect(await run).toMatchObject({ accepted: 5, skippedBy: { excluded: 1 } });
    expect(service.outbox.map(({ to }) => to)).not.toContain(phone(4));
  });

  test("the guard is also asked about a later item with the same key", async () => {
    const { rcs, ledger, asked } = open((number) => number === phone(2));
    const run = sendMany(rcs, messages(3), { batch: BATCH, ledger, keyOf: () => "one" });
    expect(await run).toMatchObject({ accepted: 1, skippedBy: { excluded: 2 } });
    expect(asked).toEqual([phone(0), phone(1), phone(2)]);
  });

  test("a guard that changes its mind during the pause after a 429 excludes the item, and its key stays open", async () => {
    const answers = [true, false];
    const { service, rcs, ledger, asked } = open(() => answers.shift() ?? true);
    service.failNext({ status: 429, headers: { "retry-after": "0" } });
    const summary = await sendMany(rcs, messages(1), { batch: BATCH, ledger });
    expect(summary).toMatchObject({ accepted: 0, skippedBy: { excluded: 1 }, inDoubt: 0 });
    expect(asked).toHaveLength(2);
    expect(service.outbox).toEqual([]);
    expect(await ledger.counts(BATCH)).toMatchObject({ open: 1, sending: 0, unknown: 0 });
  });

  test("a guard that changes its mind between two attempts without a connection excludes the item", async () => {
    const answers = [true, false];
    const ledger = memoryLedger();
    const rcs = new TransactionalClient({
      baseUrl: "http://127.0.0.1:9",
      apiKey: "key",
      retry: { limit: 2, backoff: { initial: 1 } },
      allowRecipient: () => answers.shift() ?? true,
    });
    const summary = await sendMany(rcs, messages(1), { batch: BATCH, ledger });
    expect(summary).toMatchObject({ notSent: 0, skippedBy: { excluded: 1 }, inDoubt: 0 });
    expect(await ledger.counts(BATCH)).toMatchObject({ open: 1, sending: 0 });
  });

  test.each(FAILURES)(
    "a guard that %s stops the run with its error; requests on the wire are recorded",
    async (_, fail, cause) => {
      startTurningClock();
      onTestFinished(() => void vi.useRealTimers());
      const { service, rcs, ledger } = open((number) => (number === phone(2) ? fail() : true), {
        timeout: 200,
      });
      const run = sendMany(rcs, messages(20), { batch: BATCH, ledger, concurrency: 2 });
      const error = await run.then(
        () => undefined,
        (thrown) => thrown as RecipientError,
      );
      expect(error).toBeInstanceOf(RecipientError);
      expect(error?.cause).toEqual(cause);
      expect(service.outbox.length).toBeLessThan(20);
      expect(service.outbox.map(({ to }) => to)).not.toContain(phone(2));
      expect(await ledger.counts(BATCH)).toMatchObject({
        accepted: service.outbox.length,
        sending: 0,
        unknown: 0,
      });
    },
  );

  test("a stop ends the wait for a guard", async () => {
    const stop = new AbortController();
    const { rcs, ledger } = open(() => {
      setTimeout(() => stop.abort(), 20);
      return new Promise(() => {});
    });
    const run = sendMany(rcs, messages(3), { batch: BATCH, ledger, stop: stop.signal });
    expect(await run).toMatchObject({ done: 0, stopped: "signal" });
  });

  test("a ledger that fails with a RecipientError counts as a failing ledger", async () => {
    const ledger = {
      ...memoryLedger(),
      claim: () => Promise.reject(new RecipientError("refused")),
    };
    const { rcs } = open(() => true, {}, ledger);
    const summary = await sendMany(rcs, messages(2), { batch: BATCH, ledger });
    expect(summary).toMatchObject({ stopped: "ledger", skippedBy: { excluded: 0 } });
  });
});

describe("sendOnce with allowRecipient", () => {
  test("sendOnce rejects with the RecipientError, and leaves its key unchanged", async () => {
    let isOpen = false;
    const { service, rcs, ledger } = open(() => isOpen);
    const options = { ledger, key: "order-17" };
    await expect(sendOnce(rcs, rcsText, options)).rejects.toMatchObject({
      code: "recipient",
      outcome: "not_sent",
    });
    expect(await ledger.find("once", "order-17")).toBeUndefined();
    expect(service.requests).toEqual([]);
    isOpen = true;
    expect(await sendOnce(rcs, rcsText, options)).toMatchObject({ sentNow: true });
    isOpen = false;
    expect(await sendOnce(rcs, rcsText, options)).toMatchObject({ sentNow: false });
  });

  test("a guard that changes its mind during the pause after a 429 rejects as not sent, and the key stays open", async () => {
    const answers = [true, false];
    const { service, rcs, ledger } = open(() => answers.shift() ?? true, { retry: 1 });
    service.failNext({ status: 429, headers: { "retry-after": "0" } });
    await expect(sendOnce(rcs, rcsText, { ledger, key: "order-17" })).rejects.toMatchObject({
      code: "recipient",
      outcome: "not_sent",
      attempts: 1,
    });
    expect(await ledger.counts("once")).toMatchObject({ open: 1, sending: 0 });
  });

  test("the guard is asked before the claim", async () => {
    const log: string[] = [];
    const opened = memoryLedger();
    const ledger: Ledger = {
      ...opened,
      claim: (claim) => {
        log.push("claim");
        return opened.claim(claim);
      },
    };
    const { rcs } = open(() => log.push("asked") > 0, {}, ledger);
    await sendOnce(rcs, rcsText, { ledger, key: "one" });
    expect(log).toEqual(["asked", "claim"]);
  });
});

/** Ways in which a program may wrap or bypass a client, by mistake or on purpose. */
const WAYS: Readonly<Record<string, (client: TransactionalClient) => TransactionalClient>> = {
  "the client itself": (client) => client,
  "a proxy": (client) => new Proxy(client, {}),
  "a proxy whose parts are proxies": deepProxyOf,
  "a frozen client": (client) => Object.freeze(client),
  "an object that inherits from it": (client) => Object.create(client),
  "an object with its properties": (client) =>
    Object.defineProperties(
      Object.create(TransactionalClient.prototype),
      Object.getOwnPropertyDescriptors(client),
    ),
  "a client whose allowRecipient was replaced": (client) =>
    Object.assign(client, { allowRecipient: () => true }),
};

class Unchecked extends TransactionalClient {
  constructor(options: TransactionalClientOptions) {
    super({ ...options, validateRequests: false, retry: 0, throttle: false });
  }
  override sendRcsText(...[message]: Parameters<TransactionalClient["sendRcsText"]>) {
    return super.sendRcsText(message, { validateRequests: false });
  }
}

const SENDS = Object.entries(HELD_CALLS).filter(([name]) => /^(send|rcs\.request)/.test(name));

describe("ways around allowRecipient", () => {
  test.each(
    Object.entries(WAYS).flatMap(([way, hold]) =>
      SENDS.map(([name, call]) => [name, way, call, hold] as const),
    ),
  )("%s of %s sends nothing that the guard refuses", async (_name, _way, call, hold) => {
    const { service, held } = openHeld();
    const rcs = hold(rcsOf(service, { allowRecipient: refuse }));
    const result = await call({ ...held, rcs }).then(
      (summary) => summary,
      (error: unknown) => error,
    );
    expect(RecipientError.is(result) || Object(result).skippedBy?.excluded === 1).toBe(true);
    expect(service.requests).toEqual([]);
  });

  test.each(SENDS)("%s of a subclass sends nothing that the guard refuses", async (_, call) => {
    const { service, held } = openHeld();
    const { transactionalBaseUrl: baseUrl, account, fetch } = service;
    const options = { baseUrl, apiKey: account.apiKey, fetch, allowRecipient: refuse };
    await call({ ...held, rcs: new Unchecked(options) }).then(null, () => {});
    expect(service.requests).toEqual([]);
  });
});
