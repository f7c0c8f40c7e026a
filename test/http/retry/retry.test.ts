import { describe, expect, test, vi } from "vitest";
import {
  ApiError,
  ConnectionError,
  RateLimitError,
  ResponseValidationError,
  ThrottleError,
  TimeoutError,
} from "../../../src/errors.ts";
import { retryDelay } from "../../../src/http/retry.ts";
import { createList, getAccount } from "../../../src/wire/v2.ts";

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
  ])("retryDelay after %d retries is %s", (retries, expected) => {
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
  ])(
    "retryDelay with a Retry-After of %d ms and %d ms left is %s",
    (retryAfterMs, remainingMs, expected) => {
      vi.spyOn(Math, "random").mockReturnValue(0.5);
      for (const status of [408, 429, 503]) {
        expect(delayOf(apiError(status, retryAfterMs), { remainingMs })).toBe(expected);
      }
    },
  );

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
    [
      "a response without required fields",
      new ResponseValidationError("", "unknown", details),
      false,
      false,
    ],
    ["something thrown", new Error("thrown"), false, false],
    ["nothing thrown", undefined, false, false],
  ])("retryDelay after %s: a GET is retried: %s, a POST: %s", (_, error, get, post) => {
    for (const [endpoint, repeated] of [
      [getAccount, get],
      [createList, post],
    ] as const) {
      const delay = retryDelay(endpoint as never, error, 0, SETTINGS, Number.POSITIVE_INFINITY);
      expect(delay !== undefined).toBe(repeated);
    }
  });
});
