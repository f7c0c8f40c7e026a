// The misspelled options: cspell:ignore Timout signl
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClientEvent, createThrottle } from "messaging-service-client";
import {
  type Ledger,
  type LedgerClaim,
  LedgerError,
  memoryLedger,
  type SendOnceOptions,
  sendOnce,
  sqliteLedger,
} from "messaging-service-client/bulk";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createFake, rcsFile, rcsOf, rcsText, v2Of } from "../support/fakes/fake-service.ts";
import { signalAfter, startTurningClock } from "../support/turning-clock.ts";
import { gate, REFUSAL, SEND } from "./batches.ts";

const KEY = "order-17-ready";

afterEach(() => void vi.useRealTimers());

const world = (options: Partial<SendOnceOptions> = {}) => {
  const service = createFake();
  const rcs = rcsOf(service);
  const ledger = options.ledger ?? memoryLedger();
  const send = (message: Parameters<typeof sendOnce>[1] = rcsText, more = {}) =>
    sendOnce(rcs, message, { key: KEY, ...options, ledger, ...more });
  return { service, rcs, ledger, send };
};

const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("sendOnce", () => {
  test("sendOnce sends a message, and returns the same transaction later without sending again", async () => {
    const { service, ledger, send } = world();
    const first = await send();
    const { transactionId } = service.outbox[0] ?? {};
    expect(first).toEqual({ transactionId, sentNow: true, recorded: true });
    expect(await send()).toEqual({ transactionId, sentNow: false, recorded: true });
    expect(service.outbox).toHaveLength(1);
    expect(await ledger.find("once", KEY)).toMatchObject({ state: "accepted", transactionId });
  });

  test("sendOnce treats the same key in two batches separately", async () => {
    const { service, send } = world();
    await send();
    expect(await send(rcsText, { batch: "another" })).toMatchObject({ sentNow: true });
    expect(service.outbox).toHaveLength(2);
  });

  test("sendOnce sends a file, and checks the content type in its options", async () => {
    const { service, send } = world();
    const url = "https://example.com/menu.docx";
    const file = { ...rcsFile, rcsPayload: { file: { url } } };
    expect(await errorOf(send(file))).toMatchObject({ code: "validation" });
    await send(file, { contentType: "application/pdf" });
    expect(service.requests.map(({ body }) => body)).toEqual([file]);
  });

  test("sendOnce passes a ref for the webhook URL to the function that makes the message", async () => {
    const { service, ledger, send } = world();
    service.failNext({ fault: "dropped", endpoint: SEND });
    let address = "";
    const message = ({ ref }: { ref: string }) => {
      address = ref;
      return { ...rcsText, webhookUrl: `https://example.com/hooks/${ref}` };
    };
    expect(await errorOf(send(message))).toMatchObject({ outcome: "unknown" });
    expect(await ledger.confirm(address)).toMatchObject({ state: "accepted", key: KEY });
    expect(await send(message)).toEqual({ sentNow: false, recorded: true });
    expect(service.outbox).toHaveLength(1);
  });

  test.each([
    ["validation", () => ({ ...rcsText, smsFailover: "" }), undefined, undefined],
    ["server", () => rcsText, 503, "unknown"],
    ["rate_limit", () => rcsText, 429, "open"],
    ["authentication", () => rcsText, 401, "open"],
    ["not_found", () => rcsText, 404, "open"],
    ["api", () => rcsText, 422, "open"],
  ] as const)(
    "sendOnce rejects with the error of the call: %s",
    async (code, message, status, state) => {
      const { service, ledger, send } = world();
      if (status) service.failNext({ status, endpoint: SEND });
      expect(await errorOf(send(message()))).toMatchObject({ code });
      expect((await ledger.find("once", KEY))?.state).toBe(state);
    },
  );

  test("sendOnce sends an open key again, and a key in doubt only after a person decides", async () => {
    const { service, ledger, send } = world();
    service.failNext({ status: 429, endpoint: SEND });
    await errorOf(send());
    service.failNext({ status: 503, endpoint: SEND });
    await errorOf(send());
    for (let again = 0; again < 2; again += 1) {
      const error = await errorOf(send());
      expect(LedgerError.is(error)).toBe(true);
      expect(error).toMatchObject({ code: "ledger", reason: "in_doubt", outcome: "unknown" });
    }
    expect(service.outbox).toHaveLength(0);
    expect(await ledger.resolve("once", KEY, "open")).toBe(true);
    expect(await send()).toMatchObject({ sentNow: true });
  });

  test("sendOnce rejects a changed message under a key that was sent, and the same message under a key that was refused", async () => {
    const { service, ledger, send } = world();
    service.failNext({ status: 422, body: REFUSAL, endpoint: SEND });
    expect(await errorOf(send())).toMatchObject({ status: 422, outcome: "rejected" });
    expect((await ledger.find("once", KEY))?.state).toBe("rejected");
    expect(await errorOf(send())).toMatchObject({ reason: "rejected_before", outcome: "rejected" });
    expect(service.requests).toHaveLength(1);
    const mended = { ...rcsText, smsFailover: "Mended" };
    expect(await send(mended)).toMatchObject({ sentNow: true });
    const changed = { reason: "changed", outcome: "not_sent", endpoint: SEND };
    expect(await errorOf(send())).toMatchObject(changed);
    expect(service.outbox).toHaveLength(1);
  });

  test("sendOnce returns recorded: false for a send that the ledger failed to record", async () => {
    const ledger: Ledger = {
      ...memoryLedger(),
      settle: () => Promise.reject(new Error("disk full")),
    };
    const { service, send } = world({ ledger });
    const { transactionId } = await send();
    expect(transactionId).toBe(service.outbox[0]?.transactionId);
    const again = await errorOf(send(rcsText, { wait: 0 }));
    expect(again).toMatchObject({ reason: "in_progress", outcome: "unknown" });
    const other = await send(rcsText, { key: "other" });
    expect(other).toMatchObject({ sentNow: true, recorded: false });
  });

  test.each(["find", "claim"] as const)(
    "sendOnce sends nothing if the ledger fails at %s",
    async (at) => {
      const cause = new Error("connection lost");
      const ledger: Ledger = { ...memoryLedger(), [at]: () => Promise.reject(cause) };
      const { service, send } = world({ ledger });
      const error = await errorOf(send());
      expect(error).toMatchObject({ reason: "unavailable", outcome: "not_sent", endpoint: SEND });
      expect(String(error)).not.toContain("another call");
      expect((error as Error).cause).toBe(cause);
      expect(service.requests).toEqual([]);
    },
  );
});

describe("concurrent sendOnce calls with the same key", () => {
  test("a double click returns the transactionId of the first call, and sends once", async () => {
    const { service, send } = world();
    service.failNext({ fault: "slow", delayMs: 50, endpoint: SEND });
    const [first, ...others] = await Promise.all([1, 2, 3, 4, 5, 6].map(() => send()));
    const { transactionId } = service.outbox[0] ?? {};
    expect(first).toEqual({ transactionId, sentNow: true, recorded: true });
    expect(others).toEqual(Array(5).fill({ transactionId, sentNow: false, recorded: true }));
    expect(service.outbox).toHaveLength(1);
  });

  test("a call whose lookup fails while an earlier call with its key is sending has the outcome unknown", async () => {
    const { service, send, ledger } = world();
    service.failNext({ fault: "slow", delayMs: 500, endpoint: SEND });
    const first = send();
    await expect.poll(() => service.requests.length).toBe(1);
    vi.spyOn(ledger, "find").mockRejectedValueOnce(new Error("connection lost"));
    const error = await errorOf(send());
    expect(error).toMatchObject({ reason: "unavailable", outcome: "unknown" });
    const told = `${SEND}: the ledger failed; another call may have sent a message with this key`;
    expect(error).toMatchObject({ message: told });
    expect(await first).toMatchObject({ sentNow: true });
  });

  test.each([
    ["its ledger fails", () => ({}), { reason: "unavailable" }],
    ["its signal fires", () => ({ signal: signalAfter(600) }), { code: "abort" }],
  ] as const)(
    "a call that ends after a 429 because %s has the outcome unknown if another call has sent in the pause",
    async (_, end, error) => {
      const { service, ledger, send } = world();
      const headers = { "Retry-After": "1" };
      service.failNext({ status: 429, headers, endpoint: SEND });
      const first = errorOf(send(rcsText, { retry: 1, ...end() }));
      await expect.poll(() => ledger.find("once", KEY)).toMatchObject({ state: "open" });
      expect(await send()).toMatchObject({ sentNow: true });
      vi.spyOn(ledger, "claim").mockRejectedValueOnce(new Error("connection lost"));
      expect(await first).toMatchObject({ ...error, attempts: 1, outcome: "unknown" });
    },
  );

  test.each(["two ledger objects on one file", "a frozen ledger"])(
    "a double click over %s is one send, and both calls return its transaction",
    async (over) => {
      const folder = mkdtempSync(join(tmpdir(), "double-click-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const path = join(folder, "sends.db");
      const frozen = Object.freeze(memoryLedger());
      const open = () =>
        over === "a frozen ledger" ? frozen : sqliteLedger(path, { create: true });
      const ledgers = [open(), open()];
      const service = createFake();
      service.failNext({ fault: "slow", delayMs: 50, endpoint: SEND });
      const ends = await Promise.all(
        ledgers.map((ledger) => sendOnce(rcsOf(service), rcsText, { ledger, key: KEY })),
      );
      const { transactionId } = service.outbox[0] ?? {};
      expect(ends.map((end) => end.transactionId)).toEqual([transactionId, transactionId]);
      expect(ends.map(({ sentNow }) => sentNow).toSorted()).toEqual([false, true]);
      expect(service.outbox).toHaveLength(1);
      for (const ledger of ledgers) await ledger.close();
    },
  );

  test("a double click over two copies of the module is one send", async () => {
    const ledger = memoryLedger();
    const service = createFake();
    vi.resetModules();
    const copy = await import("messaging-service-client/bulk");
    const client = await import("../support/fakes/fake-service.ts");
    expect(copy.sendOnce).not.toBe(sendOnce);
    service.failNext({ fault: "slow", delayMs: 50, endpoint: SEND });
    const first = sendOnce(rcsOf(service), rcsText, { ledger, key: KEY });
    const second = copy.sendOnce(client.rcsOf(service), rcsText, { ledger, key: KEY });
    const ends = await Promise.all([first, second]);
    expect(new Set(ends.map(({ transactionId }) => transactionId)).size).toBe(1);
    expect(service.outbox).toHaveLength(1);
  });

  test("a call leaves nothing on the ledger", async () => {
    const { ledger, send } = world();
    await Promise.all([send(), send()]);
    expect(Reflect.ownKeys(ledger)).toEqual(Reflect.ownKeys(memoryLedger()));
  });

  test.each([
    ["its signal fires", () => ({ signal: signalAfter(400) }), {}, { code: "abort" }],
    ["totalTimeout passes", () => ({ totalTimeout: 400 }), {}, { code: "timeout" }],
    ["the throttle is too full", () => ({}), { maxWait: 10 }, { code: "throttle" }],
  ] as const)(
    "a call that waits for the throttle until %s does not reject as not sent while another call sends",
    async (_, end, limit, error) => {
      const service = createFake();
      const ledger = memoryLedger();
      const { open, opened } = gate();
      const slow = rcsOf(service, {
        fetch: async (...args) => {
          await opened;
          return service.fetch(...args);
        },
      });
      const throttle = createThrottle({ limit: 1, interval: 60_000, ...limit });
      await throttle.acquire();
      // Each call looks up the key before the other has claimed it.
      let isFound = false;
      const first: Ledger = {
        ...ledger,
        find: async (batch, key) => {
          const found = await ledger.find(batch, key);
          if (!isFound) {
            isFound = true;
            other = sendOnce(slow, rcsText, { ledger, key: KEY });
            await expect.poll(() => ledger.find(batch, key)).toMatchObject({ state: "sending" });
          }
          return found;
        },
      };
      let other: Promise<unknown> | undefined;
      const waiting = sendOnce(rcsOf(service, { throttle }), rcsText, {
        ledger: first,
        key: KEY,
        ...end(),
      });
      expect(await errorOf(waiting)).toMatchObject({ ...error, outcome: "unknown" });
      open();
      expect(await other).toMatchObject({ sentNow: true });
      // No other call sends a message with this key.
      const alone = sendOnce(rcsOf(service, { throttle }), rcsText, { ledger, key: "b", ...end() });
      expect(await errorOf(alone)).toMatchObject({ ...error, outcome: "not_sent" });
      expect(service.outbox).toHaveLength(1);
    },
  );

  test("a double click sends the message if the first call failed without sending", async () => {
    const { service, send } = world();
    service.failNext({ status: 429, endpoint: SEND });
    const [first, second] = await Promise.allSettled([send(), send()]);
    expect(first).toMatchObject({ reason: { code: "rate_limit" } });
    expect(second).toMatchObject({ value: { sentNow: true } });
  });

  test("one of a second and a third click sends after the first has failed, and both return its transaction", async () => {
    const { service, send } = world();
    service.failNext({ status: 429, endpoint: SEND });
    service.failNext({ fault: "slow", delayMs: 100, endpoint: SEND });
    const first = send();
    const second = send();
    await expect(first).rejects.toMatchObject({ code: "rate_limit" });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const ends = await Promise.all([second, send()]);
    expect(ends.map(({ sentNow }) => sentNow).toSorted()).toEqual([false, true]);
    expect(new Set(ends.map(({ transactionId }) => transactionId)).size).toBe(1);
    expect(service.outbox).toHaveLength(1);
  });

  test("a double click after a lost response rejects as in_doubt", async () => {
    const { service, send } = world();
    service.failNext({ fault: "dropped", endpoint: SEND });
    const ends = await Promise.allSettled([send(), send(), send()]);
    const errors = ends.map((end) => end.status === "rejected" && end.reason);
    expect(errors).toMatchObject([
      { outcome: "unknown" },
      { reason: "in_doubt", outcome: "unknown", at: expect.any(String) },
      { reason: "in_doubt", outcome: "unknown" },
    ]);
    expect(service.outbox).toHaveLength(1);
  });

  test("after a call in progress was refused, the next call sends", async () => {
    const service = createFake();
    const { open, opened } = gate();
    const begun = gate();
    const fetch: typeof service.fetch = async (...args) => {
      begun.open();
      await opened;
      return service.fetch(...args);
    };
    const rcs = rcsOf(service, { fetch });
    const ledger = memoryLedger();
    const send = () => sendOnce(rcs, rcsText, { ledger, key: KEY, wait: 0 });
    service.failNext({ status: 403, endpoint: SEND });
    const first = errorOf(send());
    await begun.opened;
    expect(String(await errorOf(send()))).toMatch(/; call again$/);
    open();
    expect(await first).toMatchObject({ status: 403 });
    expect(await send()).toMatchObject({ sentNow: true });
  });

  test("sendOnce calls with different keys, batches or ledgers do not wait for each other", async () => {
    const service = createFake();
    const { open, opened } = gate();
    let underWay = 0;
    const all = gate();
    const fetch: typeof service.fetch = async (...args) => {
      underWay += 1;
      if (underWay === 4) all.open();
      await opened;
      return service.fetch(...args);
    };
    const rcs = rcsOf(service, { fetch });
    const ledger = memoryLedger();
    const calls = [
      sendOnce(rcs, rcsText, { ledger, key: "a" }),
      sendOnce(rcs, rcsText, { ledger, key: "b" }),
      sendOnce(rcs, rcsText, { ledger, key: "a", batch: "other" }),
      sendOnce(rcs, rcsText, { ledger: memoryLedger(), key: "a" }),
    ];
    await all.opened;
    open();
    expect(await Promise.all(calls)).toMatchObject(Array(4).fill({ sentNow: true }));
  });

  test("sendOnce that is aborted while an earlier call sends has an unknown outcome and does not let later calls overtake", async () => {
    startTurningClock();
    onTestFinished(() => void vi.useRealTimers());
    const service = createFake();
    const { open, opened } = gate();
    const fetch: typeof service.fetch = async (...args) => {
      await opened;
      return service.fetch(...args);
    };
    const { ledger } = world();
    const rcs = rcsOf(service, { fetch });
    const send = (options: Partial<SendOnceOptions> = {}) =>
      sendOnce(rcs, rcsText, { ledger, key: KEY, ...options });
    const first = send();
    const second = errorOf(send({ signal: signalAfter(20) }));
    const late = errorOf(send({ totalTimeout: 20 }));
    const last = send();
    expect(await second).toMatchObject({ code: "abort", outcome: "unknown" });
    expect(await late).toMatchObject({ reason: "in_progress", outcome: "unknown" });
    open();
    expect(await first).toMatchObject({ sentNow: true });
    expect(await last).toMatchObject({ sentNow: false });
    expect(service.outbox).toHaveLength(1);
  });
});

describe("sendOnce with a key that a second process has claimed", () => {
  beforeEach(startTurningClock);
  afterEach(() => void vi.useRealTimers());

  /** A ledger with a claim that a second process made `agoMs` ago. */
  const claimed = async (agoMs: number) => {
    const ledger = memoryLedger();
    const probe = memoryLedger();
    await sendOnce(rcsOf(createFake()), rcsText, { ledger: probe, key: KEY });
    const { state: _, ...entry } = (await probe.find("once", KEY)) ?? {};
    const claim = { ...entry, id: "theirs", ref: "theirs", owner: "theirs" } as LedgerClaim;
    const now = Date.now();
    vi.setSystemTime(now - agoMs);
    await ledger.claim(claim);
    vi.setSystemTime(now);
    return { ledger, claim, at: (await ledger.find("once", KEY))?.at };
  };

  test.each([
    ["in_progress", 0, {}],
    ["in_progress", 49_000, {}],
    ["in_doubt", 51_000, {}],
    ["in_doubt", 6_000, { timeout: 1_000, ledgerTimeout: 2_000 }],
    ["in_progress", 200_000, { timeout: false }],
    ["in_doubt", 400_000, { timeout: false }],
  ] as const)(
    "sendOnce rejects as %s if a second process claimed the key %i ms ago (%o)",
    async (reason, agoMs, options) => {
      const { ledger, at } = await claimed(agoMs);
      const service = createFake();
      const error = await errorOf(
        sendOnce(rcsOf(service), rcsText, { ledger, key: KEY, wait: 0, ...options }),
      );
      expect(error).toMatchObject({
        code: "ledger",
        reason,
        at,
        outcome: "unknown",
        endpoint: SEND,
        callId: expect.any(String),
      });
      expect((error as LedgerError).isTransient).toBe(reason === "in_progress");
      expect(service.requests).toEqual([]);
    },
  );

  test.each([
    ["accepted", { sentNow: false, transactionId: "t-9" }],
    ["open", { sentNow: true }],
    ["unknown", { reason: "in_doubt" }],
    ["rejected", { reason: "rejected_before" }],
  ] as const)(
    "sendOnce with `wait` waits for a second process whose send ends as %s: %o",
    async (state, expected) => {
      const { ledger, claim } = await claimed(0);
      const transactionId = state === "accepted" ? "t-9" : undefined;
      setTimeout(() => ledger.settle(claim, { state, transactionId }), 250);
      const call = sendOnce(rcsOf(createFake()), rcsText, { ledger, key: KEY, wait: 5_000 });
      expect(await call.catch((error: unknown) => error)).toMatchObject(expected);
    },
  );

  test("the wait of sendOnce ends when its own timers fire, even if a test fakes timers and leaves the clocks real", async () => {
    const { ledger } = await claimed(0);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const call = errorOf(
      sendOnce(rcsOf(createFake()), rcsText, { ledger, key: KEY, wait: 600_000 }),
    );
    let isOver = false;
    call.then(() => {
      isOver = true;
    });
    // A ledger step may take one turn of the event loop, which loses a tick of the fake clock.
    for (let ms = 0; !isOver && ms < 900_000; ms += 200) {
      await vi.advanceTimersByTimeAsync(200);
      await new Promise(setImmediate);
    }
    expect(isOver).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    expect(await call).toMatchObject({ reason: "in_progress" });
  });

  test.each([
    ["fails at its next look", false, { reason: "unavailable" }],
    ["fails as its signal fires", true, { code: "abort" }],
  ])(
    "sendOnce that waits for a second process, and whose ledger %s, has the outcome unknown",
    async (_, isAborted, expected) => {
      const { ledger } = await claimed(0);
      const controller = new AbortController();
      let looks = 0;
      const failing: Ledger = {
        ...ledger,
        find: async (...key) => {
          looks += 1;
          if (looks > 1) throw new Error("connection lost");
          if (isAborted) setTimeout(() => controller.abort(), 1);
          return ledger.find(...key);
        },
      };
      const service = createFake();
      const options = { ledger: failing, key: KEY, signal: controller.signal };
      const error = await errorOf(sendOnce(rcsOf(service), rcsText, options));
      expect(error).toMatchObject({ ...expected, outcome: "unknown" });
      expect(service.requests).toEqual([]);
    },
  );

  test("sendOnce waits for a second process no longer than wait, signal and totalTimeout allow", async () => {
    const ends = [
      [() => ({ wait: 60 }), { reason: "in_progress", outcome: "unknown" }],
      [() => ({ wait: 9_000, signal: signalAfter(60) }), { code: "abort", outcome: "unknown" }],
      [() => ({ wait: 9_000, totalTimeout: 500 }), { reason: "in_progress", outcome: "unknown" }],
    ] as const;
    for (const [options, expected] of ends) {
      const { ledger } = await claimed(0);
      const begun = performance.now();
      const call = sendOnce(rcsOf(createFake()), rcsText, { ledger, key: KEY, ...options() });
      expect(await errorOf(call)).toMatchObject(expected);
      expect(performance.now() - begun).toBeGreaterThan(40);
      expect(performance.now() - begun).toBeLessThan(9_000);
    }
  });
});

describe("what an error of sendOnce names", () => {
  test.each([
    ["a look for the end of a different call", true],
    ["an attempt", false],
  ])(
    "a TimeoutError of %s names the totalTimeout that was given, not the rest of it",
    async (_, isClaimed) => {
      const ledger = memoryLedger();
      const service = createFake();
      const claim = { id: "i", batch: "once", key: KEY, digest: "d", ref: "r", owner: "o" };
      if (isClaimed) await ledger.claim(claim);
      const slow: Ledger = {
        ...ledger,
        find: async (...key) => {
          await new Promise((resolve) => setTimeout(resolve, 150));
          return ledger.find(...key);
        },
      };
      service.failNext({ fault: "hang", endpoint: SEND });
      const options = { ledger: slow, key: KEY, totalTimeout: 400 };
      const call = sendOnce(rcsOf(service), rcsText, options);
      const error = await errorOf(call);
      expect(error).toMatchObject({ code: "timeout", phase: "total", timeoutMs: 400 });
      expect(String(error)).toContain("took longer than 400 ms");
    },
  );

  test("a LedgerError of sendOnce has the callId of its call, or its own callId", async () => {
    const { send, ledger } = world();
    const failed: string[] = [];
    const onEvent = ({ type, callId }: ClientEvent) => {
      if (type === "failed") failed.push(callId);
    };
    const failing: Ledger = { ...ledger, claim: () => Promise.reject(new Error("lost")) };
    const atClaim = await errorOf(send(rcsText, { ledger: failing, onEvent }));
    expect(atClaim).toMatchObject({ reason: "unavailable", callId: failed[0] });
    await send();
    const other = { ...rcsText, smsFailover: "Other" };
    const late: Ledger = { ...ledger, find: async () => undefined };
    const prevented = await errorOf(send(other, { ledger: late, onEvent }));
    expect(prevented).toMatchObject({ reason: "changed", callId: failed[1] });
    const before = await errorOf(send(other, { onEvent }));
    expect(before).toMatchObject({ reason: "changed", callId: expect.any(String) });
    expect(failed).toHaveLength(2);
    const ids = [atClaim, prevented, before].map((error) => Object(error).callId);
    expect(new Set(ids).size).toBe(3);
  });
});

describe("the claim of sendOnce", () => {
  test("an error of the ledger counts the attempts before it", async () => {
    const { service, ledger, send } = world();
    service.failNext({ status: 429, headers: { "retry-after": "0" }, endpoint: SEND });
    const claims: Ledger["claim"][] = [
      ledger.claim,
      async (claim) => {
        const other = { ...claim, digest: "other", owner: "other", id: "other", ref: "other" };
        await ledger.claim(other);
        await ledger.settle(other, { state: "accepted" });
        return ledger.claim(claim);
      },
    ];
    const raced: Ledger = {
      ...ledger,
      claim: (claim) => claims.shift()?.(claim) ?? ledger.claim(claim),
    };
    const error = await errorOf(send(rcsText, { ledger: raced, retry: 1 }));
    expect(error).toMatchObject({ reason: "changed", outcome: "not_sent", attempts: 1 });
  });

  test("sendOnce claims its key after the throttle has granted a slot", async () => {
    const { service, ledger } = world();
    const throttle = createThrottle({ limit: 1, interval: 60_000 });
    await throttle.acquire();
    const controller = new AbortController();
    const { signal } = controller;
    const rcs = rcsOf(service, { throttle });
    const call = errorOf(sendOnce(rcs, rcsText, { key: KEY, ledger, signal }));
    await expect.poll(() => throttle.snapshot().queued).toBe(1);
    expect(await ledger.find("once", KEY)).toBeUndefined();
    controller.abort();
    expect(await call).toMatchObject({ code: "abort", outcome: "not_sent" });
  });

  test("sendOnce has a claim only while an attempt is on the wire, not in a pause between attempts", async () => {
    const { service, ledger } = world();
    const states: unknown[] = [];
    service.failNext({ status: 429, headers: { "retry-after": "0.1" }, endpoint: SEND });
    const fetch: typeof service.fetch = async (...args) => {
      states.push((await ledger.find("once", KEY))?.state);
      return service.fetch(...args);
    };
    const onEvent = async ({ type }: ClientEvent) => {
      if (type === "retry") states.push((await ledger.find("once", KEY))?.state);
    };
    const rcs = rcsOf(service, { fetch, retry: 1 });
    expect(await sendOnce(rcs, rcsText, { key: KEY, ledger, onEvent })).toMatchObject({
      sentNow: true,
    });
    expect(states).toEqual(["sending", "open", "sending"]);
  });

  test("sendOnce does not claim its key again if a webhook has confirmed it between two attempts", async () => {
    const { service, ledger } = world();
    service.failNext({ status: 429, headers: { "retry-after": "0.1" }, endpoint: SEND });
    const onEvent = async ({ type }: ClientEvent) => {
      if (type !== "retry") return;
      const { ref } = (await ledger.find("once", KEY)) ?? {};
      await ledger.confirm(ref ?? "", { transactionId: "t-9" });
    };
    const rcs = rcsOf(service, { retry: 1 });
    expect(await sendOnce(rcs, rcsText, { key: KEY, ledger, onEvent })).toEqual({
      ...{ transactionId: "t-9", sentNow: true, recorded: true },
    });
    expect(service.outbox).toEqual([]);
  });
});

describe("misuse of sendOnce", () => {
  test("sendOnce rejects a client of another package before anything is sent", async () => {
    const { service, ledger } = world();
    const double = { sendRcsText: () => Promise.reject(new Error("sent!")) };
    const call = sendOnce(double as never, rcsText, { ledger, key: KEY });
    await expect(call).rejects.toThrow(TypeError);
    await expect(call).rejects.toThrow(/option `client` must be a TransactionalClient/);
    expect(service.requests).toEqual([]);
  });

  test("sendOnce applies `validateRequests: false` of the client", async () => {
    const { service, ledger } = world();
    const rcs = rcsOf(service, { validateRequests: false });
    const odd = { ...rcsText, smsFailover: "It’s ready" };
    await errorOf(sendOnce(rcs, odd, { ledger, key: KEY }));
    expect(service.requests[0]?.body).toMatchObject({ smsFailover: "It’s ready" });
    const strict = sendOnce(rcs, odd, { ledger, key: "k", validateRequests: true });
    expect(await errorOf(strict)).toMatchObject({ code: "validation", source: "client" });
  });

  test.each([
    ["options", undefined],
    ["ledger", { key: KEY }],
    ["ledger", { key: KEY, ledger: {} }],
    ["key", { ledger: memoryLedger(), key: "" }],
    ["key", { ledger: memoryLedger(), key: 17 }],
    ["key", { ledger: memoryLedger(), key: "x".repeat(1_025) }],
    ["batch", { ledger: memoryLedger(), key: KEY, batch: "" }],
    ["batch", { ledger: memoryLedger(), key: KEY, batch: "€".repeat(342) }],
    ["timeout", { ledger: memoryLedger(), key: KEY, timeout: -1 }],
    ["wait", { ledger: memoryLedger(), key: KEY, wait: -1 }],
    ["ledgerTimeout", { ledger: memoryLedger(), key: KEY, ledgerTimeout: 0 }],
  ])(
    "sendOnce with the option %s (%o) rejects with a TypeError that names it",
    async (name, options) => {
      const { rcs, service } = world();
      const error = await errorOf(sendOnce(rcs, rcsText, options as never));
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toContain(`option \`${name}\` must be`);
      expect(service.requests).toEqual([]);
    },
  );

  test("the error for a missing key says that the key is missing", async () => {
    const { rcs } = world();
    const call = sendOnce(rcs, rcsText, { ledger: memoryLedger() } as never);
    await expect(call).rejects.toThrow(new TypeError("option `key` is required"));
  });

  test("the error for a client of the other API names the client", async () => {
    const { service, ledger } = world();
    const call = sendOnce(v2Of(service) as never, rcsText, { ledger, key: KEY });
    await expect(call).rejects.toThrow("a TransactionalClient of this package, not a V2Client");
  });

  test.each([
    ["one byte each", "x".repeat(1_024)],
    ["two bytes each", "é".repeat(512)],
    ["up to four bytes each", `€${"🎉".repeat(255)}!`],
  ])("a batch and a key of 1024 bytes, with characters of %s, are accepted", async (_, key) => {
    const { rcs, service, ledger } = world();
    const options = { ledger, key, batch: key };
    const ends = [await sendOnce(rcs, rcsText, options), await sendOnce(rcs, rcsText, options)];
    expect(ends.map(({ sentNow }) => sentNow)).toEqual([true, false]);
    expect(service.requests).toHaveLength(1);
  });

  test.each([
    ["ledgerTimout", "ledgerTimeout"],
    ["bach", "batch"],
    ["signl", "signal"],
  ])(
    "sendOnce with the misspelled option %s rejects with a TypeError that suggests %s",
    async (name, meant) => {
      const { rcs, service, ledger } = world();
      const options = { ledger, key: KEY, [name]: 5 } as never;
      const error = await errorOf(sendOnce(rcs, rcsText, options));
      expect(String(error)).toContain(`\`${name}\` does not exist: did you mean \`${meant}\`?`);
      expect(service.requests).toEqual([]);
    },
  );
});
