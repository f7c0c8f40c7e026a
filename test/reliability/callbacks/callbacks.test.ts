import { describe, expect, test, vi } from "vitest";
import type { Slot } from "../../../src/index.ts";
import { account, clientsOf, errorOf, KINDS, message, transaction } from "../../support/calls.ts";
import { resetAfterReading, respond, startLoopback } from "../../support/servers/loopback.ts";

const boom = (): never => {
  throw new Error("not the call's own failure");
};
/** Ways in which a caller's callback can fail. */
const FAILURES: readonly (readonly [way: string, fail: () => never])[] = [
  ["throws", boom],
  ["rejects", () => Promise.reject(new Error("not the call's own failure")) as never],
  [
    "returns a promise of another library that rejects",
    // biome-ignore lint/suspicious/noThenProperty: this is a promise of another library.
    () => ({ then: (_: unknown, reject: (e: unknown) => void) => reject("no") }) as never,
  ],
  [
    "returns an object whose `then` throws",
    // biome-ignore lint/suspicious/noThenProperty: this is a promise of another library.
    () => ({ then: boom }) as never,
  ],
  [
    "returns an object whose `then` cannot be read",
    // biome-ignore lint/suspicious/noThenProperty: this is a promise of another library.
    () => Object.defineProperty({}, "then", { get: boom }) as never,
  ],
];

describe.each(FAILURES)("a callback that %s", (_, fail) => {
  test("a send resolves even if console.warn fails on its response with drift", async () => {
    vi.spyOn(console, "warn").mockImplementation(fail);
    await using server = await startLoopback(respond(202, { transactionId: "t-1", message: 5 }));
    const { rcs } = clientsOf(server);
    expect(await rcs.sendRcsText(message)).toMatchObject({ transactionId: "t-1" });
    expect(console.warn).toHaveBeenCalledTimes(1);
  });

  test.each(KINDS)("$kind resolves even if every listener fails", async (kind) => {
    await using server = await startLoopback(respond(200, kind.success));
    const clients = clientsOf(server, { onEvent: fail });
    await kind.call(clients, { onEvent: fail });
    server.onlyRequest();
  });

  test.each([
    ["start", { start: fail, responded() {}, cancel() {} }],
    ["responded", { start() {}, responded: fail, cancel() {} }],
  ])("a send is accepted even if %s() of the throttle's slot fails", async (_, slot) => {
    await using server = await startLoopback(respond(202, transaction));
    const throttle = { acquire: async () => {}, reserve: () => slot };
    await clientsOf(server, { throttle }).rcs.sendRcsText(message);
    server.onlyRequest();
  });

  test("a lost send is unknown even if cancel() of the throttle's slot fails", async () => {
    await using server = await startLoopback(resetAfterReading);
    const slot = { start() {}, cancel: fail };
    const throttle = { acquire: async () => {}, reserve: () => slot };
    const error = await errorOf(clientsOf(server, { throttle }).rcs.sendRcsText(message));
    expect(error).toMatchObject({ code: "connection", outcome: "unknown" });
  });

  test("a call that is aborted in the queue ends even if cancel() of its late slot fails", async () => {
    await using server = await startLoopback(respond(202, transaction));
    const controller = new AbortController();
    let admit = (_: Slot): void => {};
    const slot = new Promise<Slot>((resolve) => {
      admit = resolve;
    });
    const throttle = { acquire: async () => {}, reserve: () => slot };
    const { rcs } = clientsOf(server, { throttle });
    const failed = errorOf(rcs.sendRcsText(message, { signal: controller.signal }));
    controller.abort();
    admit({ start() {}, cancel: fail });
    expect(await failed).toMatchObject({ code: "abort", outcome: "not_sent" });
    expect(server.requests).toEqual([]);
  });

  test("a 429 stays a RateLimitError if holdUntil fails", async () => {
    await using server = await startLoopback(respond(429, "", { "retry-after": "1" }));
    const throttle = { acquire: async () => {}, holdUntil: fail };
    const { rcs } = clientsOf(server, { throttle, retry: 0 });
    expect(await errorOf(rcs.sendRcsText(message))).toMatchObject({
      code: "rate_limit",
      outcome: "rejected",
      retryAfterMs: 1000,
    });
  });

  test("a send whose schema fails has the outcome done", async () => {
    await using server = await startLoopback(respond(200, {}));
    const schema = { "~standard": { version: 1, vendor: "test", validate: fail } } as const;
    const call = clientsOf(server).rcs.request({ method: "POST", path: "/any", schema });
    expect(await errorOf(call)).toMatchObject({ code: "response_validation", outcome: "done" });
    server.onlyRequest();
  });
});

describe("failures around a call", () => {
  test("a 429 stays a RateLimitError if the getter of holdUntil throws", async () => {
    await using server = await startLoopback(respond(429, "", { "retry-after": "1" }));
    const throttle = Object.defineProperty({ acquire: async () => {} }, "holdUntil", { get: boom });
    const error = await errorOf(clientsOf(server, { throttle, retry: 0 }).rcs.sendRcsText(message));
    expect(error).toMatchObject({ code: "rate_limit", outcome: "rejected", retryAfterMs: 1000 });
  });

  test.each([
    ["acquire throws synchronously", { acquire: boom }],
    ["acquire returns nothing to wait for", { acquire: () => 5 as never, reserve: boom }],
    ["reserve returns null", { acquire: async () => {}, reserve: () => null as never }],
    [
      "the getter of reserve throws",
      {
        acquire: async () => {},
        get reserve() {
          return boom();
        },
      },
    ],
  ])("a call rejects with a ThrottleError and sends nothing if %s", async (_, throttle) => {
    await using server = await startLoopback(respond(202, transaction));
    expect(await errorOf(clientsOf(server, { throttle }).rcs.sendRcsText(message))).toMatchObject({
      code: "throttle",
      reason: "unavailable",
      outcome: "not_sent",
      attempts: 0,
    });
    expect(server.requests).toEqual([]);
  });

  test("a call resolves even if the headers of its response cannot be read for an event", async () => {
    const response = new Response(JSON.stringify(account));
    Object.defineProperty(response, "headers", { get: boom });
    const fetch = async () => response;
    const { v2 } = clientsOf({ baseUrl: "https://127.0.0.1" }, { fetch, onEvent: () => {} });
    expect(await v2.accounts.me()).toEqual(account.account);
  });
});
