import { describe, expect, test } from "vitest";
import { buildRequest } from "../../../src/core/call/build-request.ts";
import { type AttemptHooks, PREPARED } from "../../../src/core/call/prepared-call.ts";
import type { RequestOptions } from "../../../src/core/call/settings.ts";
import { sendRcsText } from "../../../src/core/wire/transactional.ts";
import { createThrottle } from "../../../src/index.ts";
import {
  type Clients,
  clientsOf,
  errorOf,
  message,
  sleep,
  transaction,
} from "../../support/calls.ts";
import { hang, resetAfterReading, respond, startLoopback } from "../../support/servers/loopback.ts";

/** Hooks that record every call of their methods. */
const hooksOf = (
  log: string[],
  { before = async (_: AbortSignal): Promise<void> => {}, beforeRetry = async () => true } = {},
): AttemptHooks => ({
  run: (start) => start(),
  async before(signal) {
    log.push("before");
    await before(signal);
    return "go";
  },
  async beforeRetry(error) {
    await sleep(5);
    log.push(`beforeRetry: ${error.name}`);
    return beforeRetry();
  },
});

/** Sends a message with a prebuilt request and hooks, as a durable send does. */
const sendHooked = ({ rcs }: Clients, hooks: AttemptHooks, options: RequestOptions = {}) => {
  const request = buildRequest(sendRcsText, { body: message }, true);
  const prepared = { request, body: message, options, hooks };
  return rcs.sendRcsText(message, { ...options, [PREPARED]: prepared } as RequestOptions);
};

describe("AttemptHooks", () => {
  test("AttemptHooks.before() runs before each attempt, and beforeRetry() before each retry", async () => {
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
    await sendHooked(clientsOf(server), hooksOf(log));
    expect(log).toEqual(["before", "request", "beforeRetry: RateLimitError", "before", "request"]);
  });

  test("AttemptHooks.beforeRetry() does not run if the attempt would not be retried anyway", async () => {
    const log: string[] = [];
    await using server = await startLoopback(resetAfterReading);
    await errorOf(sendHooked(clientsOf(server), hooksOf(log)));
    expect(log).toEqual(["before"]);
  });

  test("a call ends with the error of its attempt if beforeRetry() resolves to false", async () => {
    const log: string[] = [];
    await using server = await startLoopback(respond(429, "", { "retry-after": "0" }));
    const call = sendHooked(clientsOf(server), hooksOf(log, { beforeRetry: async () => false }));
    expect(await errorOf(call)).toMatchObject({
      code: "rate_limit",
      outcome: "rejected",
      attempts: 1,
    });
    expect(server.requests).toHaveLength(1);
  });

  test("the signal of a call ends its wait for beforeRetry()", async () => {
    const controller = new AbortController();
    const beforeRetry = () => {
      controller.abort();
      return new Promise<boolean>(() => {});
    };
    await using server = await startLoopback(respond(429, "", { "retry-after": "0" }));
    const call = sendHooked(clientsOf(server), hooksOf([], { beforeRetry }), {
      signal: controller.signal,
    });
    expect(await errorOf(call)).toMatchObject({ code: "abort", outcome: "rejected", attempts: 1 });
  });

  test("an error thrown by before() ends the call, sends nothing, and cancels the slot", async () => {
    const refusal = new Error("claimed by another process");
    const refuse = hooksOf([], { before: () => Promise.reject(refusal) });
    const throttle = createThrottle({ limit: 1, interval: 60_000 });
    await using server = await startLoopback(respond(202, transaction));
    expect(await errorOf(sendHooked(clientsOf(server, { throttle }), refuse))).toBe(refusal);
    expect(throttle.snapshot()).toMatchObject({ used: 0, remaining: 1 });
    expect(server.requests).toEqual([]);
  });

  test("AttemptHooks.before() does not run if the throttle grants no slot", async () => {
    const log: string[] = [];
    await using server = await startLoopback(respond(202, transaction));
    const throttle = { acquire: () => Promise.reject(new Error("gone")) };
    await errorOf(sendHooked(clientsOf(server, { throttle }), hooksOf(log)));
    expect(log).toEqual([]);
  });

  test("a slot is reserved while before() runs, and counts from the request", async () => {
    const throttle = createThrottle({ limit: 1, interval: 60_000 });
    const used: number[] = [];
    const hooks = hooksOf([], { before: async () => void used.push(throttle.snapshot().used) });
    await using server = await startLoopback(respond(202, transaction));
    await sendHooked(clientsOf(server, { throttle }), hooks);
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
    const call = sendHooked(clientsOf(server), hooksOf([], { before }), {
      signal: controller.signal,
    });
    expect(await errorOf(call)).toMatchObject({ code: "abort", outcome: "not_sent", attempts: 0 });
    expect(ended).toBe(true);
    expect(server.requests).toEqual([]);
  });
});
