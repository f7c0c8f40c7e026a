import { expect, test } from "vitest";
import { Pauses } from "../../src/bulk/pauses.ts";
import { RateLimitError, ThrottleError } from "../../src/index.ts";

test("a pause that the service asked for stays so if the throttle extends it", () => {
  const pauses = new Pauses(60_000, () => {});
  const headers = new Headers();
  const response = { status: 429, headers, body: "", requestId: undefined };
  pauses.add(new RateLimitError("429", "rejected", { ...response, retryAfterMs: 1_000 }));
  pauses.add(new ThrottleError("held", { retryAfterMs: 2_000 }));
  expect(pauses.isLimited).toBe(true);
  pauses.stop();
  expect(pauses.isLimited).toBe(false);
});
