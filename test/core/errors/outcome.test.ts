import { describe, expect, test } from "vitest";
import {
  AbortError,
  ApiError,
  ConnectionError,
  LedgerError,
  type MessagingServiceError,
  type Outcome,
  RecipientError,
  ResponseValidationError,
  ThrottleError,
  TimeoutError,
  toCallError,
  ValidationError,
} from "../../../src/core/errors.ts";

const issue = { code: "custom", path: ["name"], message: "must be a string" };
const response = { status: 400, headers: new Headers({ "x-note": "5" }), body: { error: "no" } };
const endpoint = "DELETE /api/v2/lists/{ID}/subscribers/{SUBSCRIBER_ID}";

/** Returns the outcome of the error of a call, given the outcome of its earlier attempts. */
const outcomeAfter = (
  previousOutcome: Outcome | undefined,
  error: MessagingServiceError,
): Outcome => toCallError(error, { endpoint, previousOutcome }).outcome;

describe("outcome of an error", () => {
  test.each<[previousOutcome: Outcome | undefined, latest: Outcome, outcome: Outcome]>([
    // Without an earlier attempt, the latest attempt decides.
    [undefined, "not_sent", "not_sent"],
    [undefined, "rejected", "rejected"],
    [undefined, "unknown", "unknown"],
    [undefined, "done", "done"],
    ["not_sent", "not_sent", "not_sent"],
    ["not_sent", "rejected", "rejected"],
    ["not_sent", "unknown", "unknown"],
    ["not_sent", "done", "done"],
    // An attempt that sent nothing does not undo a refusal.
    ["rejected", "not_sent", "rejected"],
    ["rejected", "rejected", "rejected"],
    ["rejected", "unknown", "unknown"],
    ["rejected", "done", "done"],
    // Only a proven success clears `unknown`.
    ["unknown", "not_sent", "unknown"],
    ["unknown", "rejected", "unknown"],
    ["unknown", "unknown", "unknown"],
    ["unknown", "done", "done"],
  ])(
    "the outcome after an attempt that was %s and one that was %s is %s",
    (previousOutcome, latest, outcome) => {
      expect(outcomeAfter(previousOutcome, new ConnectionError("lost", latest))).toBe(outcome);
      expect(outcomeAfter(previousOutcome, new ApiError("422", latest, response))).toBe(outcome);
    },
  );

  test("the outcome of a ValidationError is not_sent from the client, and rejected or unknown from the service", () => {
    expect(new ValidationError([issue]).outcome).toBe("not_sent");
    expect(new ValidationError([issue], { response }).outcome).toBe("rejected");
    expect(outcomeAfter("unknown", new ValidationError([issue], { response }))).toBe("unknown");
  });

  test("the outcome of a ThrottleError is the outcome of the earlier attempts", () => {
    expect(new ThrottleError("held").outcome).toBe("not_sent");
    expect(outcomeAfter("rejected", new ThrottleError("held"))).toBe("rejected");
    expect(outcomeAfter("unknown", new ThrottleError("held"))).toBe("unknown");
  });

  test("the outcome of a RecipientError is not_sent unless an earlier attempt is in doubt", () => {
    expect(new RecipientError("refused").outcome).toBe("not_sent");
    expect(outcomeAfter("rejected", new RecipientError("refused"))).toBe("not_sent");
    expect(outcomeAfter("unknown", new RecipientError("refused"))).toBe("unknown");
  });
});

describe("an error and its call", () => {
  test("an error and its message name the endpoint, and the error has the number of attempts", () => {
    const error = toCallError(new AbortError("aborted", "unknown"), { endpoint, attempts: 2 });
    expect(error).toMatchObject({ endpoint, attempts: 2, message: `${endpoint}: aborted` });
  });

  test("an error without a call has no endpoint and no attempts", () => {
    const error = new ValidationError([issue]);
    expect(error).toMatchObject({ endpoint: undefined, attempts: 0 });
    expect(error.message).toBe("name: must be a string");
  });

  test("an error has `resume` only if it was set", () => {
    const error = new ConnectionError("lost", "not_sent");
    expect(error).not.toHaveProperty("resume");
    const resume = { page: 3, per_page: 1000 };
    const told = Object.assign(error, { resume });
    expect(JSON.parse(JSON.stringify(told))).toMatchObject({ resume });
  });

  test("an error has a cause that its JSON omits", () => {
    const cause = new Error("ECONNRESET");
    const error = new ConnectionError("lost", "unknown", { cause });
    expect(error.cause).toBe(cause);
    expect(JSON.stringify(error)).not.toContain("ECONNRESET");
    expect(new AbortError("aborted", "not_sent", { cause: 0 }).cause).toBe(0);
    expect(new ThrottleError("unavailable", { cause }).cause).toBe(cause);
    expect(new ThrottleError("max_wait").cause).toBeUndefined();
  });
});

describe("properties of error classes", () => {
  test("the message of a ValidationError lists every field", () => {
    const errors = [issue, { ...issue, path: ["steps", 0, "hour"] }, { ...issue, path: [] }];
    const error = new ValidationError(errors, { summary: "Validation failed" });
    expect(error.errors).toBe(errors);
    expect(error.message).toBe(
      "Validation failed: name: must be a string; steps.0.hour: must be a string; input: must be a string",
    );
  });

  test.each([
    ["attempt", "an attempt took longer than 500 ms"],
    ["total", "the whole call took longer than 500 ms"],
  ] as const)("a TimeoutError of the phase %s names its limit", (phase, message) => {
    const error = new TimeoutError(phase, 500, "unknown");
    expect(error).toMatchObject({ phase, timeoutMs: 500, message });
  });

  test.each([
    ["max_wait", /maxWait; a slot is free in 500 ms$/],
    ["held", /maxRetryAfter` \(`maxPause` in a run\) allows; a slot is free in 500 ms$/],
    ["unavailable", /limiter failed; a slot is free in 500 ms$/],
  ] as const)("the message of a ThrottleError explains the reason %s", (reason, message) => {
    const error = new ThrottleError(reason, { retryAfterMs: 500 });
    expect(error).toMatchObject({ reason, retryAfterMs: 500 });
    expect(error.message).toMatch(message);
    expect(new ThrottleError(reason)).not.toHaveProperty("retryAfterMs");
  });

  test.each([
    ["in_doubt", "unknown", /may have been sent/],
    ["rejected_before", "rejected", /already rejected this message/],
    ["changed", "not_sent", /used for another message/],
    ["unavailable", "not_sent", /^the ledger failed$/],
  ] as const)("a LedgerError with the reason %s has the outcome %s", (reason, outcome, message) => {
    const error = new LedgerError(reason);
    expect(error).toMatchObject({ reason, outcome });
    expect(error.message).toMatch(message);
  });

  test("the message of a LedgerError quotes only the code of its cause", () => {
    const error = (cause: unknown) => new LedgerError("unavailable", { cause });
    const cause = Object.assign(new Error("Key (key)=(+12065550123)"), { code: "23505" });
    expect(error(cause).message).toBe("the ledger failed (23505)");
    expect(error(cause).cause).toBe(cause);
    expect(error({ code: "+1 206 555 0123" }).message).toBe("the ledger failed");
    expect(error("no object").message).toBe("the ledger failed");
  });

  test("a ResponseValidationError has its status, body and issues", () => {
    const details = { status: 200, body: "<html>", issues: [issue] };
    const error = new ResponseValidationError("200, but HTML", "unknown", details);
    expect(error).toMatchObject({ status: 200, body: "<html>", issues: [issue] });
    expect(Object.keys(error)).not.toContain("body");
  });
});
