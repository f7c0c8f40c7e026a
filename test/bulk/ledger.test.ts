// The two tables of the ledger's documentation, as pure functions.
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
} from "../../src/bulk/ledger.ts";

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

describe("the decision on a claim", () => {
  test.each([
    ["nothing", undefined, "claimed"],
    ["open", found("open"), "claimed"],
    ["open of another digest", found("open", otherDigest), "claimed"],
    ["open of this run", found("open", thisRun), "claimed"],
    ["rejected, another digest", found("rejected", otherDigest), "claimed"],
    ["rejected, the same digest", found("rejected"), "rejected_before"],
    ["rejected by this run, the same digest", found("rejected", thisRun), "rejected_before"],
    ["accepted of this run", found("accepted", thisRun), "duplicate"],
    [
      "accepted of this run, another digest",
      found("accepted", { ...thisRun, ...otherDigest }),
      "duplicate",
    ],
    ["sending of this run", found("sending", thisRun), "duplicate"],
    ["accepted, the same digest", found("accepted"), "accepted_before"],
    ["accepted, another digest", found("accepted", otherDigest), "changed"],
    ["sending of another run", found("sending"), "in_doubt"],
    ["sending of another run, another digest", found("sending", otherDigest), "in_doubt"],
    ["unknown", found("unknown"), "in_doubt"],
    ["a state that is not known", found("paused" as LedgerState), "in_doubt"],
    ["unknown of this run", found("unknown", thisRun), "in_doubt"],
    ["sending with the same ref", found("sending", { ...thisRun, ...sameRef }), "claimed"],
    ["accepted with the same ref", found("accepted", { ...thisRun, ...sameRef }), "duplicate"],
  ] as const)("%s: %3$s", (_, entry, result) => {
    expect(toClaimResult(entry, claim)).toBe(result);
  });
});

describe("settle", () => {
  test.each(["accepted", "rejected", "open", "unknown"] as const)(
    "the claim with the id of the entry turns sending into %s",
    (state) => {
      const settled = toSettledEntry(found("sending", own), claim, { state, code: "c" });
      expect(settled).toMatchObject({ state, code: "c" });
    },
  );

  test.each(LEDGER_STATES)("accepted is recorded over %s for any claim", (state) => {
    const result = { state: "accepted", transactionId: "t" } as const;
    expect(toSettledEntry(found(state, { code: "c" }), claim, result)).toEqual({
      ...found("accepted"),
      transactionId: "t",
    });
  });

  test.each(["rejected", "open", "unknown"] as const)(
    "%s is not recorded for another claim, even of the same ref and run, nor over a state that is settled",
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
  ] as const)("%s without an entry is written again: %s", (state, isWritten) => {
    const settled = toSettledEntry(undefined, claim, { state });
    expect(settled).toEqual(isWritten ? { ...claim, state } : undefined);
  });

  test("a known transactionId stays", () => {
    const entry = found("accepted", { transactionId: "first" });
    const again = toSettledEntry(entry, claim, { state: "accepted", transactionId: "second" });
    expect(again?.transactionId).toBe("first");
  });
});

describe("what settles a doubt", () => {
  test.each([
    ["sending", true, true],
    ["unknown", true, true],
    ["open", false, false],
    ["accepted", false, false],
    ["rejected", false, true],
  ] as const)(
    "a person can decide %s as accepted: %s, and as open: %s",
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
  ] as const)("a webhook turns %s into accepted: %s", (state, isConfirmed) => {
    expect(toConfirmedEntry(found(state))).toEqual(isConfirmed ? found("accepted") : undefined);
  });

  test("a webhook may report the transactionId", () => {
    const confirmed = toConfirmedEntry(found("unknown"), { transactionId: "t" });
    expect(confirmed).toEqual({ ...found("accepted"), transactionId: "t" });
  });
});
