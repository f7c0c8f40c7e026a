// The checks of the two tables in the documentation of `Ledger`.
import {
  LEDGER_STATES,
  type Ledger,
  type LedgerClaim,
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

const RESULT_STATES = LEDGER_STATES.filter((state) => state !== "sending");
const DECISIONS = ["accepted", "open"] as const;
const NOTHING = "returns the key's entry and changes nothing";

/** Waits for a step, and checks its result and the entry that it leaves. */
const assertStep = async (
  ledger: Ledger,
  name: string,
  step: Promise<unknown>,
  { result, after }: { readonly result: unknown; readonly after: ExpectedEntry | undefined },
): Promise<void> => {
  assertEqual(await step, result, `the result of ${name}`);
  await assertEntry(ledger, after, name);
};

/** Later claims of a key that has an entry, named by what they have in common with the entry. */
const CLAIMS = {
  "a different message": laterClaim(),
  "the same message": laterClaim({ digest: FIRST.digest }),
  "a different message, by the same run": laterClaim({ owner: FIRST.owner }),
  "the same message, by the same run": laterClaim({ owner: FIRST.owner, digest: FIRST.digest }),
  "a different message, under the same ref": laterClaim({ ref: FIRST.ref, owner: FIRST.owner }),
  "the same message, under the same ref": claimOf({ id: "id-2" }),
} satisfies Record<string, LedgerClaim>;

/** Returns whether a claim takes a key in a state. */
const isTaken = (state: LedgerState, { digest, ref }: LedgerClaim): boolean => {
  if (state === "open") return true;
  if (state === "rejected") return digest !== FIRST.digest;
  return state === "sending" && ref === FIRST.ref;
};

const claims = LEDGER_STATES.flatMap((state) =>
  Object.entries(CLAIMS).map(([message, claim]): [string, LedgerCheckBody] => {
    const taken = isTaken(state, claim);
    return [
      `claim of a key that is \`${state}\`, for ${message}, ${taken ? "takes the key" : NOTHING}`,
      async (ledger) => {
        const before = await putInState(ledger, state);
        await assertStep(ledger, "the claim", ledger.claim(claim), {
          result: taken ? undefined : before,
          after: taken ? entryOf(claim) : before,
        });
      },
    ];
  }),
);

/** Settles the first claim late, with details that must not replace those that the ledger has. */
const settleLate = async (
  ledger: Ledger,
  before: ExpectedEntry,
  state: LedgerResult["state"],
): Promise<void> => {
  const isAccepted = state === "accepted";
  const { transactionId = "late" } = before;
  const details = isAccepted ? { transactionId: "late" } : { code: "connection" };
  await assertStep(ledger, `settle as ${state}`, ledger.settle(FIRST, { state, ...details }), {
    result: isAccepted || (before.id === FIRST.id && before.state === state),
    after: isAccepted ? entryOf({ ...before, state, transactionId, code: undefined }) : before,
  });
};

/** Events after which the first claim is no longer on the wire, as far as the ledger knows. */
const DECIDED_BY: Readonly<Record<string, (ledger: Ledger) => Promise<unknown>>> = {
  "a webhook": (ledger) => ledger.confirm(FIRST.ref, { transactionId: "from-webhook" }),
  "a person who decided that it was sent": (ledger) =>
    ledger.resolve(BATCH, CHECKED_KEY, "accepted"),
  "a person who decided that it may be sent again": (ledger) =>
    ledger.resolve(BATCH, CHECKED_KEY, "open"),
  "its own result as rejected": (ledger) => ledger.settle(FIRST, RESULTS.rejected),
  "its own result as unknown": (ledger) => ledger.settle(FIRST, RESULTS.unknown),
};

/** Later claims of the key, under the same ref (the next attempt of a removal) and by another run. */
const LATER = {
  "the next attempt of the same item": claimOf({ id: "id-2" }),
  "another item of the same run": laterClaim({ owner: FIRST.owner }),
  "another run": laterClaim(),
};

const settles = RESULT_STATES.flatMap((state): [string, LedgerCheckBody][] => {
  const isRecorded = state === "accepted";
  const isRestored = isRecorded || state === "unknown";
  return [
    [
      `settle as ${state} of a claim on the wire is recorded with its details, and a second time resolves to true`,
      async (ledger) => {
        const before = await putInState(ledger, state);
        const settling = ledger.settle(FIRST, RESULTS[state]);
        await assertStep(ledger, "the second settle", settling, { result: true, after: before });
      },
    ],
    [
      `settle as ${state} of a claim that was lost ${isRestored ? "writes its entry again" : "leaves no entry"}`,
      (ledger) =>
        assertStep(ledger, "settle", ledger.settle(FIRST, RESULTS[state]), {
          result: isRestored,
          after: isRestored ? entryOf(RESULTS[state]) : undefined,
        }),
    ],
    ...Object.entries(DECIDED_BY).map(([event, decide]): [string, LedgerCheckBody] => [
      `settle as ${state} of a key that was decided by ${event} ${
        isRecorded ? "is recorded" : "changes nothing, and resolves to whether the ledger holds it"
      }`,
      async (ledger) => {
        await putInState(ledger, "sending");
        await decide(ledger);
        await settleLate(ledger, entryOf(await ledger.find(BATCH, CHECKED_KEY)), state);
      },
    ]),
    ...Object.entries(LATER).flatMap(([who, later]) =>
      LEDGER_STATES.map((now): [string, LedgerCheckBody] => [
        `settle as ${state} of an earlier claim, after ${who} has claimed the key and left it \`${now}\`, ${
          isRecorded ? "is recorded" : "changes nothing and resolves to false"
        }`,
        async (ledger) => {
          await putInState(ledger, "sending");
          if (later.ref !== FIRST.ref) await ledger.resolve(BATCH, CHECKED_KEY, "open");
          await settleLate(ledger, await putInState(ledger, now, later), state);
        },
      ]),
    ),
  ];
});

/** States that a person can decide. */
const DECIDABLE: Readonly<Record<"accepted" | "open", readonly LedgerState[]>> = {
  accepted: ["sending", "unknown"],
  open: ["sending", "unknown", "rejected"],
};

const decisions = DECISIONS.flatMap((as) =>
  LEDGER_STATES.map((state): [string, LedgerCheckBody] => {
    const decides = DECIDABLE[as].includes(state);
    const effect = decides ? "decides it" : "resolves to false and changes nothing";
    return [
      `resolve as ${as} of a key that is \`${state}\` ${effect}`,
      async (ledger) => {
        const before = await putInState(ledger, state);
        const decided = entryOf({ ...before, state: as, code: undefined });
        await assertStep(ledger, "resolve", ledger.resolve(BATCH, CHECKED_KEY, as), {
          result: decides,
          after: decides ? decided : before,
        });
      },
    ];
  }),
);

const confirmations = LEDGER_STATES.map((state): [string, LedgerCheckBody] => {
  const isFinal = state === "rejected" || state === "accepted";
  return [
    `confirm of a key that is \`${state}\` ${isFinal ? "changes nothing" : "makes it accepted"}, and resolves to its entry`,
    async (ledger) => {
      const before = await putInState(ledger, state);
      const confirmed = {
        state: "accepted",
        transactionId: "from-webhook",
        code: undefined,
      } as const;
      const after = isFinal ? before : entryOf({ ...before, ...confirmed });
      for (const transactionId of ["from-webhook", "from another webhook"]) {
        const step = ledger.confirm(FIRST.ref, { transactionId });
        await assertStep(ledger, "confirm", step, { result: after, after });
      }
    },
  ];
});

export const stepChecks: Readonly<Record<string, LedgerCheckBody>> = {
  "find of a key that was never claimed is undefined": (ledger) =>
    assertEntry(ledger, undefined, "nothing"),

  "claim of a new key takes it, and find returns the claim": (ledger) =>
    assertStep(ledger, "the claim", ledger.claim(FIRST), { result: undefined, after: entryOf() }),

  ...Object.fromEntries([...claims, ...settles, ...decisions, ...confirmations]),

  "settle without details is recorded": async (ledger) => {
    await putInState(ledger, "sending");
    const after = entryOf({ state: "accepted" });
    const settling = ledger.settle(FIRST, { state: "accepted" });
    await assertStep(ledger, "settle", settling, { result: true, after });
  },

  "settle as accepted adds the id to a key that was accepted without one": async (ledger) => {
    await putInState(ledger, "unknown");
    await ledger.confirm(FIRST.ref);
    const after = entryOf(RESULTS.accepted);
    const settling = ledger.settle(FIRST, RESULTS.accepted);
    await assertStep(ledger, "settle", settling, { result: true, after });
  },

  "settle as accepted of an earlier claim adds the id, too": async (ledger) => {
    await putInState(ledger, "open");
    await putInState(ledger, "unknown", laterClaim());
    await ledger.confirm(laterClaim().ref);
    const after = entryOf({ ...laterClaim(), ...RESULTS.accepted });
    const settling = ledger.settle(FIRST, RESULTS.accepted);
    await assertStep(ledger, "settle", settling, { result: true, after });
  },

  "resolve of a key without an entry resolves to false": async (ledger) => {
    for (const as of DECISIONS) {
      const resolving = ledger.resolve(BATCH, CHECKED_KEY, as);
      await assertStep(ledger, "resolve", resolving, { result: false, after: undefined });
    }
  },

  "confirm without an id makes a key accepted": async (ledger) => {
    await putInState(ledger, "unknown");
    const after = entryOf({ state: "accepted" });
    await assertStep(ledger, "confirm", ledger.confirm(FIRST.ref), { result: after, after });
  },

  "confirm of an unknown ref, or of an earlier claim's, resolves to undefined": async (ledger) => {
    await putInState(ledger, "open");
    await ledger.claim(laterClaim());
    for (const { ref } of [FIRST, claimOf({ ref: "unknown" })]) {
      const after = entryOf(laterClaim());
      await assertStep(ledger, "confirm", ledger.confirm(ref), { result: undefined, after });
    }
  },

  "confirm finds the ref of a claim that was written again": async (ledger) => {
    await ledger.settle(FIRST, { state: "unknown" });
    const after = entryOf({ state: "accepted" });
    await assertStep(ledger, "confirm", ledger.confirm(FIRST.ref), { result: after, after });
  },

  "settle, resolve and confirm touch no other key and no other batch": async (ledger) => {
    await putInState(ledger, "sending");
    const others: ExpectedEntry[] = [];
    for (const [index, place] of [{ key: "another" }, { batch: "another" }].entries()) {
      others.push(await putInState(ledger, "sending", { ...place, ref: `other-${index}` }));
    }
    for (const step of [
      () => ledger.settle(FIRST, RESULTS.unknown),
      () => ledger.resolve(BATCH, CHECKED_KEY, "open"),
      () => ledger.confirm(FIRST.ref),
      () => ledger.settle(FIRST, RESULTS.accepted),
    ]) {
      await step();
      for (const other of others) await assertEntry(ledger, other, "a step of another key");
    }
  },
};
