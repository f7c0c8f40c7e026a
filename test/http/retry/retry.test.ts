import { describe, expect, test, vi } from "vitest";
import { ApiError, RateLimitError } from "../../../src/errors/api-error.ts";
import { ConnectionError } from "../../../src/errors/connection-error.ts";
import { ResponseValidationError } from "../../../src/errors/response-validation-error.ts";
import { ThrottleError } from "../../../src/errors/throttle-error.ts";
import { TimeoutError } from "../../../src/errors/timeout-error.ts";
import { parseRetryAfter, retryDelay } from "../../../src/http/retry.ts";
import { createList, getAccount } from "../../../src/wire/v2.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const parse = (value: string, date?: string) =>
  parseRetryAfter(new Headers({ "retry-after": value, ...(date ? { date } : {}) }), NOW);

describe("parseRetryAfter", () => {
  test.each([
    ["0", 0],
    ["1", 1000],
    ["120", 120_000],
    [" 7 ", 7000],
    ["007", 7000],
    ["0.5", 500],
    ["1.0001", 1001],
    ["2.9999", 3000],
    ["31536000", 31_536_000_000],
    ["999999999999", 999_999_999_999_000],
  ])("%j is %d ms", (value, ms) => {
    expect(parse(value)).toBe(ms);
  });

  test.each(["9999999999999", "99999999999999999999", "1".repeat(30)])(
    "the huge %j is not taken for nonsense",
    (value) => {
      expect(parse(value)).toBeGreaterThanOrEqual(9_000_000_000_000_000);
    },
  );

  test.each([
    ["Thu, 01 Jan 2026 00:00:30 GMT", undefined, 30_000],
    ["Thursday, 01-Jan-26 00:00:30 GMT", undefined, 30_000],
    ["Thu Jan  1 00:00:30 2026 GMT", undefined, 30_000],
    ["2026-01-01T00:00:30Z", undefined, 30_000],
    ["Wed, 31 Dec 2025 23:59:59 GMT", undefined, 0],
    ["Mon, 01 Jan 2001 00:01:00 GMT", "Mon, 01 Jan 2001 00:00:00 GMT", 60_000],
    ["Thu, 01 Jan 2099 00:00:05 GMT", "Thu, 01 Jan 2099 00:00:00 GMT", 5000],
    ["Thu, 01 Jan 2026 00:00:30 GMT", "yesterday", 30_000],
    ["Thu, 01 Jan 2026 00:00:30 GMT", "Thu, 01 Jan 2026 00:01:00 GMT", 0],
  ])("%j, answered on %j, is %d ms", (value, date, ms) => {
    expect(parse(value, date)).toBe(ms);
  });

  test.each([
    "",
    "   ",
    "-1",
    "-0.5",
    "soon",
    "NaN",
    "Infinity",
    "1e3",
    "0x10",
    "5s",
    "1,5",
    "12 34",
  ])("%j says nothing", (value) => {
    expect(parse(value) ?? 0).toBe(0);
  });

  test("a negative number is no wait of none: it says nothing", () => {
    expect(parse("-5")).toBeUndefined();
  });

  test("is undefined when there is no such header", () => {
    expect(parseRetryAfter(new Headers())).toBeUndefined();
  });
});

const SETTINGS = { limit: 2, maxRetryAfterMs: 60_000, initialMs: 500, maxMs: 8000 };
const apiError = (status: number, retryAfterMs?: number) => {
  const response = { status, headers: new Headers(), body: "", retryAfterMs };
  return status === 429
    ? new RateLimitError("429", "rejected", response)
    : new ApiError(`${status}`, "unknown", response);
};
const delayOf = (error: unknown, { retries = 0, remainingMs = Number.POSITIVE_INFINITY } = {}) =>
  retryDelay(getAccount as never, error, retries, SETTINGS, remainingMs);

describe("retryDelay", () => {
  test.each([
    [0, 250],
    [1, 500],
    [2, undefined],
    [9, undefined],
  ])("after %d repeats: %s", (retries, expected) => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    expect(delayOf(apiError(503), { retries })).toBe(expected);
  });

  test.each([
    [0, Number.POSITIVE_INFINITY, 250],
    [100, Number.POSITIVE_INFINITY, 250],
    [251, Number.POSITIVE_INFINITY, 251],
    [60_000, Number.POSITIVE_INFINITY, 60_000],
    [60_001, Number.POSITIVE_INFINITY, undefined],
    [1000, 1001, 1000],
    [1000, 1000, undefined],
    [1000, 999, undefined],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, undefined],
  ])("asked to wait %d ms with %d ms left: %s", (retryAfterMs, remainingMs, expected) => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    for (const status of [408, 429, 503]) {
      expect(delayOf(apiError(status, retryAfterMs), { remainingMs })).toBe(expected);
    }
  });

  const details = { status: 200, body: "", issues: [] };
  test.each([
    ["a lost connection", new ConnectionError("", "unknown"), true, false],
    ["no connection", new ConnectionError("", "not_sent"), true, true],
    ["no connection after a 429", new ConnectionError("", "rejected"), true, true],
    ["an attempt's timeout", new TimeoutError("attempt", 1, "unknown"), true, false],
    ["the call's timeout", new TimeoutError("total", 1, "unknown"), false, false],
    ["429", apiError(429), true, true],
    ["503", apiError(503), true, false],
    ["404", apiError(404), false, false],
    ["a throttle", new ThrottleError("held"), false, false],
    ["an unproved answer", new ResponseValidationError("", "unknown", details), false, false],
    ["something thrown", new Error("thrown"), false, false],
    ["nothing thrown", undefined, false, false],
  ])("after %s a GET is repeated: %s, a POST: %s", (_, error, get, post) => {
    for (const [endpoint, repeated] of [
      [getAccount, get],
      [createList, post],
    ] as const) {
      const delay = retryDelay(endpoint as never, error, 0, SETTINGS, Number.POSITIVE_INFINITY);
      expect(delay !== undefined).toBe(repeated);
    }
  });
});
