import { LEDGER_STATES, type LedgerState } from "../../bulk/ledgers/ledger.ts";
import {
  assertEntry,
  assertEqual,
  BATCH,
  CHECKED_KEY,
  claimOf,
  type ExpectedEntry,
  entryOf,
  FIRST,
  type LedgerCheckBody,
  laterClaim,
  putInState,
} from "./ledger-check.ts";

/** States that a person can decide. */
const DECIDABLE: Readonly<Record<"accepted" | "open", readonly LedgerState[]>> = {
  accepted: ["sending", "unknown"],
  open: ["sending", "unknown", "rejected"],
};

const decisions = (["accepted", "open"] as const).flatMap((as) =>
  LEDGER_STATES.map((state): [string, LedgerCheckBody] => {
    const decides = DECIDABLE[as].includes(state);
    return [
      `resolve as ${as} of a key that is \`${state}\` ${
        decides ? "decides it" : "resolves to false and changes nothing"
      }`,
      async (ledger) => {
        const before = await putInState(ledger, state);
        assertEqual(await ledger.resolve(BATCH, CHECKED_KEY, as), decides, "the result of resolve");
        const decided = entryOf({ ...before, state: as, code: undefined });
        await assertEntry(ledger, decides ? decided : before, "resolve");
      },
    ];
  }),
);

const toConfirmed = (before: ExpectedEntry): ExpectedEntry =>
  before.state === "rejected" || before.state === "accepted"
    ? before
    : entryOf({ ...before, state: "accepted", transactionId: "from-webhook", code: undefined });

const confirmations = LEDGER_STATES.map((state): [string, LedgerCheckBody] => [
  `confirm of a key that is \`${state}\` ${
    state === "rejected" || state === "accepted" ? "changes nothing" : "makes it accepted"
  }, and resolves to its entry`,
  async (ledger) => {
    const expected = toConfirmed(await putInState(ledger, state));
    for (const id of ["from-webhook", "from another webhook"]) {
      const confirmed = await ledger.confirm(FIRST.ref, { transactionId: id });
      assertEqual(confirmed, expected, "the result of confirm");
    }
    await assertEntry(ledger, expected, "confirm");
  },
]);

export const decisionChecks: Readonly<Record<string, LedgerCheckBody>> = {
  ...Object.fromEntries(decisions),

  "resolve of a key without an entry resolves to false": async (ledger) => {
    for (const as of ["accepted", "open"] as const) {
      assertEqual(await ledger.resolve(BATCH, CHECKED_KEY, as), false, "the result of resolve");
      await assertEntry(ledger, undefined, "resolve");
    }
  },

  "resolve touches no other key and no other batch": async (ledger) => {
    await putInState(ledger, "unknown");
    const others = [{ key: "another key" }, { batch: "another batch" }];
    const before: ExpectedEntry[] = [];
    for (const [index, given] of others.entries()) {
      before.push(await putInState(ledger, "unknown", { ...given, ref: `other-${index}` }));
    }
    await ledger.resolve(BATCH, CHECKED_KEY, "open");
    for (const entry of before) await assertEntry(ledger, entry, "the decision about another key");
  },

  ...Object.fromEntries(confirmations),

  "confirm without an id makes a key accepted": async (ledger) => {
    await putInState(ledger, "unknown");
    const accepted = entryOf({ state: "accepted" });
    assertEqual(await ledger.confirm(FIRST.ref), accepted, "the result of confirm");
    await assertEntry(ledger, accepted, "confirm");
  },

  "confirm of an unknown ref resolves to undefined": async (ledger) => {
    await putInState(ledger, "sending");
    assertEqual(await ledger.confirm(laterClaim().ref), undefined, "the result of confirm");
    await assertEntry(ledger, entryOf(), "confirm of another ref");
  },

  "confirm of an earlier claim's ref resolves to undefined": async (ledger) => {
    await putInState(ledger, "open");
    await ledger.claim(laterClaim());
    assertEqual(await ledger.confirm(FIRST.ref), undefined, "the result of confirm");
    await assertEntry(ledger, entryOf(laterClaim()), "confirm of an earlier ref");
  },

  "confirm touches no other key": async (ledger) => {
    await putInState(ledger, "sending");
    const other = await putInState(ledger, "sending", { key: "another key", ref: "other" });
    await ledger.confirm(FIRST.ref);
    await assertEntry(ledger, other, "confirm of another key");
  },

  "confirm finds the ref of a claim that was written again": async (ledger) => {
    await ledger.settle(claimOf(), { state: "unknown" });
    const accepted = entryOf({ state: "accepted" });
    assertEqual(await ledger.confirm(FIRST.ref), accepted, "the result of confirm");
  },
};
