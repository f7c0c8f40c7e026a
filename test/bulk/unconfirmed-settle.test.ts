// An unconfirmed settle may still take effect later. No further attempt follows, and the result reports it as unrecorded.
import { TransactionalClient } from "messaging-service-client";
import {
  type Ledger,
  type LedgerResult,
  memoryLedger,
  type RcsMessage,
  removeMany,
  sendMany,
  sendOnce,
} from "messaging-service-client/bulk";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createFake, rcsOf, rcsText, v2Of } from "../support/fakes/fake-service.ts";
import { startTurningClock } from "../support/turning-clock.ts";
import {
  BATCH,
  collect,
  failUnknownHost,
  gate,
  inShort,
  messages,
  messageTo,
  phone,
  REFUSAL,
  SEND,
} from "./batches.ts";

beforeEach(startTurningClock);
afterEach(() => void vi.useRealTimers());

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const RETRIED = { retry: { limit: 3, backoff: { initial: 1 } } };

/** Ways in which a ledger fails to confirm a settle to `open`. A late settle takes effect after 150 ms. */
const UNCONFIRMED: Readonly<
  Record<string, (settle: () => Promise<boolean>) => boolean | Promise<boolean>>
> = {
  "resolves to false": async () => false,
  "resolves to nothing": async () => undefined as never,
  rejects: async () => {
    throw new Error("connection lost");
  },
  "takes effect, and its response is lost": async (settle) => {
    await settle();
    throw new Error("connection lost");
  },
  "comes late": async (settle) => {
    await pause(150);
    return settle();
  },
};

/**
 * Options for a ledger that fails in one way. Only a late settle needs a short limit. On a busy machine, other steps exceed a
 * short limit.
 */
const limitOf = (way: string) => (way === "comes late" ? { ledgerTimeout: 60 } : {});

const unconfirmed = (way: string, state: LedgerResult["state"] = "open") => {
  const ledger = memoryLedger();
  const seen: Ledger = {
    ...ledger,
    settle: async (claim, result) => {
      const settle = () => ledger.settle(claim, result);
      const act = UNCONFIRMED[way];
      return result.state === state && act ? act(settle) : settle();
    },
  };
  return { ledger, seen };
};

/** A service for which the first requests find no host. */
const refusing = (times: number) => {
  const service = createFake();
  let count = 0;
  const fetch: typeof service.fetch = async (...args) => {
    count += 1;
    return count > times ? service.fetch(...args) : failUnknownHost(args[0]);
  };
  return { service, fetch, count: () => count };
};

describe.each(Object.keys(UNCONFIRMED))("a settle as open that %s", (way) => {
  const isFailure = !way.startsWith("resolves");

  test("sendOnce makes no further attempt after an unconfirmed settle, and rejects with the error of its attempt", async () => {
    const { seen, ledger } = unconfirmed(way);
    const service = createFake();
    service.failNext({ status: 429, headers: { "retry-after": "0" }, endpoint: SEND });
    const options = { ledger: seen, key: "k", ...limitOf(way) };
    const call = sendOnce(rcsOf(service, RETRIED), rcsText, options);
    await expect(call).rejects.toMatchObject({
      code: "rate_limit",
      outcome: "rejected",
      attempts: 1,
    });
    expect(service.requests).toHaveLength(1);
    // The message is sent at most once, whatever the late statement does.
    await sendOnce(rcsOf(service), rcsText, { ledger, key: "k", wait: 0 }).catch(() => {});
    await pause(200);
    await sendOnce(rcsOf(service), rcsText, { ledger, key: "k", wait: 0 }).catch(() => {});
    expect(service.outbox.length).toBeLessThanOrEqual(1);
  });

  test("a run makes no further attempt after an unconfirmed settle, and the item has the outcome of its attempt, unrecorded", async () => {
    const { seen } = unconfirmed(way);
    const { service, fetch, count } = refusing(1);
    const run = sendMany(rcsOf(service, { fetch, ...RETRIED }), messages(2), {
      ...{ batch: BATCH, ledger: seen, concurrency: 1, ...limitOf(way) },
    });
    const results = await collect(run);
    expect(results[0]).toMatchObject({
      ...{ state: "not_sent", recorded: false, error: { code: "connection", attempts: 1 } },
    });
    if (isFailure) {
      expect(results).toHaveLength(1);
      expect(await run).toMatchObject({ stopped: "ledger", error: { reason: "unavailable" } });
      expect(count()).toBe(1);
    } else {
      expect(results.map(inShort)).toEqual(["not_sent", "accepted"]);
      expect(await run).not.toHaveProperty("stopped");
    }
  });

  test("a run does not repeat an item after a pause if its settle was not confirmed", async () => {
    const { seen } = unconfirmed(way);
    const service = createFake();
    service.failNext({ status: 429, headers: { "retry-after": "0" }, endpoint: SEND });
    const run = sendMany(rcsOf(service, RETRIED), messages(1), {
      ...{ batch: BATCH, ledger: seen, ...limitOf(way) },
    });
    const [result] = await collect(run);
    expect(result).toMatchObject({ state: "rejected", recorded: false, error: { status: 429 } });
    expect(service.requests).toHaveLength(1);
    if (isFailure) expect((await run).error).toMatchObject({ code: "ledger", outcome: "rejected" });
  });
});

test.each([false, undefined])(
  "a run stops after a send that its ledger does not record as accepted: settle resolves to %s",
  async (confirmed) => {
    const service = createFake();
    const ledger: Ledger = { ...memoryLedger(), settle: async () => confirmed as boolean };
    const options = { batch: BATCH, ledger, concurrency: 1 };
    const summary = await sendMany(rcsOf(service), messages(3), options);
    expect(summary).toMatchObject({ done: 1, accepted: 1, stopped: "ledger" });
    expect(summary.error).toMatchObject({ reason: "unavailable", outcome: "unknown" });
    expect(service.outbox).toHaveLength(1);
  },
);

test("a run whose last settle after a 429 is not confirmed ends at once, and leaves no timer of its pause", async () => {
  vi.useFakeTimers();
  const { seen } = unconfirmed("resolves to false");
  const service = createFake();
  service.failNext({ status: 429, headers: { "retry-after": "3000" }, endpoint: SEND });
  const summary = await sendMany(rcsOf(service), messages(1), { batch: BATCH, ledger: seen });
  expect(summary).toMatchObject({ done: 1, rejected: 1 });
  expect(vi.getTimerCount()).toBe(0);
});

test("a run makes no attempt if the ledger granted the claim during a pause and fails to release it", async () => {
  const ledger = memoryLedger();
  const { open, opened } = gate();
  const asked = gate();
  const seen: Ledger = {
    ...ledger,
    claim: async (claim) => {
      if (claim.key === phone(1)) {
        asked.open();
        await opened;
      }
      return ledger.claim(claim);
    },
    settle: async (claim, result) => {
      if (claim.key === phone(1)) throw new Error("connection lost");
      return ledger.settle(claim, result);
    },
  };
  const service = createFake();
  service.failNext({ status: 429, headers: { "retry-after": "30" }, endpoint: SEND });
  // The pause begins while the other message is being claimed.
  const fetch: typeof service.fetch = async (...args) => {
    await asked.opened;
    return service.fetch(...args);
  };
  const run = sendMany(rcsOf(service, { fetch }), messages(2), {
    ...{ batch: BATCH, ledger: seen },
    onProgress: ({ pausedUntil }) => void (pausedUntil && open()),
  });
  const results = await collect(run);
  const failed = results.find(({ key }) => key === phone(1));
  expect(failed).toMatchObject({ state: "not_sent", recorded: false, error: { code: "ledger" } });
  expect(await run).toMatchObject({ stopped: "ledger" });
  expect(service.requests).toHaveLength(1);
});

test("a late settle as open does not open the key that a later attempt has on the wire", async () => {
  const ledger = memoryLedger();
  const late: (() => Promise<boolean>)[] = [];
  const seen: Ledger = {
    ...ledger,
    // The first settle is confirmed in time. Its statement runs again later, as if the driver had resent it.
    settle: async (claim, result) => {
      late.push(() => ledger.settle(claim, result));
      return ledger.settle(claim, result);
    },
  };
  const service = createFake();
  service.failNext({ status: 429, headers: { "retry-after": "0" }, endpoint: SEND });
  const onWire = gate();
  const response = gate();
  let count = 0;
  const rcs = rcsOf(service, {
    ...RETRIED,
    fetch: async (...args) => {
      count += 1;
      if (count === 2) {
        onWire.open();
        await response.opened;
      }
      return service.fetch(...args);
    },
  });
  const first = sendOnce(rcs, rcsText, { ledger: seen, key: "k" });
  await onWire.opened;
  expect(await late[0]?.()).toBe(false);
  expect((await ledger.find("once", "k"))?.state).toBe("sending");
  const other = sendOnce(rcsOf(service), rcsText, { ledger, key: "k" });
  await expect(other).rejects.toMatchObject({ reason: "in_progress" });
  response.open();
  expect(await first).toMatchObject({ sentNow: true });
  expect(service.outbox).toHaveLength(1);
});

test("the result of a request whose key a person has opened does not change the claim of a later run", async () => {
  const ledger = memoryLedger();
  const key = phone(1);
  const gates = [gate(), gate()] as const;
  const reached = [gate(), gate()] as const;
  const statuses = [422, 202] as const;
  let count = 0;
  const rcs = new TransactionalClient({
    baseUrl: "https://rcs.example.com",
    apiKey: "key",
    fetch: async () => {
      const index = count;
      count += 1;
      reached[index]?.open();
      await gates[index]?.opened;
      const status = statuses[index] ?? 500;
      const body = status === 202 ? { message: "Accepted", transactionId: "t-2" } : REFUSAL;
      return Response.json(body, { status });
    },
  });
  const run = () => collect(sendMany(rcs, [messageTo(key)], { batch: BATCH, ledger }));
  const first = run();
  await reached[0].opened;
  await ledger.resolve(BATCH, key, "open");
  const second = run();
  await reached[1].opened;
  gates[0].open();
  expect(await first).toMatchObject([{ state: "rejected", recorded: false }]);
  expect((await ledger.find(BATCH, key))?.state).toBe("sending");
  gates[1].open();
  expect(await second).toMatchObject([{ state: "accepted", transactionId: "t-2" }]);
  expect(await ledger.find(BATCH, key)).toMatchObject({ state: "accepted" });
});

describe("a claim that the database loses while its request is on the wire", () => {
  const losing = (
    failure: Parameters<ReturnType<typeof createFake>["failNext"]>[0] | undefined,
  ) => {
    const service = createFake();
    if (failure) service.failNext({ ...failure, endpoint: SEND });
    const ledger = memoryLedger();
    const rcs = rcsOf(service, {
      fetch: async (...args) => {
        const response = service.fetch(...args);
        // The ledger may take a turn of the event loop, in which the lost response would be an unhandled rejection.
        response.catch(() => {});
        await ledger.forget({ batch: BATCH });
        return response;
      },
    });
    const run = (client = rcs, items: RcsMessage[] = messages(1)) =>
      collect(sendMany(client, items, { batch: BATCH, ledger }));
    return { service, ledger, run };
  };

  test("a lost claim is written again with an accepted result, and the next run does not send again", async () => {
    const { service, run } = losing(undefined);
    const [first] = await run();
    expect(first).toMatchObject({ state: "accepted" });
    expect(first).not.toHaveProperty("recorded");
    const [second] = await run(rcsOf(service));
    const { transactionId } = service.outbox[0] ?? {};
    expect(second).toMatchObject({ reason: "accepted_before", transactionId });
    expect(service.outbox).toHaveLength(1);
  });

  test("a lost claim is written again as in doubt if the outcome is unknown", async () => {
    const { service, run } = losing({ fault: "dropped" });
    expect((await run()).map(inShort)).toEqual(["unknown"]);
    expect((await run(rcsOf(service))).map(inShort)).toEqual(["in_doubt"]);
    expect(service.outbox).toHaveLength(1);
  });

  test("a lost claim is not written again if the message was refused", async () => {
    const { run } = losing({ status: 422, body: REFUSAL });
    expect(await run()).toMatchObject([{ state: "rejected", recorded: false }]);
  });
});

test("a removal stays in doubt if the ledger fails to record its repeat", async () => {
  const { seen, ledger } = unconfirmed("rejects", "unknown");
  const service = createFake();
  const { id: listId } = service.addList();
  service.failNext({ status: 503, times: 9 });
  const run = removeMany(
    v2Of(service, { retry: { limit: 1, backoff: { initial: 1 } } }),
    [phone(1)],
    {
      ...{ listId, batch: BATCH, ledger: seen },
    },
  );
  expect(await collect(run)).toMatchObject([{ state: "unknown", recorded: false }]);
  expect((await ledger.find(BATCH, phone(1)))?.state).toBe("sending");
  expect(service.requests).toHaveLength(2);
});
