import { describe, expect, test } from "vitest";
import type { Outcome } from "../../src/index.ts";
import { toTransportError } from "../../src/responses/connection-error.ts";

const failure = (fields: object): Error => Object.assign(new Error("failed"), fields);
/** Wraps a cause like Node's fetch. */
const fetchFailed = (cause: unknown) => new TypeError("fetch failed", { cause });
const aggregate = (...errors: unknown[]) =>
  Object.assign(new AggregateError(errors), { code: "ECONNREFUSED" });

const refused = failure({ code: "ECONNREFUSED", syscall: "connect" });
const reset = failure({ code: "ECONNRESET", syscall: "read" });
const ownCycle = failure({ code: "ECONNRESET" });
ownCycle.cause = ownCycle;
const longCycle = failure({});
longCycle.cause = failure({ code: "ECONNREFUSED", syscall: "connect", cause: longCycle });
const aggregateCycle = Object.assign(new AggregateError([]), { code: "ECONNRESET" });
aggregateCycle.errors.push(aggregateCycle);

/** Expects the outcome of whatever `fetch` threw, and words of its message. */
const expectError = (thrown: unknown, outcome: Outcome, words: string): void => {
  const error = toTransportError(thrown, 0, {});
  expect(error.outcome).toBe(outcome);
  expect(error.cause).toBe(thrown);
  expect(error.message).toContain(words);
};

describe("evidence that no connection was made", () => {
  test.each([
    ["ECONNREFUSED", fetchFailed(refused)],
    ["ENOTFOUND", fetchFailed(failure({ code: "ENOTFOUND", syscall: "getaddrinfo" }))],
    ["EAI_AGAIN", fetchFailed(failure({ code: "EAI_AGAIN", syscall: "getaddrinfo" }))],
    ["ETIMEDOUT", fetchFailed(failure({ code: "ETIMEDOUT", syscall: "connect" }))],
    ["EHOSTUNREACH", fetchFailed(failure({ code: "EHOSTUNREACH", syscall: "connect" }))],
    ["UND_ERR_CONNECT_TIMEOUT", fetchFailed(failure({ code: "UND_ERR_CONNECT_TIMEOUT" }))],
    ["all addresses refused", fetchFailed(aggregate(refused, refused))],
    ["an aggregate within an aggregate", fetchFailed(aggregate(aggregate(refused), refused))],
    ["Bun: ConnectionRefused", failure({ code: "ConnectionRefused" })],
    ["Bun: ECONNREFUSED", failure({ code: "ECONNREFUSED" })],
    ["Bun: FailedToOpenSocket", failure({ code: "FailedToOpenSocket" })],
    ["Deno", new TypeError("error sending request for url: client error (Connect): refused")],
    ["TLS: a host of another name", fetchFailed(failure({ code: "ERR_TLS_CERT_ALTNAME_INVALID" }))],
    ["TLS: expired", fetchFailed(failure({ code: "CERT_HAS_EXPIRED" }))],
    ["TLS: self-signed", fetchFailed(failure({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }))],
    ["TLS: self-signed chain", fetchFailed(failure({ code: "SELF_SIGNED_CERT_IN_CHAIN" }))],
    ["TLS: no issuer", fetchFailed(failure({ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }))],
    ["a cycle that contains a refusal", longCycle],
    ["without a wrapper", refused],
  ])("%s proves that nothing was sent", (_, thrown) =>
    expectError(thrown, "not_sent", "no connection was made"),
  );
});

describe("failures after a connection may have been made", () => {
  test.each([
    ["ECONNRESET", fetchFailed(reset)],
    ["EPIPE", fetchFailed(failure({ code: "EPIPE", syscall: "write" }))],
    ["UND_ERR_SOCKET", fetchFailed(failure({ code: "UND_ERR_SOCKET" }))],
    ["one address reset", fetchFailed(aggregate(refused, reset))],
    ["an aggregate of nothing", fetchFailed(Object.assign(new AggregateError([]), { code: "E" }))],
    ["an aggregate of strings", fetchFailed(aggregate("ECONNREFUSED"))],
    ["a browser", new TypeError("Failed to fetch")],
    ["a code that only begins like one", failure({ code: "CERTAIN" })],
    ["a code that only ends like one", failure({ code: "NOT_ConnectionRefused" })],
    ["a system call that only begins like one", failure({ syscall: "connected" })],
    ["a cycle of its own", ownCycle],
    ["an aggregate that holds itself", aggregateCycle],
    ["a string", "ECONNREFUSED"],
    ["null", null],
    ["undefined", undefined],
  ])("%s leaves the outcome unknown", (_, thrown) =>
    expectError(thrown, "unknown", "the connection failed"),
  );
});

describe("error of a lost connection", () => {
  test("the message of a ConnectionError names the first code in its chain of causes", () => {
    const wrapped = fetchFailed(failure({ code: 5, cause: refused }));
    expect(toTransportError(wrapped, 0, { endpoint: "GET /any", attempts: 3 })).toMatchObject({
      message: "GET /any: no connection was made (ECONNREFUSED)",
      attempts: 3,
      code: "connection",
    });
  });

  test("the message of a ConnectionError has no code if no cause has one", () => {
    expect(toTransportError(new TypeError("fetch failed"), 0, {}).message).toBe(
      "the connection failed",
    );
  });

  test("a ConnectionError drops the bytes that Node could not parse, which may echo the request", () => {
    const parser = Object.assign(new Error("bad"), {
      name: "HTTPParserError",
      data: "x-api-key: key",
    });
    const other = Object.assign(new Error("bad"), { name: "OtherError", data: "kept" });
    toTransportError(fetchFailed(parser), 0, {});
    toTransportError(fetchFailed(other), 0, {});
    expect([parser, other].map((error) => "data" in error)).toEqual([false, true]);
  });

  test("a ConnectionError keeps the unknown outcome of previousOutcome attempts", () => {
    const outcome = (previousOutcome: "unknown" | "rejected" | "not_sent", thrown: unknown) =>
      toTransportError(thrown, 0, { previousOutcome }).outcome;
    expect(outcome("unknown", refused)).toBe("unknown");
    expect(outcome("rejected", refused)).toBe("rejected");
    expect(outcome("rejected", reset)).toBe("unknown");
    expect(outcome("not_sent", refused)).toBe("not_sent");
  });
});
