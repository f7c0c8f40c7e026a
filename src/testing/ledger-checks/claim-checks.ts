import { LEDGER_STATES, type LedgerClaim } from "../../bulk/ledgers/ledger.ts";
import {
  assertEntry,
  assertEqual,
  BATCH,
  claimOf,
  entryOf,
  FIRST,
  type LedgerCheckBody,
  laterClaim,
  putInState,
} from "./ledger-check.ts";

/** Later claims of a key that has an entry, named by what they have in common with the entry. */
const CLAIMS = {
  "a different message": laterClaim(),
  "the same message": laterClaim({ digest: FIRST.digest }),
  "a different message, by the same run": laterClaim({ owner: FIRST.owner }),
  "the same message, by the same run": laterClaim({ owner: FIRST.owner, digest: FIRST.digest }),
  "a different message, under the same ref": laterClaim({ ref: FIRST.ref, owner: FIRST.owner }),
  "the same message, under the same ref": claimOf({ id: "id-2" }),
} satisfies Record<string, LedgerClaim>;

/** Returns whether a claim takes a key in a state, according to the table of claims. */
const isTaken = (state: (typeof LEDGER_STATES)[number], { digest, ref }: LedgerClaim): boolean => {
  if (state === "open") return true;
  if (state === "rejected") return digest !== FIRST.digest;
  return state === "sending" && ref === FIRST.ref;
};

const claimsOfEachState = LEDGER_STATES.flatMap((state) =>
  Object.entries(CLAIMS).map(([message, claim]): [string, LedgerCheckBody] => {
    const taken = isTaken(state, claim);
    const effect = taken ? "takes the key" : "returns the key's entry and changes nothing";
    return [
      `claim of a key that is \`${state}\`, for ${message}, ${effect}`,
      async (ledger) => {
        const before = await putInState(ledger, state);
        assertEqual(
          await ledger.claim(claim),
          taken ? undefined : before,
          "the result of the claim",
        );
        await assertEntry(ledger, taken ? entryOf(claim) : before, "the claim");
      },
    ];
  }),
);

/** Number of claims of one key that are made at once. */
const RIVALS = 40;

export const claimChecks: Readonly<Record<string, LedgerCheckBody>> = {
  "find of a key that was never claimed is undefined": (ledger) =>
    assertEntry(ledger, undefined, "nothing"),

  "claim of a new key takes it, and find returns the claim": async (ledger) => {
    assertEqual(await ledger.claim(claimOf()), undefined, "the claim of a new key");
    await assertEntry(ledger, entryOf(), "the claim");
  },

  ...Object.fromEntries(claimsOfEachState),

  "claim of a key that was accepted by a webhook returns its entry": async (ledger) => {
    await putInState(ledger, "open");
    const confirmed = await ledger.confirm(FIRST.ref);
    assertEqual(await ledger.claim(claimOf({ id: "id-2" })), confirmed, "the result of the claim");
  },

  "claim of the same key in another batch takes it": async (ledger) => {
    const before = await putInState(ledger, "accepted");
    const elsewhere = laterClaim({ batch: "another batch" });
    assertEqual(await ledger.claim(elsewhere), undefined, "the claim in another batch");
    await assertEntry(ledger, before, "a claim in another batch");
    await assertEntry(ledger, entryOf(elsewhere), "the claim");
  },

  "one of many simultaneous claims of a key takes it, and the others get its entry": async (
    ledger,
  ) => {
    const claims = Array.from({ length: RIVALS }, (_, index) =>
      claimOf({ id: `id-${index}`, ref: `ref-${index}`, owner: `run-${index}` }),
    );
    const found = await Promise.all(claims.map((claim) => ledger.claim(claim)));
    const winners = claims.filter((_, index) => found[index] === undefined);
    assertEqual(winners.length, 1, "the number of claims that took the key");
    await assertEntry(ledger, entryOf(winners[0]), "the claims");
    const refs = new Set(found.map((entry) => entry?.ref ?? winners[0]?.ref));
    assertEqual([...refs], [winners[0]?.ref], "the list of refs that the claims returned");
  },

  "simultaneous claims of many keys each take their own key": async (ledger) => {
    const claims = Array.from({ length: RIVALS }, (_, index) =>
      claimOf({ key: `key-${index}`, ref: `ref-${index}` }),
    );
    const found = await Promise.all(claims.map((claim) => ledger.claim(claim)));
    assertEqual(found.filter(Boolean).length, 0, "the number of claims that were refused");
    assertEqual((await ledger.counts(BATCH)).sending, RIVALS, "the count of `sending`");
  },

  "keys and batches are kept exactly": async (ledger) => {
    const keys = [
      ...["a", "A", "a ", "é", "e\u0301", "🎉", "%", "_", "'\"`;--", "?", "$1"],
      // With the name of its batch, which has six bytes more, the last key is the longest.
      ...["x".repeat(1_018), `${"x".repeat(1_017)}y`],
    ];
    for (const [index, key] of keys.entries()) {
      const claim = claimOf({ key, batch: `batch ${key}`, ref: `ref-${index}` });
      assertEqual(await ledger.claim(claim), undefined, `the claim of ${JSON.stringify(key)}`);
      assertEqual(
        await ledger.claim(claimOf({ key, ref: `shared-ref-${index}` })),
        undefined,
        `the claim of ${JSON.stringify(key)} in the shared batch`,
      );
      await assertEntry(ledger, entryOf(claim), "the claim");
    }
    const { sending } = await ledger.counts(BATCH);
    assertEqual(sending, keys.length, "the count of keys that differ");
  },
};
