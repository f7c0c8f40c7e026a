// Counts of a run, and the reasons to stop it, as a pure function of the results of its items.
import { describe, expect, test } from "vitest";

import type { ItemOutcome } from "../../src/bulk/run-result.ts";
import { isContentRefused, RunTally } from "../../src/bulk/run-tally.ts";
import {
  type AnyMessagingServiceError,
  apiErrorClassOf,
  ConnectionError,
  LedgerError,
  ValidationError,
} from "../../src/errors.ts";

const documentedBody = {
  error: "Invalid request",
  errors: [{ code: "custom", message: "is not a phone", path: ["phoneNumber"] }],
};

const errorOf = (status: number, body: unknown = "<html>No</html>") => {
  const outcome = status >= 500 || status === 303 || status === 0 ? "unknown" : "rejected";
  const response = { status, headers: new Headers(), body };
  return new (apiErrorClassOf(status))("no", outcome, response) as AnyMessagingServiceError;
};

const accepted: ItemOutcome = { state: "accepted" };
const invalid: ItemOutcome = { state: "invalid", error: new ValidationError([]) };
const skipped: ItemOutcome = {
  state: "skipped",
  reason: "in_doubt",
  at: "2026-01-01T00:00:00.000Z",
};
const unknown: ItemOutcome = { state: "unknown", error: errorOf(503) };
const unreachable: ItemOutcome = {
  state: "not_sent",
  error: new ConnectionError("refused", "not_sent") as AnyMessagingServiceError,
};
const refused = (status: number, body?: unknown): ItemOutcome => {
  const error = errorOf(status, body);
  return error.outcome === "unknown" ? { state: "unknown", error } : { state: "rejected", error };
};
const documented: ItemOutcome = refused(422, documentedBody);

/** Returns the decision of a tally after each result. */
const judge = (ends: readonly ItemOutcome[], { isRemoval = false, stopAfterFailures = 3 } = {}) => {
  const tally = new RunTally({ isRemoval, stopAfterFailures });
  return ends.map((end, index) => tally.add(end, `key ${index}`));
};
const none = undefined;

describe("the reason to stop a run", () => {
  test.each([
    ["accepted sends", [accepted, accepted, accepted], [none, none, none]],
    ["consecutive unknown outcomes", [unknown, unknown, unknown], [none, none, "failures"]],
    [
      "consecutive refused connections",
      [unreachable, unreachable, unreachable],
      [none, none, "failures"],
    ],
    [
      "consecutive undocumented refusals",
      [refused(413), refused(402), refused(400)],
      [none, none, "failures"],
    ],
    [
      "consecutive failures of different kinds",
      [unknown, unreachable, refused(409)],
      [none, none, "failures"],
    ],
    [
      "failures interrupted by an accepted send",
      [unknown, unknown, accepted, unknown, unknown, unknown],
      [none, none, none, none, none, "failures"],
    ],
    [
      "failures interrupted by a documented refusal",
      [unknown, unknown, documented, unknown, unknown],
      [none, none, none, none, none],
    ],
    [
      "failures with skipped and invalid items in between",
      [unknown, skipped, unknown, invalid, unknown],
      [none, none, none, none, "failures"],
    ],
    ["documented refusals", Array(6).fill(documented), Array(6).fill(none)],
    [
      "many failures that were under way together",
      Array(5).fill(unknown),
      [none, none, ...Array(3).fill("failures")],
    ],
    ["a 401", [accepted, refused(401)], [none, "credentials"]],
    ["a 403 before any item was accepted", [unknown, refused(403)], [none, "credentials"]],
    ["a 403 after an accepted item", [accepted, refused(403), accepted], [none, none, none]],
    [
      "a 403 for every item after one that was accepted",
      [accepted, refused(403), refused(403), refused(403)],
      [none, none, none, "failures"],
    ],
    [
      "a failure of the ledger",
      [{ state: "not_sent", error: new LedgerError("unavailable") as AnyMessagingServiceError }],
      ["ledger"],
    ],
  ] as const)("the reason to stop a run is right after %s", (_, ends, reasons) => {
    expect(judge(ends as readonly ItemOutcome[])).toEqual(reasons);
  });

  test.each([0, 301, 302, 303, 307, 308, 404, 405, 410])(
    "a %i before the first accepted send means a wrong base URL; later, it counts as a failure",
    (status) => {
      const end = refused(status);
      expect(judge([end])).toEqual(["endpoint"]);
      expect(judge([skipped, invalid, end])).toEqual([none, none, "endpoint"]);
      expect(judge([documented, end])).toEqual([none, "endpoint"]);
      expect(judge([accepted, end, end, end])).toEqual([none, none, none, "failures"]);
    },
  );

  test("a 404 of a removal counts as a failure until a removal has succeeded, and then concerns that phone only", () => {
    const notFound = refused(404);
    const isRemoval = true;
    expect(judge([notFound, notFound, notFound], { isRemoval })).toEqual([none, none, "failures"]);
    const after = [accepted, ...Array(9).fill(notFound)];
    expect(judge(after, { isRemoval })).toEqual(Array(10).fill(none));
    // It does not interrupt a streak of failures either.
    const streak = [accepted, unknown, notFound, unknown, notFound, unknown];
    expect(judge(streak, { isRemoval }).at(-1)).toBe("failures");
    expect(judge([refused(405)], { isRemoval })).toEqual(["endpoint"]);
  });

  test("failures never stop a run without a limit", () => {
    const stopAfterFailures = Number.POSITIVE_INFINITY;
    expect(judge(Array(99).fill(unknown), { stopAfterFailures })).toEqual(Array(99).fill(none));
  });
});

describe("isContentRefused", () => {
  test.each([400, 422])(
    "isContentRefused accepts a %i whose body has errors in the documented shape",
    (status) => {
      expect(isContentRefused(errorOf(status, documentedBody))).toBe(true);
      expect(isContentRefused(errorOf(status, { errors: documentedBody.errors }))).toBe(true);
    },
  );

  test.each([
    [400, "<html>Bad Request</html>"],
    [400, {}],
    [400, { errors: [] }],
    [400, { errors: "phoneNumber" }],
    [422, { errors: [{ message: "no code and no path" }] }],
    [422, { errors: [...documentedBody.errors, "another"] }],
    [422, null],
    [404, documentedBody],
    [409, documentedBody],
    [413, documentedBody],
  ])("isContentRefused rejects a %i with the body %j", (status, body) => {
    expect(isContentRefused(errorOf(status, body))).toBe(false);
  });

  test("isContentRefused rejects an error of the client's own rules", () => {
    const own = new ValidationError(documentedBody.errors);
    expect(isContentRefused(own)).toBe(false);
  });
});

test("counts of a run list skipped items by reason, and all keys in doubt in one number, each once", () => {
  const tally = new RunTally();
  const reasons = ["accepted_before", "changed", "rejected_before", "duplicate"] as const;
  for (const reason of reasons) tally.add({ state: "skipped", reason }, reason);
  const excluded: ItemOutcome = { state: "skipped", reason: "excluded", note: "opted out" };
  const ends = [accepted, documented, invalid, unreachable, unknown, skipped, skipped, excluded];
  for (const [index, end] of ends.entries()) tally.add(end, `key ${index}`);
  tally.add(skipped, "key 5");
  expect(tally.counts).toEqual({
    done: 13,
    accepted: 1,
    rejected: 1,
    invalid: 1,
    notSent: 1,
    unknown: 1,
    skipped: 8,
    inDoubt: 3,
    skippedBy: {
      acceptedBefore: 1,
      rejectedBefore: 1,
      duplicate: 1,
      changed: 1,
      inDoubt: 3,
      excluded: 1,
    },
  });
});
