import { describe, expect, test } from "vitest";
import { ATTEMPT_GUARD, type AttemptEnd, type AttemptGuard } from "../../src/http/options.ts";
import { createThrottle } from "../../src/index.ts";
import { account, clientsOf, errorOf, message, sleep, transaction } from "../support/calls.ts";
import { hang, resetAfterReading, respond, startLoopback } from "../support/servers/loopback.ts";

/** A guard that logs every call of its methods. */
const guardOf = (log: string[], before = async (_: AbortSignal) => {}): AttemptGuard => ({
  async before(signal) {
    log.push("before");
    await before(signal);
  },
  async after(end: AttemptEnd) {
    await sleep(5);
    const what = "data" in end ? "data" : `${(end.error as Error).name} ${end.willRetry}`;
    log.push(`after: ${what}`);
  },
});

describe("AttemptGuard", () => {
  test("before() runs ahead of each attempt, and after() ends before the next attempt", async () => {
    const log: string[] = [];
    await using server = await startLoopback(
      (exchange) => {
        log.push("request");
        return respond(429, "", { "retry-after": "0" })(exchange);
      },
      (exchange) => {
        log.push("request");
        return respond(202, transaction)(exchange);
      },
    );
    await clientsOf(server).rcs.sendRcsText(message, { [ATTEMPT_GUARD]: guardOf(log) });
    expect(log).toEqual([
      ...["before", "request", "after: RateLimitError true"],
      ...["before", "request", "after: data"],
    ]);
  });

  test("after() learns that no attempt follows before the call rejects", async () => {
    const log: string[] = [];
    await using server = await startLoopback(resetAfterReading);
    const options = { [ATTEMPT_GUARD]: guardOf(log) };
    await errorOf(clientsOf(server).rcs.sendRcsText(message, options));
    expect(log).toEqual(["before", "after: ConnectionError false"]);
  });

  test("an error thrown by before() ends the call, sends nothing and gives the slot back", async () => {
    const refusal = new Error("claimed by another process");
    const refuse = guardOf([], () => Promise.reject(refusal));
    const throttle = createThrottle({ limit: 1, interval: 60_000 });
    await using server = await startLoopback(respond(202, transaction));
    const { rcs } = clientsOf(server, { throttle });
    const refused = rcs.sendRcsText(message, { [ATTEMPT_GUARD]: refuse });
    expect(await errorOf(refused)).toBe(refusal);
    expect(throttle.snapshot()).toMatchObject({ used: 0, remaining: 1 });
    expect(server.requests).toEqual([]);
  });

  test("before() does not run when validation fails or the throttle gives no slot", async () => {
    const log: string[] = [];
    const options = { [ATTEMPT_GUARD]: guardOf(log) };
    await using server = await startLoopback(respond(202, transaction));
    const throttle = { acquire: () => Promise.reject(new Error("gone")) };
    const { rcs } = clientsOf(server, { throttle });
    await errorOf(rcs.sendRcsText({ ...message, smsFailover: "" }, options));
    await errorOf(rcs.sendRcsText(message, options));
    expect(log).toEqual([]);
  });

  test("the slot is held while before() runs, and counts from the request", async () => {
    const throttle = createThrottle({ limit: 1, interval: 60_000 });
    const used: number[] = [];
    const guard = guardOf([], async () => void used.push(throttle.snapshot().used));
    await using server = await startLoopback(respond(200, account));
    await clientsOf(server, { throttle }).v2.accounts.me({ [ATTEMPT_GUARD]: guard });
    expect([...used, throttle.snapshot().used]).toEqual([1, 1]);
  });

  test("the signal of the call aborts before(), and the call sends nothing", async () => {
    const controller = new AbortController();
    let ended = false;
    const guard = guardOf([], (signal) => {
      signal.addEventListener("abort", () => {
        ended = true;
      });
      controller.abort();
      return new Promise(() => {});
    });
    await using server = await startLoopback(hang);
    const options = { signal: controller.signal, [ATTEMPT_GUARD]: guard };
    expect(await errorOf(clientsOf(server).rcs.sendRcsText(message, options))).toMatchObject({
      code: "abort",
      outcome: "not_sent",
      attempts: 0,
    });
    expect(ended).toBe(true);
    expect(server.requests).toEqual([]);
  });

  test("an error thrown by after() does not change how the call ends", async () => {
    const guard: AttemptGuard = {
      before: async () => {},
      after: () => Promise.reject(new Error("no ledger")),
    };
    await using server = await startLoopback(respond(202, transaction), respond(503));
    const { rcs } = clientsOf(server);
    const options = { [ATTEMPT_GUARD]: guard };
    expect(await rcs.sendRcsText(message, options)).toEqual(transaction);
    expect(await errorOf(rcs.sendRcsText(message, options))).toMatchObject({ code: "server" });
  });
});
