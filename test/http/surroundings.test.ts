import { afterEach, describe, expect, test, vi } from "vitest";
import { account, clientsOf, errorOf, KINDS, message, transaction } from "../support/calls.ts";
import { respond, startLoopback } from "../support/servers/loopback.ts";

const boom = (): never => {
  throw new Error("not the call's own failure");
};
const rejections: unknown[] = [];
const onRejection = (reason: unknown) => void rejections.push(reason);
process.on("unhandledRejection", onRejection);
afterEach(() => expect(rejections.splice(0)).toEqual([]));

describe("faults around a call", () => {
  test("an accepted send resolves although console.warn throws on its drifted response", async () => {
    vi.spyOn(console, "warn").mockImplementation(boom);
    await using server = await startLoopback(respond(202, { transactionId: "t-1", message: 5 }));
    const { rcs } = clientsOf(server);
    expect(await rcs.sendRcsText(message)).toMatchObject({ transactionId: "t-1" });
    expect(console.warn).toHaveBeenCalledTimes(1);
  });

  test.each(KINDS)("$kind resolves although every listener throws", async (kind) => {
    await using server = await startLoopback(respond(200, kind.success));
    const clients = clientsOf(server, { onEvent: boom });
    await kind.call(clients, { onEvent: boom });
    server.onlyRequest();
  });

  test.each([
    ["start", { start: boom, responded() {}, cancel() {} }],
    ["responded", { start() {}, responded: boom, cancel() {} }],
    ["cancel", { start() {}, cancel: boom }],
  ])("a send is accepted although %s() of the throttle's slot throws", async (_, slot) => {
    await using server = await startLoopback(respond(202, transaction));
    const throttle = { acquire: async () => {}, reserve: () => slot };
    await clientsOf(server, { throttle }).rcs.sendRcsText(message);
    server.onlyRequest();
  });

  test.each([
    ["holdUntil throws", { acquire: async () => {}, holdUntil: boom }],
    [
      "the getter of holdUntil throws",
      {
        acquire: async () => {},
        get holdUntil() {
          return boom();
        },
      },
    ],
  ])("a 429 stays a RateLimitError although %s", async (_, throttle) => {
    await using server = await startLoopback(respond(429, "", { "retry-after": "1" }));
    const { rcs } = clientsOf(server, { throttle, retry: 0 });
    expect(await errorOf(rcs.sendRcsText(message))).toMatchObject({
      code: "rate_limit",
      outcome: "rejected",
      retryAfterMs: 1000,
    });
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
  ])("a call rejects with a ThrottleError and sends nothing when %s", async (_, throttle) => {
    await using server = await startLoopback(respond(202, transaction));
    expect(await errorOf(clientsOf(server, { throttle }).rcs.sendRcsText(message))).toMatchObject({
      code: "throttle",
      reason: "unavailable",
      outcome: "not_sent",
      attempts: 0,
    });
    expect(server.requests).toEqual([]);
  });

  test("a response whose headers cannot be read for an event still resolves the call", async () => {
    const response = new Response(JSON.stringify(account));
    Object.defineProperty(response, "headers", { get: boom });
    const fetch = async () => response;
    const { v2 } = clientsOf({ baseUrl: "https://127.0.0.1" }, { fetch, onEvent: () => {} });
    expect(await v2.accounts.me()).toEqual(account.account);
  });
});
