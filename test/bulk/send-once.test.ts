import { createThrottle, TransactionalClient } from "messaging-service-client";
import {
  type Ledger,
  LedgerError,
  memoryLedger,
  type SendOnceOptions,
  sendOnce,
} from "messaging-service-client/bulk";
import { describe, expect, test } from "vitest";
import { createFake, rcsFile, rcsOf, rcsText } from "../support/fakes/fake-service.ts";
import { gate, SEND } from "./batches.ts";

const KEY = "order-17-ready";

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
  test("sendOnce sends a message now, and returns the same transaction later without sending again", async () => {
    const { service, ledger, send } = world();
    const first = await send();
    const { transactionId } = service.outbox[0] ?? {};
    expect(first).toEqual({ transactionId, sentNow: true, recorded: true });
    expect(await send()).toEqual({ transactionId, sentNow: false, recorded: true });
    expect(service.outbox).toHaveLength(1);
    expect(await ledger.find("once", KEY)).toMatchObject({ state: "accepted", transactionId });
  });

  test("sendOnce keeps batches apart", async () => {
    const { service, send } = world();
    await send();
    expect(await send(rcsText, { batch: "another" })).toMatchObject({ sentNow: true });
    expect(service.outbox).toHaveLength(2);
  });

  test("sendOnce also sends files", async () => {
    const { service, send } = world();
    await send({ ...rcsFile, contentType: "application/pdf" });
    expect(service.outbox[0]).toMatchObject({ file: rcsFile.rcsPayload.file.url });
  });

  test("sendOnce passes the ref of the confirming webhook to a function that makes the message", async () => {
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
    ["api", () => rcsText, 422, "rejected"],
  ] as const)(
    "sendOnce rejects with the error of the call: %s",
    async (code, message, status, state) => {
      const { service, ledger, send } = world();
      if (status) service.failNext({ status, endpoint: SEND });
      expect(await errorOf(send(message()))).toMatchObject({ code });
      expect((await ledger.find("once", KEY))?.state).toBe(state);
    },
  );

  test("sendOnce rejects with the error of a drifted response, and records the message as sent", async () => {
    const { service, send } = world();
    service.failNext({ fault: "drift", endpoint: SEND });
    expect(await errorOf(send())).toMatchObject({ code: "response_validation", outcome: "done" });
    const { transactionId } = service.outbox[0] ?? {};
    expect(await send()).toEqual({ transactionId, sentNow: false, recorded: true });
  });

  test("sendOnce sends an open key again, but a key in doubt only after a person decides", async () => {
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

  test("sendOnce returns no id if a person decided that the message was sent", async () => {
    const { service, ledger, send } = world();
    service.failNext({ fault: "dropped", endpoint: SEND });
    await errorOf(send());
    await ledger.resolve("once", KEY, "accepted");
    expect(await send()).toEqual({ sentNow: false, recorded: true });
  });

  test("sendOnce rejects another message under a key that was sent, and the same one that was refused", async () => {
    const { service, send } = world();
    service.failNext({ status: 422, endpoint: SEND });
    await errorOf(send());
    expect(await errorOf(send())).toMatchObject({ reason: "rejected_before", outcome: "rejected" });
    const mended = { ...rcsText, smsFailover: "Mended" };
    expect(await send(mended)).toMatchObject({ sentNow: true });
    expect(await errorOf(send())).toMatchObject({ reason: "changed", outcome: "not_sent" });
    expect(service.outbox).toHaveLength(1);
  });

  test("sendOnce sends once when it is called five times at once: the other calls are in doubt", async () => {
    const { service, send } = world();
    service.failNext({ fault: "slow", delayMs: 100, endpoint: SEND });
    const ends = await Promise.allSettled([1, 2, 3, 4, 5].map(() => send()));
    const sent = ends.filter(({ status }) => status === "fulfilled");
    expect(sent).toHaveLength(1);
    for (const end of ends) {
      if (end.status === "rejected") expect(end.reason).toMatchObject({ reason: "in_doubt" });
    }
    expect(service.outbox).toHaveLength(1);
    expect(await send()).toMatchObject({ sentNow: false });
  });

  test("sendOnce returns recorded: false for a send that the ledger failed to record", async () => {
    const ledger: Ledger = {
      ...memoryLedger(),
      settle: () => Promise.reject(new Error("disk full")),
    };
    const { service, send } = world({ ledger });
    const { transactionId } = await send();
    expect(transactionId).toBe(service.outbox[0]?.transactionId);
    expect(await errorOf(send())).toMatchObject({ reason: "in_doubt" });
    const other = await send(rcsText, { key: "other" });
    expect(other).toMatchObject({ sentNow: true, recorded: false });
  });

  test.each(["find", "claim"] as const)(
    "sendOnce sends nothing when the ledger fails at %s",
    async (at) => {
      const cause = new Error("connection lost");
      const ledger: Ledger = { ...memoryLedger(), [at]: () => Promise.reject(cause) };
      const { service, send } = world({ ledger });
      const error = await errorOf(send());
      expect(error).toMatchObject({ reason: "unavailable", outcome: "not_sent", endpoint: SEND });
      expect((error as Error).cause).toBe(cause);
      expect(service.requests).toEqual([]);
    },
  );
});

describe("a claim", () => {
  /** A ledger that keeps a claim waiting until a gate opens. */
  const slowClaims = () => {
    const ledger = memoryLedger();
    const { open, opened } = gate();
    const asked = gate();
    const slow: Ledger = {
      ...ledger,
      claim: async (claim) => {
        const obstacle = await ledger.claim(claim);
        asked.open();
        await opened;
        return obstacle;
      },
    };
    return { ledger: slow, open, asked: asked.opened };
  };

  test("a claim that is granted after its call was aborted is put back to open", async () => {
    const { ledger, open, asked } = slowClaims();
    const { service, send } = world({ ledger });
    const controller = new AbortController();
    const call = errorOf(send(rcsText, { signal: controller.signal }));
    await asked;
    controller.abort();
    setTimeout(open, 20);
    expect(await call).toMatchObject({ code: "abort", outcome: "not_sent" });
    expect((await ledger.find("once", KEY))?.state).toBe("open");
    expect(service.requests).toEqual([]);
  });

  test("a claim that takes longer than totalTimeout is put back to open", async () => {
    const { ledger, open } = slowClaims();
    const { send } = world({ ledger });
    setTimeout(open, 60);
    const error = await errorOf(send(rcsText, { totalTimeout: 20 }));
    expect(error).toMatchObject({ code: "timeout", outcome: "not_sent" });
    expect((await ledger.find("once", KEY))?.state).toBe("open");
  });

  test("a claim comes after the slot of the throttle", async () => {
    const { service, ledger } = world();
    const throttle = createThrottle({ limit: 1, interval: 60_000 });
    await throttle.acquire();
    const controller = new AbortController();
    const { signal } = controller;
    const rcs = rcsOf(service, { throttle });
    const call = errorOf(sendOnce(rcs, rcsText, { key: KEY, ledger, signal }));
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(throttle.snapshot().queued).toBe(1);
    expect(await ledger.find("once", KEY)).toBeUndefined();
    controller.abort();
    expect(await call).toMatchObject({ code: "abort", outcome: "not_sent" });
  });

  test("a claim is held only while an attempt is on the wire, not in a pause between two attempts", async () => {
    const { service, ledger } = world();
    const states: unknown[] = [];
    service.failNext({ status: 429, headers: { "retry-after": "0.1" }, endpoint: SEND });
    const fetch: typeof service.fetch = async (...args) => {
      states.push((await ledger.find("once", KEY))?.state);
      return service.fetch(...args);
    };
    const rcs = rcsOf(service, { fetch, retry: 1 });
    const call = sendOnce(rcs, rcsText, { key: KEY, ledger });
    await new Promise((resolve) => setTimeout(resolve, 60));
    states.push((await ledger.find("once", KEY))?.state);
    expect(await call).toMatchObject({ sentNow: true });
    expect(states).toEqual(["sending", "open", "sending"]);
  });

  test("a claim lost to a webhook between two attempts is not taken again", async () => {
    const { service, ledger } = world();
    service.failNext({ status: 429, headers: { "retry-after": "0.1" }, endpoint: SEND });
    const rcs = rcsOf(service, { retry: 1 });
    const call = sendOnce(rcs, rcsText, { key: KEY, ledger });
    await new Promise((resolve) => setTimeout(resolve, 60));
    const { ref } = (await ledger.find("once", KEY)) ?? {};
    await ledger.confirm(ref ?? "", { transactionId: "t-9" });
    expect(await call).toEqual({ transactionId: "t-9", sentNow: false, recorded: true });
    expect(service.outbox).toEqual([]);
  });
});

describe("misuse of sendOnce", () => {
  test("a client that is not of this package is refused before anything is sent", async () => {
    const { service, ledger } = world();
    const double = { sendRcsText: () => Promise.reject(new Error("sent!")) };
    const call = sendOnce(double as never, rcsText, { ledger, key: KEY });
    await expect(call).rejects.toThrow(TypeError);
    await expect(call).rejects.toThrow(/option `client` must be a TransactionalClient/);
    expect(service.requests).toEqual([]);
  });

  test("a subclass that does not pass the options on is a TypeError", async () => {
    class Forgetful extends TransactionalClient {
      override sendRcsText(message: Parameters<TransactionalClient["sendRcsText"]>[0]) {
        return super.sendRcsText(message);
      }
    }
    const { service, ledger } = world();
    const { transactionalBaseUrl: baseUrl, account, fetch } = service;
    const rcs = new Forgetful({ baseUrl, apiKey: account.apiKey, fetch });
    const call = sendOnce(rcs, rcsText, { ledger, key: KEY });
    await expect(call).rejects.toThrow(/sends without calling its attempt guard/);
  });

  test.each([
    ["options", undefined],
    ["ledger", { key: KEY }],
    ["ledger", { key: KEY, ledger: {} }],
    ["key", { ledger: memoryLedger() }],
    ["key", { ledger: memoryLedger(), key: "" }],
    ["key", { ledger: memoryLedger(), key: 17 }],
    ["key", { ledger: memoryLedger(), key: "order\0" }],
    ["key", { ledger: memoryLedger(), key: "order \ud83c" }],
    ["batch", { ledger: memoryLedger(), key: KEY, batch: "" }],
    ["batch", { ledger: memoryLedger(), key: KEY, batch: "\0" }],
    ["timeout", { ledger: memoryLedger(), key: KEY, timeout: -1 }],
  ])("option %s (%o) is named by a TypeError", async (name, options) => {
    const { rcs, service } = world();
    const error = await errorOf(sendOnce(rcs, rcsText, options as never));
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(`option \`${name}\` must be`);
    expect(service.requests).toEqual([]);
  });
});
