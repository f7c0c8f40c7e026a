import { LEDGER_STATES } from "../../bulk/ledger.ts";
import {
  assertEntry,
  assertEqual,
  BATCH,
  claimOf,
  entryOf,
  type LedgerCheckBody,
  putInState,
} from "./ledger-check.ts";

/** A claim that differs from the usual one in everything but its key. */
const another = {
  digest: "digest-2",
  ref: "ref-2",
  owner: "run-2",
  at: "2026-11-22T09:00:00.000Z",
};

/** Whether a key in a state can be claimed, for the same message and for another one. */
const IS_FREE = {
  sending: { same: false, changed: false },
  accepted: { same: false, changed: false },
  rejected: { same: false, changed: true },
  open: { same: true, changed: true },
  unknown: { same: false, changed: false },
} as const;

const claimsOfEachState = LEDGER_STATES.flatMap((state) =>
  (["same", "changed"] as const).map((message): [string, LedgerCheckBody] => {
    const isFree = IS_FREE[state][message];
    const name = `claim of a key that is \`${state}\`, for ${message === "same" ? "the same" : "another"} message, ${
      isFree ? "takes the key" : "returns the entry in the way and changes nothing"
    }`;
    return [
      name,
      async (ledger) => {
        const before = await putInState(ledger, state);
        const claim = claimOf(message === "same" ? { ...another, digest: before.digest } : another);
        const found = await ledger.claim(claim);
        assertEqual(found, isFree ? undefined : before, "the result of the claim");
        await assertEntry(ledger, isFree ? entryOf(claim) : before, "the claim");
      },
    ];
  }),
);

/** Number of claims of one key that are made at once. */
const RIVALS = 40;

export const claimChecks: Readonly<Record<string, LedgerCheckBody>> = {
  "find of a key that was never claimed is undefined": (ledger) =>
    assertEntry(ledger, undefined, "nothing"),

  "claim of a new key takes it, and find returns what was claimed": async (ledger) => {
    assertEqual(await ledger.claim(claimOf()), undefined, "the claim of a new key");
    await assertEntry(ledger, entryOf(), "the claim");
  },

  ...Object.fromEntries(claimsOfEachState),

  "claim of a key that is `sending` under the same ref takes it again": async (ledger) => {
    await putInState(ledger, "sending");
    const repeat = claimOf({ at: another.at });
    assertEqual(await ledger.claim(repeat), undefined, "the repeated claim");
    await assertEntry(ledger, entryOf(repeat), "the repeated claim");
  },

  "claim under the same ref does not take a key that a webhook has confirmed": async (ledger) => {
    await putInState(ledger, "open");
    const confirmed = await ledger.confirm("ref-1");
    assertEqual(await ledger.claim(claimOf()), confirmed, "the result of the claim");
  },

  "claim of the same key in another batch takes it": async (ledger) => {
    const before = await putInState(ledger, "accepted");
    const elsewhere = claimOf({ ...another, batch: "another batch" });
    assertEqual(await ledger.claim(elsewhere), undefined, "the claim in another batch");
    await assertEntry(ledger, before, "a claim in another batch");
    await assertEntry(ledger, entryOf(elsewhere), "the claim");
  },

  "of many claims of one key at once, one takes it, and the others get its entry": async (
    ledger,
  ) => {
    const claims = Array.from({ length: RIVALS }, (_, index) =>
      claimOf({ ref: `ref-${index}`, owner: `run-${index}` }),
    );
    const found = await Promise.all(claims.map((claim) => ledger.claim(claim)));
    const winners = claims.filter((_, index) => found[index] === undefined);
    assertEqual(winners.length, 1, "the number of claims that took the key");
    await assertEntry(ledger, entryOf(winners[0]), "the claims");
    const refs = new Set(found.map((entry) => entry?.ref ?? winners[0]?.ref));
    assertEqual([...refs], [winners[0]?.ref], "the list of refs in the way");
  },

  "claims of many keys at once each take their own": async (ledger) => {
    const claims = Array.from({ length: RIVALS }, (_, index) =>
      claimOf({ key: `key-${index}`, ref: `ref-${index}` }),
    );
    const found = await Promise.all(claims.map((claim) => ledger.claim(claim)));
    assertEqual(found.filter(Boolean).length, 0, "the number of claims that were refused");
    assertEqual((await ledger.counts(BATCH)).sending, RIVALS, "the count of `sending`");
  },

  "keys, batches and refs are kept to the letter": async (ledger) => {
    const keys = [
      "a",
      "A",
      "a ",
      "é",
      "e\u0301",
      "🎉",
      "%",
      "_",
      "'\"`;--",
      "?",
      "$1",
      "x".repeat(1_000),
    ];
    for (const [index, key] of keys.entries()) {
      const claim = claimOf({ key, batch: `batch ${key}`, ref: `ref-${index}`, owner: key });
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
