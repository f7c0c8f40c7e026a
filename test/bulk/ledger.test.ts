// The two tables in the documentation of the ledger, as pure functions.
import { describe, expect, test } from "vitest";
import {
  LEDGER_STATES,
  type LedgerClaim,
  type LedgerEntry,
  type LedgerState,
  toClaimResult,
  toConfirmedEntry,
  toResolvedEntry,
  toSettledEntry,
} from "../../src/bulk/ledgers/ledger.ts";

const claim: LedgerClaim = {
  id: "c1",
  batch: "b",
  key: "k",
  digest: "d1",
  ref: "r1",
  owner: "run 1",
  at: "2026-01-01T00:00:00.000Z",
};
const found = (state: LedgerState, entry: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...claim,
  id: "c0",
  ref: "r0",
  owner: "run 0",
  state,
  ...entry,
});
const otherDigest = { digest: "d0" };
const thisRun = { owner: "run 1" };
const sameRef = { ref: "r1" };
const own = { id: "c1" };

describe("toClaimResult", () => {
  test.each([
    ["that does not exist", undefined, "claimed"],
    ["that is open", found("open"), "claimed"],
    ["that is open, with a different digest", found("open", otherDigest), "claimed"],
    ["that is open, of this run", found("open", thisRun), "claimed"],
    ["that is rejected, with a different digest", found("rejected", otherDigest), "claimed"],
    ["that is rejected, with the same digest", found("rejected"), "rejected_before"],
    [
      "that is rejected, of this run, with the same digest",
      found("rejected", thisRun),
      "rejected_before",
    ],
    ["that is accepted, of this run", found("accepted", thisRun), "duplicate"],
    [
      "that is accepted, of this run, with a different digest",
      found("accepted", { ...thisRun, ...otherDigest }),
      "duplicate",
    ],
    ["that is sending, of this run", found("sending", thisRun), "duplicate"],
    ["that is accepted, with the same digest", found("accepted"), "accepted_before"],
    ["that is accepted, with a different digest", found("accepted", otherDigest), "changed"],
    ["that is sending, of another run", found("sending"), "in_doubt"],
    [
      "that is sending, of another run, with a different digest",
      found("sending", otherDigest),
      "in_doubt",
    ],
    ["that is unknown", found("unknown"), "in_doubt"],
    ["in a state that does not exist", found("paused" as LedgerState), "in_doubt"],
    ["that is unknown, of this run", found("unknown", thisRun), "in_doubt"],
    ["that is sending, with the same ref", found("sending", { ...thisRun, ...sameRef }), "claimed"],
    [
      "that is accepted, with the same ref",
      found("accepted", { ...thisRun, ...sameRef }),
      "duplicate",
    ],
  ] as const)("a claim that finds an entry %s gets the result %3$s", (_, entry, result) => {
    expect(toClaimResult(entry, claim)).toBe(result);
  });
});

describe("toSettledEntry", () => {
  test.each(["accepted", "rejected", "open", "unknown"] as const)(
    "settle by the entry's own claim turns sending into %s",
    (state) => {
      const settled = toSettledEntry(found("sending", own), claim, { state, code: "c" });
      expect(settled).toMatchObject({ state, code: "c" });
    },
  );

  test.each(LEDGER_STATES)("settle as accepted is recorded over %s for any claim", (state) => {
    const result = { state: "accepted", transactionId: "t" } as const;
    expect(toSettledEntry(found(state, { code: "c" }), claim, result)).toEqual({
      ...found("accepted"),
      transactionId: "t",
    });
  });

  test.each(["rejected", "open", "unknown"] as const)(
    "settle as %s is not recorded for a different claim, even with the same ref and run, nor over a settled state",
    (state) => {
      const again = found("sending", { ...thisRun, ...sameRef });
      expect(toSettledEntry(again, claim, { state })).toBeUndefined();
      for (const settled of LEDGER_STATES.filter((known) => known !== "sending")) {
        expect(toSettledEntry(found(settled, own), claim, { state })).toBeUndefined();
      }
    },
  );

  test.each([
    ["accepted", true],
    ["unknown", true],
    ["rejected", false],
    ["open", false],
  ] as const)("settle as %s without an entry writes the entry again: %s", (state, isWritten) => {
    const settled = toSettledEntry(undefined, claim, { state });
    expect(settled).toEqual(isWritten ? { ...claim, state } : undefined);
  });

  test("settle keeps a known transactionId", () => {
    const entry = found("accepted", { transactionId: "first" });
    const again = toSettledEntry(entry, claim, { state: "accepted", transactionId: "second" });
    expect(again?.transactionId).toBe("first");
  });
});

describe("toResolvedEntry and toConfirmedEntry", () => {
  test.each([
    ["sending", true, true],
    ["unknown", true, true],
    ["open", false, false],
    ["accepted", false, false],
    ["rejected", false, true],
  ] as const)(
    "a person may decide a key in state %s as accepted: %s, and as open: %s",
    (state, asAccepted, asOpen) => {
      const entry = found(state, { code: "c" });
      expect(toResolvedEntry(entry, "accepted")).toEqual(
        asAccepted ? found("accepted") : undefined,
      );
      expect(toResolvedEntry(entry, "open")).toEqual(asOpen ? found("open") : undefined);
    },
  );

  test.each([
    ["sending", true],
    ["unknown", true],
    ["open", true],
    ["accepted", false],
    ["rejected", false],
  ] as const)("a webhook for a key in state %s makes it accepted: %s", (state, isConfirmed) => {
    expect(toConfirmedEntry(found(state))).toEqual(isConfirmed ? found("accepted") : undefined);
  });

  test("a webhook adds its transactionId to the entry", () => {
    const confirmed = toConfirmedEntry(found("unknown"), { transactionId: "t" });
    expect(confirmed).toEqual({ ...found("accepted"), transactionId: "t" });
  });
});
