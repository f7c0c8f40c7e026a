import { describe, expect, test } from "vitest";
import { clientsOf, errorOf, message, PHONE, sleep, subscriber } from "../../support/calls.ts";
import {
  hang,
  type Responder,
  resetAfterReading,
  respond,
  startLoopback,
  truncate,
} from "../../support/servers/loopback.ts";
import { useTurningClock } from "../../support/turning-clock.ts";

const gone = respond(404, { status: "error", error: "No such subscriber" });
const busy = respond(429);
const broken = respond(503);

/** Responses to the attempts of a DELETE, and the outcome of the whole call. */
const ROWS: readonly [
  what: string,
  responders: readonly Responder[],
  code: string,
  outcome: string,
][] = [
  ["404", [gone], "not_found", "rejected"],
  ["a timeout, then 404", [hang, gone], "not_found", "unknown"],
  ["a reset, then 404", [resetAfterReading, gone], "not_found", "unknown"],
  ["a truncated success, then 404", [truncate(subscriber), gone], "not_found", "unknown"],
  ["503, then 404", [broken, gone], "not_found", "unknown"],
  ["408, then 404", [respond(408), gone], "not_found", "unknown"],
  ["503, 429, then 404", [broken, busy, gone], "not_found", "unknown"],
  ["503, then always 429", [broken, busy], "rate_limit", "unknown"],
  ["429, then 404", [busy, gone], "not_found", "rejected"],
  ["always 429", [busy], "rate_limit", "rejected"],
  ["429, then always 503", [busy, broken], "server", "unknown"],
  ["429, then 503, then 401", [busy, broken, respond(401)], "authentication", "unknown"],
  ["429, then HTML", [busy, respond(200, "<p>")], "response_validation", "unknown"],
];

useTurningClock();

describe("outcome of a call with several attempts", () => {
  test.each(ROWS)(
    "a DELETE that meets %s has the right code and outcome",
    async (_, responders, code, outcome) => {
      await using server = await startLoopback(...responders);
      const { v2 } = clientsOf(server, { timeout: 1000 });
      const error = await errorOf(v2.subscribers.remove(17, PHONE));
      expect(error).toMatchObject({ code, outcome });
      expect(error.attempts).toBe(server.requests.length);
    },
  );

  test("a response with the expected data clears `unknown` even if its shape is refused", async () => {
    const drifted = { ...subscriber, subscriber: { ...subscriber.subscriber, carrier: "one" } };
    await using server = await startLoopback(hang, broken, respond(200, drifted));
    const { v2 } = clientsOf(server, { timeout: 1_000, responseValidation: "strict" });
    const error = await errorOf(v2.subscribers.remove(17, PHONE));
    expect(error).toMatchObject({ code: "response_validation", outcome: "done", attempts: 3 });
  });

  test("a response with the expected data resolves a call after an unknown attempt", async () => {
    await using server = await startLoopback(resetAfterReading, respond(200, subscriber));
    expect(await clientsOf(server).v2.subscribers.remove(17, PHONE)).toEqual(subscriber.subscriber);
  });

  test("a call that meets a 429 and then no connection has the outcome rejected", async () => {
    const unknownHost = Object.assign(new TypeError("fetch failed"), {
      cause: Object.assign(new Error(), {
        code: "ENOTFOUND",
        syscall: "getaddrinfo",
        hostname: "rcs.example.com",
      }),
    });
    let calls = 0;
    const fetch = async () => {
      calls += 1;
      if (calls > 1) throw unknownHost;
      return new Response("", { status: 429 });
    };
    const { rcs } = clientsOf({ baseUrl: "https://rcs.example.com" }, { fetch });
    const error = await errorOf(rcs.sendRcsText(message));
    expect(error).toMatchObject({ code: "connection", outcome: "rejected", attempts: 3 });
  });

  test("a call that meets a 503 and then a failing throttle has the outcome unknown", async () => {
    let slots = 1;
    const acquire = async () => {
      slots -= 1;
      if (slots < 0) throw new Error("the store is gone");
    };
    await using server = await startLoopback(broken);
    const { v2 } = clientsOf(server, { throttle: { acquire } });
    const error = await errorOf(v2.subscribers.remove(17, PHONE));
    expect(error).toMatchObject({ code: "throttle", reason: "unavailable", outcome: "unknown" });
    expect(error.cause).toEqual(new Error("the store is gone"));
    expect(error.attempts).toBe(1);
  });

  test("a call that meets a 503 and is aborted in its next attempt has the outcome unknown", async () => {
    await using server = await startLoopback(broken, hang);
    const controller = new AbortController();
    const { v2 } = clientsOf(server);
    const failed = errorOf(v2.subscribers.remove(17, PHONE, { signal: controller.signal }));
    await expect.poll(() => server.requests.length).toBe(2);
    await sleep(5);
    controller.abort();
    expect(await failed).toMatchObject({ code: "abort", outcome: "unknown", attempts: 2 });
  });
});
