// Failures found in published SDKs before this package was written. This package must avoid each of them.
import { getEventListeners } from "node:events";
import { inspect } from "node:util";
import { createFakeService } from "messaging-service-client/testing";
import { describe, expect, test, vi } from "vitest";
import {
  analyzeGsm7,
  type ResponseValidationError,
  TransactionalClient,
  toGsm7,
  type ValidationError,
} from "../../../src/index.ts";
import { API_KEY, clientsOf, errorOf, message, transaction } from "../../support/calls.ts";
import {
  hang,
  type Responder,
  resetAfterReading,
  resetBeforeReading,
  respond,
  stall,
  startLoopback,
  truncate,
} from "../../support/servers/loopback.ts";

// The timeout allows for real sockets on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** Sends one text to a service with the given responses. Returns the result and the number of requests. */
const send = async (responders: readonly Responder[], timeout = 5000) => {
  await using server = await startLoopback(...responders);
  const { rcs } = clientsOf(server, { timeout });
  const started = performance.now();
  const error = await errorOf<ResponseValidationError>(rcs.sendRcsText(message));
  return { error, requests: server.requests.length, tookMs: performance.now() - started };
};

describe("double sends, which five SDKs caused", () => {
  test.each<[string, Responder, number?]>([
    ["a timeout", hang, 300],
    ["a reset before the response", resetAfterReading],
    ["a reset in the middle of the request", resetBeforeReading],
    ["500", respond(500)],
    ["502", respond(502)],
    ["503", respond(503)],
    ["504", respond(504)],
  ])("a message is not sent again after %s", async (_, fault, timeout) => {
    // A client that sends again receives a success, and never learns of the first message.
    const { error, requests } = await send([fault, respond(202, transaction)], timeout);
    expect(requests).toBe(1);
    expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
  });
});

describe("false successes, which thirteen of fourteen SDKs reported", () => {
  test.each<[string, Responder]>([
    ["a 200 with HTML", respond(200, "<html>Please sign in</html>")],
    ["a 200 with {}", respond(200, {})],
    ["an empty 202", respond(202, "")],
    ["a truncated body", truncate(transaction)],
    ["half of the JSON", respond(202, '{"message":"Accepted","transac')],
    ["a stalled body", stall(transaction)],
  ])("%s is not reported as a success", async (_, fault) => {
    const { error, requests } = await send([fault], 300);
    expect(requests).toBe(1);
    expect(error.outcome).toBe("unknown");
    expect(["response_validation", "connection", "timeout"]).toContain(error.code);
  });
});

describe("stalled bodies, which five SDKs waited for forever", () => {
  test.each([200, 202, 400, 404, 503])("a stalled body of a %d times out", async (status) => {
    const { error } = await send([stall(transaction, status)], 300);
    expect(error).toMatchObject({ code: "timeout", phase: "attempt", timeoutMs: 300 });
  });
});

test("`Retry-After: 3600` fails at once; four SDKs slept for an hour", async () => {
  const { error, tookMs } = await send([respond(429, "", { "retry-after": "3600" })]);
  expect(error).toMatchObject({ code: "rate_limit", retryAfterMs: 3_600_000, attempts: 1 });
  expect(tookMs).toBeLessThan(10_000);
});

test("the items of a 400 are kept; three SDKs lost them", async () => {
  const errors = [
    { code: "custom", message: "Invalid phone number", path: ["phoneNumber"] },
    {
      code: "too_big",
      message: "String must contain at most 255 character(s)",
      path: ["rcsPayload", "file", "url"],
      maximum: 255,
      type: "string",
      inclusive: true,
      exact: false,
    },
  ];
  const { error } = await send([respond(400, { error: "Validation failed", errors })]);
  const { code, errors: items } = error as unknown as ValidationError;
  expect(code).toBe("validation");
  expect(items).toEqual(errors);
  for (const { message: words } of errors) expect(error.message).toContain(words);
});

const everywhere = { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true };

test("inspect(client) hides the key; twelve SDKs showed it", () => {
  const { v2, rcs } = clientsOf({ baseUrl: "https://app.example.com" });
  for (const client of [v2, rcs]) expect(inspect(client, everywhere)).not.toContain(API_KEY);
});

test("inspect(error) hides the key; four SDKs showed it", async () => {
  for (const fault of [respond(401), respond(500), resetAfterReading, respond(200, {})]) {
    const { error } = await send([fault]);
    expect(inspect(error, everywhere)).not.toContain(API_KEY);
  }
});

test("the caller's signal has no listener left after twelve calls; five SDKs left some", async () => {
  await using server = await startLoopback(respond(202, transaction));
  const { rcs } = clientsOf(server);
  const { signal } = new AbortController();
  for (let call = 0; call < 12; call += 1) await rcs.sendRcsText(message, { signal });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("the package has a test double; no SDK had one", async () => {
  const service = createFakeService();
  const rcs = new TransactionalClient({
    baseUrl: service.transactionalBaseUrl,
    apiKey: service.account.apiKey,
    fetch: service.fetch,
  });
  const { transactionId } = await rcs.sendRcsText(message);
  expect(service.outbox).toMatchObject([{ transactionId, to: "+12065550123" }]);
});

test("the package has a GSM 7-bit helper; no SDK had one", () => {
  const text = "“Your table” — it’s ready…";
  expect(analyzeGsm7(text).valid).toBe(false);
  expect(analyzeGsm7(toGsm7(text))).toMatchObject({ valid: true, segments: 1 });
});

describe("redirects to other hosts, to which fetch sends `x-api-key`", () => {
  test.each([301, 302, 303, 307, 308])(
    "`x-api-key` does not follow a %d to another host",
    async (status) => {
      await using elsewhere = await startLoopback(respond(202, transaction));
      const location = `${elsewhere.baseUrl}/collect`;
      await using server = await startLoopback(respond(status, "", { location }));
      // Proves that fetch itself would send the header.
      await fetch(server.baseUrl, { method: "POST", headers: { "x-api-key": "bait" }, body: "{}" });
      expect(elsewhere.onlyRequest().headers["x-api-key"]).toBe("bait");
      await errorOf(clientsOf(server).rcs.sendRcsText(message));
      elsewhere.onlyRequest();
    },
  );
});
