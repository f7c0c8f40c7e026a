import { describe, expect, test } from "vitest";
import { LEDGER_STATES, type LedgerEntry, type LedgerState } from "../../src/bulk/ledger.ts";
import {
  toClaimedEntry,
  toConfirmedEntry,
  toResolvedEntry,
  toSettledEntry,
  toVerdict,
} from "../../src/bulk/transitions.ts";

const claim = { batch: "b", key: "k", digest: "d1", ref: "r1", owner: "run 1", at: "2026-01-01" };
const found = (state: LedgerState, entry: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...toClaimedEntry(claim),
  ref: "r0",
  owner: "run 0",
  state,
  ...entry,
});
const otherDigest = { digest: "d0" };
const thisRun = { owner: "run 1" };
const sameRef = { ref: "r1" };

describe("the verdict on a claim", () => {
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
    ["unknown of this run", found("unknown", thisRun), "in_doubt"],
    ["sending with the same ref", found("sending", { ...thisRun, ...sameRef }), "claimed"],
    ["accepted with the same ref", found("accepted", { ...thisRun, ...sameRef }), "duplicate"],
  ] as const)("%s: %3$s", (_, entry, verdict) => {
    expect(toVerdict(entry, claim)).toBe(verdict);
  });

  test("a claim replaces the whole previous entry", () => {
    expect(toClaimedEntry({ ...claim, transactionId: "t" } as typeof claim)).toEqual({
      ...claim,
      state: "sending",
    });
  });
});

describe("the end of a claim", () => {
  const end = { batch: "b", key: "k", owner: "run 0" } as const;

  test.each(["accepted", "rejected", "open", "unknown"] as const)(
    "the owner of a claim turns sending into %s",
    (state) => {
      expect(toSettledEntry(found("sending"), { ...end, state, code: "c" })).toMatchObject({
        state,
        code: "c",
      });
    },
  );

  test.each(LEDGER_STATES)("accepted is recorded over %s for any owner", (state) => {
    const accepted = { ...end, owner: "run 9", state: "accepted", transactionId: "t" } as const;
    expect(toSettledEntry(found(state, { code: "c" }), accepted)).toEqual({
      ...found("accepted"),
      transactionId: "t",
    });
  });

  test.each(["rejected", "open", "unknown"] as const)(
    "%s is not recorded by another owner, nor over a state that is settled",
    (state) => {
      const other = found("sending", { owner: "run 9" });
      expect(toSettledEntry(other, { ...end, state })).toBe(other);
      for (const settled of LEDGER_STATES.filter((known) => known !== "sending")) {
        const entry = found(settled);
        expect(toSettledEntry(entry, { ...end, state })).toBe(entry);
      }
    },
  );

  test("a known transactionId stays", () => {
    const entry = found("accepted", { transactionId: "first" });
    const again = toSettledEntry(entry, { ...end, state: "accepted", transactionId: "second" });
    expect(again.transactionId).toBe("first");
  });
});

describe("what settles a doubt", () => {
  test.each([
    ["sending", { state: "accepted" }],
    ["unknown", { state: "accepted" }],
    ["open", undefined],
    ["accepted", undefined],
    ["rejected", undefined],
  ] as const)("a person decides that %s was sent", (state, expected) => {
    const resolved = toResolvedEntry(found(state, { code: "c" }), "accepted");
    expect(resolved).toEqual(expected && { ...found(state), ...expected });
  });

  test("a person decides that a key may be sent again", () => {
    expect(toResolvedEntry(found("unknown"), "open")).toEqual(found("open"));
  });

  test.each([
    ["sending", "accepted"],
    ["unknown", "accepted"],
    ["open", "accepted"],
    ["accepted", "accepted"],
    ["rejected", "rejected"],
  ] as const)("a webhook turns %s into %s", (state, expected) => {
    expect(toConfirmedEntry(found(state)).state).toBe(expected);
  });

  test("a webhook may report the transactionId", () => {
    const confirmed = toConfirmedEntry(found("unknown"), { transactionId: "t" });
    expect(confirmed).toEqual({ ...found("accepted"), transactionId: "t" });
  });
});
