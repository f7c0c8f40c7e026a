// The checks of the two tables in the documentation of `Ledger`.
import {
  LEDGER_STATES,
  type LedgerClaim,
  type LedgerResult,
  type LedgerState,
} from "../../bulk/ledgers/ledger.ts";
import { BATCH, CHECKED_KEY, claimOf, type Step } from "./comparison.ts";

/** The claim that most checks start with. */
export const FIRST = claimOf();
/** Claim that differs from the first in everything but its batch and key, unless fields are given. */
export const laterClaim = (given: Partial<LedgerClaim> = {}): LedgerClaim =>
  claimOf({ id: "id-2", digest: "d2", ref: "ref-2", owner: "run-2", ...given });
/** Claim for the next attempt of the same item, which differs from the first claim only in its id. */
const NEXT = claimOf({ id: "id-2" });

const RESULT_STATES = LEDGER_STATES.filter((state) => state !== "sending");
const DECISIONS = ["accepted", "open"] as const;

/** Result for each state, with the details that a run records. */
const RESULTS: Readonly<Record<LedgerResult["state"], LedgerResult>> = {
  accepted: { state: "accepted", transactionId: "transaction-1" },
  rejected: { state: "rejected", code: "validation" },
  open: { state: "open", code: "rate_limit" },
  unknown: { state: "unknown", code: "timeout" },
};

export const claim = (made: LedgerClaim = FIRST): Step => [
  "the claim",
  (ledger) => ledger.claim(made),
];
const settle = (result: LedgerResult, made = FIRST): Step => [
  `settle as ${result.state}`,
  (ledger) => ledger.settle(made, result),
];
const resolve = (as: (typeof DECISIONS)[number], { id }: Partial<LedgerClaim> = {}): Step => [
  `resolve as ${as}`,
  (ledger) => ledger.resolve(BATCH, CHECKED_KEY, as, id),
];
const confirm = (transactionId?: string, { ref } = FIRST): Step => [
  "confirm",
  (ledger) => ledger.confirm(ref, transactionId === undefined ? undefined : { transactionId }),
];

/** Returns the steps that bring a key into a state: a claim, and its result. */
export const toState = (state: LedgerState, made: LedgerClaim = FIRST): readonly Step[] =>
  state === "sending" ? [claim(made)] : [claim(made), settle(RESULTS[state], made)];

/** Late result of the first claim. Its details must not replace the details that the ledger has. */
const late = (state: LedgerResult["state"]): Step =>
  settle(state === "accepted" ? { state, transactionId: "late" } : { state, code: "connection" });

/** Later claims of a key that has an entry, named by their similarity to the entry. */
const CLAIMS = {
  "a different message": laterClaim(),
  "the same message": laterClaim({ digest: FIRST.digest }),
  "a different message, by the same run": laterClaim({ owner: FIRST.owner }),
  "the same message, by the same run": laterClaim({ owner: FIRST.owner, digest: FIRST.digest }),
  "a different message, under the same ref": laterClaim({ ref: FIRST.ref, owner: FIRST.owner }),
  "the same message, under the same ref": NEXT,
} satisfies Record<string, LedgerClaim>;

/** Events after which the ledger no longer considers the first claim to be on the wire. */
const DECIDED_BY: Readonly<Record<string, Step>> = {
  "a webhook": confirm("from-webhook"),
  "a person who decided that it was sent": resolve("accepted"),
  "a person who decided that it may be sent again": resolve("open"),
  "its own result as rejected": settle(RESULTS.rejected),
  "its own result as unknown": settle(RESULTS.unknown),
};

/** Claims of the key after the first claim, each with the steps that make it possible. */
const LATER: Readonly<Record<string, readonly [LedgerClaim, ...Step[]]>> = {
  "the next attempt of the same item": [NEXT],
  "another item of the same run": [laterClaim({ owner: FIRST.owner }), resolve("open")],
  "another run": [laterClaim(), resolve("open")],
};

type Check = readonly [name: string, steps: readonly Step[]];

const checksOfClaims = LEDGER_STATES.flatMap((state) =>
  Object.entries(CLAIMS).map(
    ([message, made]): Check => [
      `claim of a key that is \`${state}\`, for ${message}, follows the table`,
      [...toState(state), claim(made)],
    ],
  ),
);

const checksOfSettles = RESULT_STATES.flatMap((state): Check[] => [
  [
    `settle as ${state} of a claim on the wire is recorded with its details, and a second time resolves to true`,
    [...toState(state), settle(RESULTS[state])],
  ],
  [
    `settle as ${state} of a claim that was lost ${state === "accepted" || state === "unknown" ? "writes its entry again" : "leaves no entry"}`,
    [settle(RESULTS[state])],
  ],
  ...Object.entries(DECIDED_BY).map(
    ([event, decide]): Check => [
      `settle as ${state} of a key that was decided by ${event} follows the table`,
      [claim(), decide, late(state)],
    ],
  ),
  ...Object.entries(LATER).flatMap(([who, [made, ...steps]]) =>
    LEDGER_STATES.map(
      (now): Check => [
        `settle as ${state} of an earlier claim, after ${who} has claimed the key and left it \`${now}\`, follows the table`,
        [claim(), ...steps, ...toState(now, made), late(state)],
      ],
    ),
  ),
]);

const checksOfDecisions = LEDGER_STATES.flatMap((state): Check[] => [
  ...DECISIONS.map(
    (as): Check => [
      `resolve as ${as} of a key that is \`${state}\` follows the table`,
      [...toState(state), resolve(as)],
    ],
  ),
  ...DECISIONS.map(
    (as): Check => [
      `resolve as ${as} with an id of a key that is \`${state}\` decides about that claim, and not about an earlier claim`,
      [claim(), ...toState(state, NEXT), resolve(as, FIRST), resolve(as, NEXT)],
    ],
  ),
  [
    `confirm of a key that is \`${state}\` follows the table, even the second time, and resolves to its entry`,
    [...toState(state), confirm("from-webhook"), confirm("from another webhook")],
  ],
]);

const OTHERS = [{ key: "another" }, { batch: "another" }].map((place, index) =>
  claimOf({ ...place, ref: `other-${index}` }),
);

export const stepChecks: Readonly<Record<string, readonly Step[]>> = {
  "find of a key that was never claimed is undefined": [
    ["find", (ledger) => ledger.find(BATCH, CHECKED_KEY)],
  ],
  "claim of a new key takes it, and find returns the claim": [claim()],
  ...Object.fromEntries([...checksOfClaims, ...checksOfSettles, ...checksOfDecisions]),
  "settle without details is recorded": [claim(), settle({ state: "accepted" })],
  "settle as accepted adds the id to a key that was accepted without one": [
    ...toState("unknown"),
    confirm(),
    settle(RESULTS.accepted),
  ],
  "settle as accepted of an earlier claim also adds the id": [
    ...toState("open"),
    ...toState("unknown", laterClaim()),
    confirm(undefined, laterClaim()),
    settle(RESULTS.accepted),
  ],
  "resolve of a key without an entry resolves to false": DECISIONS.map((as) => resolve(as)),
  "confirm without an id makes a key accepted, and a later confirm adds no id": [
    ...toState("unknown"),
    confirm(),
    confirm("from-webhook"),
  ],
  "confirm of an unknown ref, or of an earlier claim's, resolves to undefined": [
    ...toState("open"),
    claim(laterClaim()),
    confirm(),
    confirm(undefined, claimOf({ ref: "unknown" })),
  ],
  "confirm finds the ref of a claim that was written again": [
    settle({ state: "unknown" }),
    confirm(),
  ],
  "settle, resolve and confirm touch no other key and no other batch": [
    claim(),
    ...OTHERS.map(claim),
    settle(RESULTS.unknown),
    resolve("open"),
    confirm(),
    settle(RESULTS.accepted),
  ],
};
