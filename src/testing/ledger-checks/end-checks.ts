import {
  LEDGER_STATES,
  type Ledger,
  type LedgerEnd,
  type LedgerEntry,
  type LedgerState,
} from "../../bulk/ledger.ts";
import {
  assertEntry,
  assertEqual,
  BATCH,
  claimOf,
  entryOf,
  type LedgerCheckBody,
  putInState,
} from "./ledger-check.ts";

const KEY = claimOf().key;

const endOf = (state: LedgerEnd["state"], given: Partial<LedgerEnd> = {}): LedgerEnd => ({
  batch: BATCH,
  key: KEY,
  owner: "run-1",
  state,
  ...given,
});

/** Events after which `run-1` no longer owns its claim. */
const overtaken: Readonly<Record<string, (ledger: Ledger) => Promise<unknown>>> = {
  "a confirmation": (ledger) => ledger.confirm("ref-1"),
  "a decision that it was sent": (ledger) => ledger.resolve(BATCH, KEY, "accepted"),
  "a decision that it may be sent again": (ledger) => ledger.resolve(BATCH, KEY, "open"),
  "another run's claim": async (ledger) => {
    await ledger.resolve(BATCH, KEY, "open");
    await ledger.claim(claimOf({ ref: "ref-2", owner: "run-2" }));
  },
};

const lateEnds = Object.entries(overtaken).flatMap(
  ([event, happen]): [string, LedgerCheckBody][] => [
    [
      `settle as anything but accepted changes nothing after ${event}`,
      async (ledger) => {
        await putInState(ledger, "sending");
        await happen(ledger);
        const before = await ledger.find(BATCH, KEY);
        for (const state of ["rejected", "open", "unknown"] as const) {
          await ledger.settle(endOf(state, { code: "late" }));
          await assertEntry(ledger, before, `a late end as ${state}`);
        }
      },
    ],
    [
      `settle as accepted is recorded even after ${event}`,
      async (ledger) => {
        await putInState(ledger, "sending");
        await happen(ledger);
        const before = await ledger.find(BATCH, KEY);
        await ledger.settle(endOf("accepted", { transactionId: "late" }));
        const after = entryOf({ ...before, state: "accepted", transactionId: "late" });
        await assertEntry(ledger, after, "a late end as accepted");
      },
    ],
  ],
);

const IN_DOUBT: readonly LedgerState[] = ["sending", "unknown"];

const decisions = LEDGER_STATES.flatMap((state) =>
  (["accepted", "open"] as const).map((as): [string, LedgerCheckBody] => {
    const isInDoubt = IN_DOUBT.includes(state);
    return [
      `resolve as ${as} of a key that is \`${state}\` ${
        isInDoubt ? "decides it" : "resolves to false and changes nothing"
      }`,
      async (ledger) => {
        const before = await putInState(ledger, state);
        assertEqual(await ledger.resolve(BATCH, KEY, as), isInDoubt, "the result of resolve");
        const decided = { ...before, state: as, code: undefined };
        await assertEntry(ledger, isInDoubt ? decided : before, "resolve");
      },
    ];
  }),
);

const toConfirmed = (before: LedgerEntry): LedgerEntry =>
  before.state === "rejected"
    ? before
    : { transactionId: "from-webhook", ...before, state: "accepted", code: undefined };

const confirmations = LEDGER_STATES.map((state): [string, LedgerCheckBody] => [
  `confirm of a key that is \`${state}\` ${
    state === "rejected" ? "leaves it rejected" : "makes it accepted"
  }, and resolves to its entry`,
  async (ledger) => {
    const expected = toConfirmed(await putInState(ledger, state));
    for (const time of ["first", "second"]) {
      const confirmed = await ledger.confirm("ref-1", { transactionId: "from-webhook" });
      assertEqual(confirmed, expected, `the result of the ${time} confirm`);
    }
    await assertEntry(ledger, expected, "confirm");
  },
]);

export const endChecks: Readonly<Record<string, LedgerCheckBody>> = {
  ...Object.fromEntries(
    LEDGER_STATES.filter((state) => state !== "sending").map((state): [string, LedgerCheckBody] => [
      `settle as ${state} by the owner of the claim is recorded with its details`,
      async (ledger) => assertEntry(ledger, await putInState(ledger, state), "settle"),
    ]),
  ),

  "settle as accepted without an id is recorded": async (ledger) => {
    await putInState(ledger, "sending");
    await ledger.settle(endOf("accepted"));
    await assertEntry(ledger, entryOf({ state: "accepted" }), "settle");
  },

  "settle by another owner changes nothing, unless as accepted": async (ledger) => {
    await putInState(ledger, "sending");
    await ledger.settle(endOf("rejected", { owner: "run-2" }));
    await assertEntry(ledger, entryOf(), "another owner's end");
  },

  "settle under the ref of the claim is recorded": async (ledger) => {
    await putInState(ledger, "sending");
    await ledger.settle(endOf("open", { ref: "ref-1" }));
    await assertEntry(ledger, entryOf({ state: "open" }), "settle");
  },

  "settle of an earlier claim changes nothing in a later one of the same owner, unless as accepted":
    async (ledger) => {
      await putInState(ledger, "sending");
      await ledger.resolve(BATCH, KEY, "open");
      const later = claimOf({ ref: "ref-2" });
      await ledger.claim(later);
      for (const state of ["rejected", "open", "unknown"] as const) {
        await ledger.settle(endOf(state, { ref: "ref-1" }));
        await assertEntry(ledger, entryOf(later), `a late end as ${state}`);
      }
      await ledger.settle(endOf("accepted", { ref: "ref-1" }));
      await assertEntry(ledger, entryOf({ ...later, state: "accepted" }), "a late end as accepted");
    },

  "settle of a key that nobody claimed leaves no entry": async (ledger) => {
    await ledger.settle(endOf("unknown"));
    await assertEntry(ledger, undefined, "settle");
  },

  "settle touches no other key and no other batch": async (ledger) => {
    await putInState(ledger, "sending");
    const others = [{ key: "another key" }, { batch: "another batch" }].map((given, index) =>
      claimOf({ ...given, ref: `other-${index}` }),
    );
    for (const claim of others) await ledger.claim(claim);
    await ledger.settle(endOf("accepted"));
    for (const claim of others) await assertEntry(ledger, entryOf(claim), "another key's end");
  },

  "settle as accepted after another one keeps the first id": async (ledger) => {
    const before = await putInState(ledger, "accepted");
    await ledger.settle(endOf("accepted", { owner: "run-2", transactionId: "second" }));
    await assertEntry(ledger, before, "the second end as accepted");
  },

  ...Object.fromEntries(lateEnds),
  ...Object.fromEntries(decisions),

  "resolve of a key without an entry resolves to false": async (ledger) => {
    assertEqual(await ledger.resolve(BATCH, KEY, "open"), false, "the result of resolve");
    await assertEntry(ledger, undefined, "resolve");
  },

  ...Object.fromEntries(confirmations),

  "confirm without an id makes a key accepted": async (ledger) => {
    await putInState(ledger, "unknown");
    const accepted = entryOf({ state: "accepted" });
    assertEqual(await ledger.confirm("ref-1"), accepted, "the result of confirm");
  },

  "confirm after a decision to send again makes the key accepted": async (ledger) => {
    await putInState(ledger, "unknown");
    await ledger.resolve(BATCH, KEY, "open");
    assertEqual((await ledger.confirm("ref-1"))?.state, "accepted", "the state after confirm");
  },

  "confirm of an unknown ref resolves to undefined": async (ledger) => {
    await putInState(ledger, "sending");
    assertEqual(await ledger.confirm("ref-2"), undefined, "the result of confirm");
    await assertEntry(ledger, entryOf(), "confirm of another ref");
  },

  "confirm of an earlier claim's ref resolves to undefined": async (ledger) => {
    await putInState(ledger, "open");
    await ledger.claim(claimOf({ ref: "ref-2" }));
    assertEqual(await ledger.confirm("ref-1"), undefined, "the result of confirm");
    await assertEntry(ledger, entryOf({ ref: "ref-2" }), "confirm of an earlier ref");
  },
};
