import {
  LEDGER_STATES,
  type Ledger,
  type LedgerResult,
  type LedgerState,
} from "../../bulk/ledgers/ledger.ts";
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
  RESULTS,
} from "./ledger-check.ts";

/** Builds a late result. Its details must not replace the details that the ledger has. */
const lateResult = (state: LedgerResult["state"]): LedgerResult =>
  state === "accepted" ? { state, transactionId: "late" } : { state, code: "connection" };

const RESULT_STATES = LEDGER_STATES.filter((state) => state !== "sending");

/** Settles the first claim late, and checks the entry and the result. */
const settleLate = async (
  ledger: Ledger,
  before: ExpectedEntry | undefined,
  state: LedgerResult["state"],
): Promise<void> => {
  const holds = state === "accepted" || (before?.id === FIRST.id && before.state === state);
  const result = await ledger.settle(claimOf(), lateResult(state));
  assertEqual(result, holds, `the result of settle as ${state}`);
  const accepted = entryOf({ ...before, state, transactionId: before?.transactionId ?? "late" });
  const { code: _, ...after } = accepted;
  await assertEntry(ledger, state === "accepted" ? after : before, `settle as ${state}`);
};

/** Events after which the first claim is no longer on the wire, as far as the ledger knows. */
const decidedBy: Readonly<Record<string, (ledger: Ledger) => Promise<unknown>>> = {
  "a webhook": (ledger) => ledger.confirm(FIRST.ref, { transactionId: "from-webhook" }),
  "a person who decided that it was sent": (ledger) =>
    ledger.resolve(BATCH, CHECKED_KEY, "accepted"),
  "a person who decided that it may be sent again": (ledger) =>
    ledger.resolve(BATCH, CHECKED_KEY, "open"),
  "its own result as rejected": (ledger) => ledger.settle(claimOf(), RESULTS.rejected),
  "its own result as unknown": (ledger) => ledger.settle(claimOf(), RESULTS.unknown),
};

const afterDecisions = Object.entries(decidedBy).flatMap(([event, decide]) =>
  RESULT_STATES.map((state): [string, LedgerCheckBody] => [
    `settle as ${state} of a key that was decided by ${event} ${
      state === "accepted"
        ? "is recorded"
        : "changes nothing, and resolves to whether the ledger holds it"
    }`,
    async (ledger) => {
      await putInState(ledger, "sending");
      await decide(ledger);
      await settleLate(ledger, await ledger.find(BATCH, CHECKED_KEY), state);
    },
  ]),
);

/** Later claims of the key, under the same ref (the next attempt of a removal) and by another run. */
const LATER = {
  "the next attempt of the same item": claimOf({ id: "id-2" }),
  "another item of the same run": laterClaim({ owner: FIRST.owner }),
  "another run": laterClaim(),
};

const afterLaterClaims = Object.entries(LATER).flatMap(([who, later]) =>
  LEDGER_STATES.flatMap((now) =>
    RESULT_STATES.map((state): [string, LedgerCheckBody] => [
      `settle as ${state} of an earlier claim, after ${who} has claimed the key and left it \`${now}\`, ${
        state === "accepted" ? "is recorded" : "changes nothing and resolves to false"
      }`,
      async (ledger) => {
        await putInState(ledger, "sending");
        if (later.ref !== FIRST.ref) await ledger.resolve(BATCH, CHECKED_KEY, "open");
        await settleLate(ledger, await putInState(ledger, now, later), state);
      },
    ]),
  ),
);

const withoutEntry = RESULT_STATES.map((state): [string, LedgerCheckBody] => {
  const restoresEntry = state === "accepted" || state === "unknown";
  return [
    `settle as ${state} of a claim that was lost ${restoresEntry ? "writes its entry again" : "leaves no entry"}`,
    async (ledger) => {
      assertEqual(
        await ledger.settle(claimOf(), RESULTS[state]),
        restoresEntry,
        "the result of settle",
      );
      await assertEntry(ledger, restoresEntry ? entryOf(RESULTS[state]) : undefined, "settle");
    },
  ];
});

const repeated = RESULT_STATES.map((state): [string, LedgerCheckBody] => [
  `a repeated settle as ${state} resolves to true again`,
  async (ledger) => {
    const before = await putInState(ledger, state);
    assertEqual(await ledger.settle(claimOf(), RESULTS[state]), true, "the result of settle");
    await assertEntry(ledger, before, "the second settle");
  },
]);

const recorded = LEDGER_STATES.map((state: LedgerState): [string, LedgerCheckBody] => [
  state === "sending"
    ? "a claim is not settled by itself"
    : `settle as ${state} of a claim on the wire is recorded with its details`,
  async (ledger) => assertEntry(ledger, await putInState(ledger, state), "settle"),
]);

export const settleChecks: Readonly<Record<string, LedgerCheckBody>> = {
  ...Object.fromEntries([...recorded, ...repeated, ...withoutEntry]),

  "settle without details is recorded": async (ledger) => {
    await putInState(ledger, "sending");
    assertEqual(await ledger.settle(claimOf(), { state: "accepted" }), true, "the result");
    await assertEntry(ledger, entryOf({ state: "accepted" }), "settle");
  },

  "settle as accepted of a key that was accepted without an id adds the id": async (ledger) => {
    await putInState(ledger, "unknown");
    await ledger.confirm(FIRST.ref);
    await ledger.settle(claimOf(), RESULTS.accepted);
    await assertEntry(ledger, entryOf(RESULTS.accepted), "settle");
  },

  "settle as accepted of an earlier claim adds the id to a key that was accepted without an id":
    async (ledger) => {
      await putInState(ledger, "open");
      await putInState(ledger, "unknown", laterClaim());
      await ledger.confirm(laterClaim().ref);
      await ledger.settle(claimOf(), RESULTS.accepted);
      await assertEntry(ledger, entryOf({ ...laterClaim(), ...RESULTS.accepted }), "settle");
    },

  "settle touches no other key and no other batch": async (ledger) => {
    await putInState(ledger, "sending");
    const others = [{ key: "another key" }, { batch: "another batch" }].map((given, index) =>
      claimOf({ ...given, ref: `other-${index}` }),
    );
    for (const claim of others) await ledger.claim(claim);
    for (const result of Object.values(RESULTS)) await ledger.settle(claimOf(), result);
    for (const claim of others) await assertEntry(ledger, entryOf(claim), "another key's settle");
  },

  ...Object.fromEntries([...afterDecisions, ...afterLaterClaims]),
};
