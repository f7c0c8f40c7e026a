// Counts, and the reasons for which a run stops, as a pure function of the ends of its items.
import { describe, expect, test } from "vitest";

import { type ItemEnd, isContentRefused, RunTally } from "../../src/bulk/run-result.ts";
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

const accepted: ItemEnd = { state: "accepted" };
const invalid: ItemEnd = { state: "invalid", error: new ValidationError([]) };
const skipped: ItemEnd = { state: "skipped", reason: "in_doubt", at: "2026-01-01T00:00:00.000Z" };
const unknown: ItemEnd = { state: "unknown", error: errorOf(503) };
const unreachable: ItemEnd = {
  state: "not_sent",
  error: new ConnectionError("refused", "not_sent") as AnyMessagingServiceError,
};
const refused = (status: number, body?: unknown): ItemEnd => {
  const error = errorOf(status, body);
  return error.outcome === "unknown" ? { state: "unknown", error } : { state: "rejected", error };
};
const documented: ItemEnd = refused(422, documentedBody);

/** Returns what a tally says after each end. */
const judge = (ends: readonly ItemEnd[], { isRemoval = false, stopAfterFailures = 3 } = {}) => {
  const tally = new RunTally({ isRemoval, stopAfterFailures });
  return ends.map((end) => tally.add(end));
};
const none = undefined;

describe("the reason to stop a run", () => {
  test.each([
    ["nothing that was accepted", [accepted, accepted, accepted], [none, none, none]],
    ["unknown ends in a row", [unknown, unknown, unknown], [none, none, "failures"]],
    ["connections in a row", [unreachable, unreachable, unreachable], [none, none, "failures"]],
    ["refusals in a row", [refused(413), refused(402), refused(400)], [none, none, "failures"]],
    ["failures of any kind", [unknown, unreachable, refused(409)], [none, none, "failures"]],
    [
      "failures around an accepted item",
      [unknown, unknown, accepted, unknown, unknown, unknown],
      [none, none, none, none, none, "failures"],
    ],
    [
      "failures around a documented refusal",
      [unknown, unknown, documented, unknown, unknown],
      [none, none, none, none, none],
    ],
    [
      "failures around skipped and invalid items",
      [unknown, skipped, unknown, invalid, unknown],
      [none, none, none, none, "failures"],
    ],
    ["documented refusals", Array(6).fill(documented), Array(6).fill(none)],
    [
      "the end of many failures in flight",
      Array(5).fill(unknown),
      [none, none, ...Array(3).fill("failures")],
    ],
    ["401", [accepted, refused(401)], [none, "credentials"]],
    ["403", [refused(403)], ["credentials"]],
    [
      "the ledger",
      [{ state: "not_sent", error: new LedgerError("unavailable") as AnyMessagingServiceError }],
      ["ledger"],
    ],
  ] as const)("%s", (_, ends, reasons) => {
    expect(judge(ends as readonly ItemEnd[])).toEqual(reasons);
  });

  test.each([0, 301, 302, 303, 307, 308, 404, 405, 410])(
    "%i before any accepted send: the base URL is wrong; after one, it is a failure",
    (status) => {
      const end = refused(status);
      expect(judge([end])).toEqual(["endpoint"]);
      expect(judge([skipped, invalid, end])).toEqual([none, none, "endpoint"]);
      expect(judge([documented, end])).toEqual([none, "endpoint"]);
      expect(judge([accepted, end, end, end])).toEqual([none, none, none, "failures"]);
    },
  );

  test("a removal with 404 is a failure until a removal has succeeded, and that phone's own afterwards", () => {
    const notFound = refused(404);
    const isRemoval = true;
    expect(judge([notFound, notFound, notFound], { isRemoval })).toEqual([none, none, "failures"]);
    const after = [accepted, ...Array(9).fill(notFound)];
    expect(judge(after, { isRemoval })).toEqual(Array(10).fill(none));
    // It does not break a streak either.
    const streak = [accepted, unknown, notFound, unknown, notFound, unknown];
    expect(judge(streak, { isRemoval }).at(-1)).toBe("failures");
    expect(judge([refused(405)], { isRemoval })).toEqual(["endpoint"]);
  });

  test("without a limit, failures never stop a run", () => {
    const stopAfterFailures = Number.POSITIVE_INFINITY;
    expect(judge(Array(99).fill(unknown), { stopAfterFailures })).toEqual(Array(99).fill(none));
  });
});

describe("a documented refusal", () => {
  test.each([400, 422])("%i whose body has errors in the documented shape", (status) => {
    expect(isContentRefused(errorOf(status, documentedBody))).toBe(true);
    expect(isContentRefused(errorOf(status, { errors: documentedBody.errors }))).toBe(true);
  });

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
  ])("%i with the body %j is none", (status, body) => {
    expect(isContentRefused(errorOf(status, body))).toBe(false);
  });

  test("an error of the client's own rules is none", () => {
    const own = new ValidationError(documentedBody.errors);
    expect(isContentRefused(own)).toBe(false);
  });
});

test("counts have one shape: skipped items by their reason, and everything in doubt in one number", () => {
  const tally = new RunTally();
  const reasons = ["accepted_before", "changed", "rejected_before", "duplicate"] as const;
  for (const reason of reasons) tally.add({ state: "skipped", reason });
  const excluded: ItemEnd = { state: "skipped", reason: "excluded", note: "opted out" };
  const ends = [accepted, documented, invalid, unreachable, unknown, skipped, skipped, excluded];
  for (const end of ends) tally.add(end);
  expect(tally.counts).toEqual({
    done: 12,
    accepted: 1,
    rejected: 1,
    invalid: 1,
    notSent: 1,
    unknown: 1,
    skipped: 7,
    inDoubt: 3,
    skippedBy: {
      acceptedBefore: 1,
      rejectedBefore: 1,
      duplicate: 1,
      changed: 1,
      inDoubt: 2,
      excluded: 1,
    },
  });
});
