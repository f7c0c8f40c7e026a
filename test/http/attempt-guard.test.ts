import { describe, expect, test } from "vitest";
import { CLIENT_ACCESS, type ClientAccess } from "../../src/clients/client-access.ts";
import { buildRequest } from "../../src/http/build-request.ts";
import type { RequestOptions } from "../../src/http/options.ts";
import type { AttemptGuard } from "../../src/http/send.ts";
import { createThrottle } from "../../src/index.ts";
import { sendRcsText } from "../../src/wire/transactional.ts";
import { type Clients, clientsOf, errorOf, message, sleep, transaction } from "../support/calls.ts";
import { hang, resetAfterReading, respond, startLoopback } from "../support/servers/loopback.ts";

/** A guard that records every call of its methods. */
const guardOf = (
  log: string[],
  { before = async (_: AbortSignal) => {}, mayRetry = async () => true } = {},
): AttemptGuard => ({
  async before(signal) {
    log.push("before");
    await before(signal);
  },
  async mayRetry(error) {
    await sleep(5);
    log.push(`mayRetry: ${error.name}`);
    return mayRetry();
  },
});

/** Sends a message as a durable send does: with a prebuilt request and a guard. */
const sendGuarded = ({ rcs }: Clients, guard: AttemptGuard, options?: RequestOptions) => {
  const { send } = (rcs as unknown as Record<symbol, ClientAccess>)[CLIENT_ACCESS] as ClientAccess;
  const request = buildRequest(sendRcsText, { body: message }, true);
  return send(sendRcsText, { body: message }, options, { request, guard });
};

describe("AttemptGuard", () => {
  test("AttemptGuard.before() runs before each attempt, and mayRetry() before each retry", async () => {
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
    await sendGuarded(clientsOf(server), guardOf(log));
    expect(log).toEqual(["before", "request", "mayRetry: RateLimitError", "before", "request"]);
  });

  test("AttemptGuard.mayRetry() does not run if the attempt would not be retried anyway", async () => {
    const log: string[] = [];
    await using server = await startLoopback(resetAfterReading);
    await errorOf(sendGuarded(clientsOf(server), guardOf(log)));
    expect(log).toEqual(["before"]);
  });

  test("a call ends with the error of its attempt if mayRetry() resolves to false", async () => {
    const log: string[] = [];
    await using server = await startLoopback(respond(429, "", { "retry-after": "0" }));
    const call = sendGuarded(clientsOf(server), guardOf(log, { mayRetry: async () => false }));
    expect(await errorOf(call)).toMatchObject({
      code: "rate_limit",
      outcome: "rejected",
      attempts: 1,
    });
    expect(server.requests).toHaveLength(1);
  });

  test("the signal of a call ends its wait for mayRetry()", async () => {
    const controller = new AbortController();
    const mayRetry = () => {
      controller.abort();
      return new Promise<boolean>(() => {});
    };
    await using server = await startLoopback(respond(429, "", { "retry-after": "0" }));
    const call = sendGuarded(clientsOf(server), guardOf([], { mayRetry }), {
      signal: controller.signal,
    });
    expect(await errorOf(call)).toMatchObject({ code: "abort", outcome: "rejected", attempts: 1 });
  });

  test("an error thrown by before() ends the call, sends nothing, and cancels the slot", async () => {
    const refusal = new Error("claimed by another process");
    const refuse = guardOf([], { before: () => Promise.reject(refusal) });
    const throttle = createThrottle({ limit: 1, interval: 60_000 });
    await using server = await startLoopback(respond(202, transaction));
    expect(await errorOf(sendGuarded(clientsOf(server, { throttle }), refuse))).toBe(refusal);
    expect(throttle.snapshot()).toMatchObject({ used: 0, remaining: 1 });
    expect(server.requests).toEqual([]);
  });

  test("AttemptGuard.before() does not run if the throttle grants no slot", async () => {
    const log: string[] = [];
    await using server = await startLoopback(respond(202, transaction));
    const throttle = { acquire: () => Promise.reject(new Error("gone")) };
    await errorOf(sendGuarded(clientsOf(server, { throttle }), guardOf(log)));
    expect(log).toEqual([]);
  });

  test("a slot is reserved while before() runs, and counts from the request", async () => {
    const throttle = createThrottle({ limit: 1, interval: 60_000 });
    const used: number[] = [];
    const guard = guardOf([], { before: async () => void used.push(throttle.snapshot().used) });
    await using server = await startLoopback(respond(202, transaction));
    await sendGuarded(clientsOf(server, { throttle }), guard);
    expect([...used, throttle.snapshot().used]).toEqual([1, 1]);
  });

  test("the signal of a call aborts before(), and the call sends nothing", async () => {
    const controller = new AbortController();
    let ended = false;
    const before = (signal: AbortSignal) => {
      signal.addEventListener("abort", () => {
        ended = true;
      });
      controller.abort();
      return new Promise<void>(() => {});
    };
    await using server = await startLoopback(hang);
    const call = sendGuarded(clientsOf(server), guardOf([], { before }), {
      signal: controller.signal,
    });
    expect(await errorOf(call)).toMatchObject({ code: "abort", outcome: "not_sent", attempts: 0 });
    expect(ended).toBe(true);
    expect(server.requests).toEqual([]);
  });
});
