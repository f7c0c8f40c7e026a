import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { Redactor } from "../../../src/core/responses/redact.ts";
import { toTransportError } from "../../../src/core/transport/connection-error.ts";
import { adviceOn } from "../../../src/core/transport/connection-proof.ts";
import { ConnectionError, RateLimitError } from "../../../src/index.ts";
import { API_KEY, E164, TEXT } from "../../support/calls.ts";
import { SECRETS } from "../../support/telltale.ts";

const failure = (fields: object, message = "failed"): Error =>
  Object.assign(new Error(message), fields);
/** Wraps a cause as Node's fetch does. */
const fetchFailed = (cause: unknown) => new TypeError("fetch failed", { cause });
const refused = failure({
  code: "ECONNREFUSED",
  syscall: "connect",
  address: "192.0.2.7",
  port: 443,
  errno: -111,
});
const redactor = new Redactor([API_KEY, TEXT]);

const errorFrom = (thrown: unknown, isUnsent = false) =>
  toTransportError(thrown, {
    url: "https://app.example.com/api/v2/accounts/me",
    outcome: isUnsent ? "not_sent" : "unknown",
    advice: adviceOn(thrown, isUnsent),
    durationMs: 1234.5,
    redactor,
  }) as ConnectionError;

describe("the error of a failed attempt", () => {
  test("the message of a ConnectionError names the first code in its chain of causes", () => {
    const wrapped = fetchFailed(failure({ code: 5, cause: refused }));
    expect(errorFrom(wrapped, true)).toMatchObject({
      message: "no connection was made to app.example.com:443 (ECONNREFUSED)",
      code: "connection",
      outcome: "not_sent",
    });
    expect(errorFrom(wrapped, false)).toMatchObject({
      message: "the connection failed (ECONNREFUSED)",
      outcome: "unknown",
    });
  });

  test.each([
    ["no cause has a code", new TypeError("fetch failed")],
    ["the code does not look like one of a system", failure({ code: `phone ${E164}` })],
    ["only the end of the code looks like one", failure({ code: "127.0.0.1:ECONNREFUSED" })],
    ["the code is too long", failure({ code: "E".repeat(62) })],
    ["the code is a number", failure({ code: 12065550123 })],
  ])("the message of a ConnectionError has no code if %s", (_, thrown) => {
    expect(errorFrom(thrown).message).toBe("the connection failed");
  });

  test.each([
    ["ERR_SSL_WRONG_VERSION_NUMBER", "does not speak TLS on this port"],
    ["ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR", "the TLS handshake failed"],
    ["CERT_HAS_EXPIRED", "the certificate of the host is not trusted"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "the certificate of the host is not trusted"],
    ["ENOTFOUND", "the host name cannot be resolved"],
  ])("a ConnectionError gives advice on %s only if nothing was sent", (code, advice) => {
    const thrown = fetchFailed(failure({ code }));
    expect(errorFrom(thrown, true).message).toContain(advice);
    expect(errorFrom(thrown, false).message).toBe(`the connection failed (${code})`);
  });

  test.each([
    ["Deno: invalid peer certificate: UnknownIssuer", "the certificate of the host is not trusted"],
    ["Deno: received fatal alert: InternalError", "the TLS handshake failed"],
    ["Deno: dns error: Name or service not known", "the host name cannot be resolved"],
    ["bad port", "fetch blocks this port"],
    ["Fetch failed: Requests to port 6667 are blocked", "fetch blocks this port"],
  ])("a ConnectionError gives advice even if its failure has no code: %s", (message, advice) => {
    expect(errorFrom(fetchFailed(new Error(message)), true).message).toContain(advice);
  });

  test.each(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"])(
    "a failure with %s becomes a TimeoutError",
    (code) => {
      expect(errorFrom(fetchFailed(failure({ code })))).toMatchObject({
        code: "timeout",
        phase: "attempt",
        timeoutMs: 1235,
        outcome: "unknown",
      });
    },
  );
});

describe("the cause of a ConnectionError", () => {
  test("the cause of a ConnectionError keeps the fields of the system error", () => {
    const { cause } = errorFrom(fetchFailed(refused));
    expect(cause).toBeInstanceOf(TypeError);
    expect(cause).toMatchObject({ name: "TypeError", message: "fetch failed" });
    expect((cause as Error).cause).toMatchObject({
      name: "Error",
      message: "failed",
      code: "ECONNREFUSED",
      syscall: "connect",
      address: "192.0.2.7",
    });
    expect((cause as Error).stack).toMatch(/^TypeError: fetch failed\n {4}at .+connection-error/);
  });

  test("the cause of a ConnectionError has only the fields that the failure has", () => {
    const { cause } = errorFrom(failure({ syscall: "getaddrinfo", hostname: "app.example.com" }));
    expect(Object.keys(cause as Error)).toEqual(["syscall", "hostname"]);
    expect(cause).toMatchObject({ syscall: "getaddrinfo", hostname: "app.example.com" });
    expect(cause).not.toHaveProperty("cause");
    expect(cause).not.toHaveProperty("errors");
  });

  test("the cause of a ConnectionError can be changed like any error", () => {
    const { cause } = errorFrom(fetchFailed(refused));
    for (const field of ["name", "stack", "cause"]) {
      expect(Object.getOwnPropertyDescriptor(cause, field)).toMatchObject({
        ...{ configurable: true, writable: true, enumerable: false },
      });
    }
  });

  test("the cause of a ConnectionError keeps twelve lines of a long stack", () => {
    const stack = ["Error: failed", ...Array(30).fill("    at call (app.js:1:1)")].join("\n");
    const { cause } = errorFrom(failure({ stack }));
    expect((cause as Error).stack?.split("\n")).toHaveLength(12);
  });

  test("the cause of a ConnectionError keeps the errors of an aggregate", () => {
    const { cause } = errorFrom(new AggregateError([refused, "lost"], "all failed"));
    expect(cause).toMatchObject({ name: "AggregateError", message: "all failed" });
    expect((cause as AggregateError).errors).toMatchObject([{ code: "ECONNREFUSED" }, "lost"]);
  });

  const holding = (message: string) =>
    Object.assign(new Error(message), {
      name: `Error of ${E164}`,
      path: `https://app.example.com/api/v2/lists/17/subscribers/${encodeURIComponent(E164)}`,
      request: { headers: { "x-api-key": API_KEY }, body: TEXT },
      options: { headers: new Headers({ "x-api-key": API_KEY }) },
      data: `x-api-key: ${API_KEY}`,
      code: API_KEY,
      host: API_KEY,
      port: 12065550123,
    });

  test.each([
    ["an error", holding(`no response to ${E164} with ${API_KEY}: ${TEXT}`)],
    ["a cause", fetchFailed(holding(`no response to ${encodeURIComponent(E164)}`))],
    ["an aggregate", new AggregateError([holding(API_KEY)], E164)],
    ["an object", { ...holding(""), message: E164, stack: `at ${E164}` }],
    ["a string", `no response to ${E164}: ${TEXT}`],
    ["a number", 12065550123],
  ])("the cause of a ConnectionError shows no part of the request: %s", (_, thrown) => {
    const { cause } = errorFrom(thrown);
    const options = { depth: 9, showHidden: true, getters: true };
    const shown = [inspect(cause, options), JSON.stringify(cause), String(cause)].join();
    for (const secret of [...SECRETS, "12065550123"]) expect(shown).not.toContain(secret);
  });

  test.each([
    [
      "another call",
      new RateLimitError("429", "rejected", { status: 429, headers: new Headers(), body: "b" }),
    ],
    ["a lost call", new ConnectionError("lost", "unknown", { cause: refused })],
  ])("the cause of a ConnectionError is never an error of this package: %s", (_, thrown) => {
    const { cause } = errorFrom(new Error("the audit failed", { cause: thrown }));
    const inner = (cause as Error).cause as Error;
    expect(inner).toMatchObject({ name: thrown.name, message: thrown.message });
    expect(ConnectionError.is(inner) || RateLimitError.is(inner)).toBe(false);
    expect(inner.cause).toBeUndefined();
  });

  test("the chain of causes of a ConnectionError ends after five", () => {
    const endless = new Error("again");
    endless.cause = endless;
    let depth = 0;
    for (let cause = errorFrom(endless).cause; cause; cause = (cause as Error).cause) depth += 1;
    expect(depth).toBe(5);
  });

  test.each([
    ["undefined", undefined, undefined],
    ["null", null, undefined],
    ["an object without a message", { status: "down" }, { message: "" }],
  ])("anything that fetch throws becomes a ConnectionError: %s", (_, thrown, cause) => {
    const error = errorFrom(thrown);
    expect(error).toMatchObject({ code: "connection", message: "the connection failed" });
    if (cause) expect(error.cause).toMatchObject(cause);
    else expect(error.cause).toBeUndefined();
  });
});
