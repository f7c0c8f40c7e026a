import { describe, expect, test, vi } from "vitest";
import { type ClientEvent, createThrottle } from "../../../src/index.ts";
import { account, clientsOf, errorOf, KINDS, message, singleOptIn } from "../../support/calls.ts";
import {
  hang,
  REFUSED_URL,
  type Responder,
  resetAfterReading,
  respond,
  startLoopback,
} from "../../support/servers/loopback.ts";

type Options = Parameters<typeof clientsOf>[1];

/** Starts a server with the given responses. Returns its clients and their events. */
const watch = async (responders: readonly Responder[], options: Options = {}) => {
  const events: ClientEvent[] = [];
  const server = await startLoopback(...responders);
  const onEvent = (event: ClientEvent) => void events.push(event);
  const clients = clientsOf(server, { onEvent, ...options });
  return { ...clients, events, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
};
const address = { callId: expect.any(String), endpoint: "GET /api/v2/accounts/me" };
const ms = expect.any(Number);
const idsOf = (events: readonly ClientEvent[]) => new Set(events.map(({ callId }) => callId));

describe("events of a call", () => {
  test("a call that succeeds emits request, response and succeeded", async () => {
    await using at = await watch([respond(200, account, { "x-request-id": "r-1" })]);
    await at.v2.accounts.me();
    expect(at.events).toEqual([
      { type: "request", attempt: 1, ...address },
      { type: "response", attempt: 1, status: 200, durationMs: ms, requestId: "r-1", ...address },
      { type: "succeeded", attempts: 1, durationMs: ms, requestId: "r-1", ...address },
    ]);
    expect(idsOf(at.events).size).toBe(1);
  });

  test.each([
    ["of an accepted message", "t-1", "t-1"],
    ["that repeats the phone number", `t-${message.phoneNumber.slice(1)}`, "[redacted]"],
  ])("the transactionId %s is in succeeded, without data", async (_, transactionId, shown) => {
    await using at = await watch([respond(202, { message: "Accepted", transactionId })]);
    await at.rcs.sendRcsText(message);
    expect(at.events.at(-1)).toMatchObject({ type: "succeeded", transactionId: shown });
  });

  test("a result that cannot be read has no transactionId in succeeded", async () => {
    await using at = await watch([respond(200, {})]);
    const value = Object.defineProperty({}, "transactionId", {
      get() {
        throw new Error("not readable");
      },
    });
    const schema = {
      "~standard": { version: 1, vendor: "own", validate: () => ({ value }) },
    } as const;
    await at.v2.request({ method: "GET", path: "/own", schema });
    expect(at.events.at(-1)).toMatchObject({ type: "succeeded" });
    expect(at.events.at(-1)).not.toHaveProperty("transactionId");
  });

  test("every event of a call by request() has isCustom, which marks its path as the caller's", async () => {
    await using at = await watch([respond(200, {}), respond(200, account)]);
    await at.v2.request({ method: "GET", path: "/customers/john.smith" });
    expect(at.events.map(({ isCustom }) => isCustom)).toEqual([true, true, true]);
    await at.v2.accounts.me();
    for (const event of at.events.slice(3)) expect(event).not.toHaveProperty("isCustom");
  });

  test("the durations of events are times since the start of the attempt or the call", async () => {
    const startedAt = performance.now();
    await using at = await watch([respond(200, account), respond(404)]);
    await at.v2.accounts.me();
    await errorOf(at.v2.accounts.me());
    const elapsedMs = performance.now() - startedAt;
    const durations = at.events.flatMap((event) =>
      "durationMs" in event ? [event.durationMs] : [],
    );
    expect(at.events.map(({ type }) => type)).toContain("failed");
    expect(durations).toHaveLength(4);
    for (const durationMs of durations) {
      expect(durationMs).toBeGreaterThan(0);
      expect(durationMs).toBeLessThan(elapsedMs);
    }
  });

  test("a call that is retried emits retry between its attempts", async () => {
    await using at = await watch([respond(503), resetAfterReading, respond(200, account)]);
    await at.v2.accounts.me();
    expect(at.events).toEqual([
      { type: "request", attempt: 1, ...address },
      { type: "response", attempt: 1, status: 503, durationMs: ms, ...address },
      { type: "retry", attempt: 1, delayMs: ms, reason: "server", status: 503, ...address },
      { type: "request", attempt: 2, ...address },
      { type: "retry", attempt: 2, delayMs: ms, reason: "connection", ...address },
      { type: "request", attempt: 3, ...address },
      { type: "response", attempt: 3, status: 200, durationMs: ms, ...address },
      { type: "succeeded", attempts: 3, durationMs: ms, ...address },
    ]);
    expect(idsOf(at.events).size).toBe(1);
  });

  test("a call that fails after its last attempt emits failed with its duration", async () => {
    await using at = await watch([hang], { timeout: 40, retry: { limit: 1, backoff: { max: 1 } } });
    await expect(at.v2.accounts.me()).rejects.toThrow();
    expect(at.events).toEqual([
      { type: "request", attempt: 1, ...address },
      { type: "retry", attempt: 1, delayMs: ms, reason: "timeout", ...address },
      { type: "request", attempt: 2, ...address },
      {
        type: "failed",
        code: "timeout",
        outcome: "unknown",
        attempts: 2,
        durationMs: ms,
        ...address,
      },
    ]);
    const [failed] = at.events.slice(-1);
    expect(failed).toHaveProperty("durationMs");
    if (failed?.type === "failed") expect(failed.durationMs).toBeGreaterThanOrEqual(60);
  });

  test("a call that waits for the throttle emits queued and throttled first", async () => {
    const throttle = createThrottle({ limit: 1, interval: 60 });
    await using at = await watch([respond(200, account)], { throttle });
    // Both calls request a slot before either has a response.
    await Promise.all([at.v2.accounts.me(), at.v2.accounts.me()]);
    const [second, first] = [...idsOf(at.events)].map((id) =>
      at.events.filter(({ callId }) => callId === id),
    );
    const attempt = ["request", "response", "succeeded"];
    expect(first?.map(({ type }) => type)).toEqual(attempt);
    expect(second?.map(({ type }) => type)).toEqual(["queued", "throttled", ...attempt]);
    expect(second?.slice(0, 2)).toEqual([
      { type: "queued", expectedWaitMs: 61, ...address },
      { type: "throttled", waitMs: ms, ...address },
    ]);
    const waited = second?.[1]?.type === "throttled" ? second[1].waitMs : Number.NaN;
    expect(waited).toBeGreaterThan(0);
    expect(waited).toBeLessThan(30_000);
  });

  test("a call that breaks a rule emits only failed", async () => {
    await using at = await watch([respond(200)]);
    await expect(at.rcs.sendRcsText({ ...message, smsFailover: "" })).rejects.toThrow();
    expect(at.events).toEqual([
      {
        type: "failed",
        code: "validation",
        outcome: "not_sent",
        attempts: 0,
        durationMs: ms,
        callId: address.callId,
        endpoint: "POST /transactional_messages/send_rcs_text",
      },
    ]);
  });

  test.each([
    ["a malformed option", { timeout: -1 }, "validation"],
    ["a signal that has fired", { signal: AbortSignal.abort() }, "abort"],
  ])("a call with %s emits only failed", async (_, options, code) => {
    await using at = await watch([respond(200, account)]);
    await expect(at.v2.accounts.me(options)).rejects.toThrow();
    const failed = { type: "failed", code, outcome: "not_sent", attempts: 0, durationMs: ms };
    expect(at.events).toEqual([{ ...failed, ...address }]);
  });

  test("a call whose throttle fails emits only failed", async () => {
    const acquire = () => Promise.reject(new Error("gone"));
    await using at = await watch([respond(200, account)], { throttle: { acquire } });
    await expect(at.v2.accounts.me()).rejects.toThrow();
    expect(at.events).toMatchObject([{ type: "failed", code: "throttle", outcome: "not_sent" }]);
  });

  test("a response with a mismatch emits response_mismatch, and a body without required fields emits failed", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    await using at = await watch([respond(200, { account: { id: 1 } }), respond(200, "{}")]);
    await at.v2.accounts.me();
    await expect(at.v2.accounts.me()).rejects.toThrow();
    expect(at.events.map(({ type }) => type)).toEqual([
      ...["request", "response", "response_mismatch", "succeeded"],
      ...["request", "response", "failed"],
    ]);
    expect(at.events.at(-1)).toMatchObject({ code: "response_validation", outcome: "unknown" });
  });

  test.each(KINDS)(
    "the failed event of a $kind has the code, outcome and attempts of the error",
    async (kind) => {
      await using at = await watch([respond(500)]);
      const { code, outcome, attempts, endpoint } = await errorOf(kind.call(at));
      const failed = at.events.filter(({ type }) => type === "failed");
      expect(failed).toEqual([
        {
          type: "failed",
          code,
          outcome,
          attempts,
          endpoint,
          durationMs: ms,
          callId: expect.any(String),
        },
      ]);
    },
  );
});

describe("the callId of a call", () => {
  test("an error has the same callId as the events of its call", async () => {
    await using at = await watch([respond(404)]);
    const error = await errorOf(at.v2.accounts.me());
    expect(error.callId).toMatch(/^v\w+-1$/);
    expect(idsOf(at.events)).toEqual(new Set([error.callId]));
  });

  test("every error of a call has a callId, even without a listener", async () => {
    const { rcs, v2 } = clientsOf({ baseUrl: REFUSED_URL }, { retry: 0 });
    const errors = [
      await errorOf(rcs.sendRcsText({ ...message, smsFailover: "" })),
      await errorOf(rcs.sendRcsText(message)),
      await errorOf(v2.accounts.me({ signal: AbortSignal.abort() })),
      await errorOf(v2.lists.retrieve(-1)),
    ];
    expect(errors.map(({ code }) => code)).toEqual([
      ...["validation", "connection", "abort", "validation"],
    ]);
    expect(errors.map(({ callId }) => callId?.replace(/\w+-/, ""))).toEqual(["1", "2", "1", "2"]);
  });

  test("clients that are created at the same time have different ids", async () => {
    using _ = vi.spyOn(performance, "now").mockReturnValue(5);
    const events: ClientEvent[] = [];
    const options = { retry: 0, onEvent: (event: ClientEvent) => void events.push(event) };
    const clients = [1, 2, 3].map(() => clientsOf({ baseUrl: REFUSED_URL }, options).v2);
    await Promise.allSettled(clients.map((v2) => v2.accounts.me()));
    expect(idsOf(events).size).toBe(3);
  });
});

describe("the listeners of a call", () => {
  test("the onEvent of a call receives its events in addition to the client's onEvent", async () => {
    const ofCall: string[] = [];
    await using at = await watch([respond(200, account)]);
    await at.v2.accounts.me({ onEvent: ({ type }) => ofCall.push(type) });
    await at.v2.accounts.me();
    const each = ["request", "response", "succeeded"];
    expect(ofCall).toEqual(each);
    expect(at.events.map(({ type }) => type)).toEqual([...each, ...each]);
  });

  // test/reliability/callbacks covers listeners that fail.
  test("an onEvent that changes the event does not change the result of a call", async () => {
    await using server = await startLoopback(respond(503), respond(200, singleOptIn), respond(404));
    const onEvent = (event: object) => Object.assign(event, { type: "x", status: 0 });
    const { v2 } = clientsOf(server, { onEvent });
    expect(await v2.lists.configureOptIn(17, singleOptIn)).toEqual(singleOptIn);
    await expect(v2.accounts.me()).rejects.toMatchObject({ code: "not_found" });
    expect(server.requests).toHaveLength(3);
  });
});
