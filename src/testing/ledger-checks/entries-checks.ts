import {
  LEDGER_STATES,
  type Ledger,
  type LedgerClaim,
  type LedgerEntry,
  type LedgerState,
} from "../../bulk/ledgers/ledger.ts";
import {
  assertEntry,
  assertEqual,
  BATCH,
  CHECKED_KEY,
  claimOf,
  entryOf,
  idOf,
  type LedgerCheckBody,
  laterClaim,
  nextMillisecond,
  putInState,
} from "./ledger-check.ts";

/** Number of entries that exceeds the page of any ledger. */
const MANY = 1_200;
const OTHER = "another batch";

const keysOf = async (entries: AsyncIterable<LedgerEntry>): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of entries) keys.push(key);
  return keys;
};

/** Makes many claims, a few at a time: a pool of connections may have a short queue. */
const claimAll = async (ledger: Ledger, claims: readonly LedgerClaim[]): Promise<void> => {
  for (let start = 0; start < claims.length; start += 50) {
    await Promise.all(claims.slice(start, start + 50).map((claim) => ledger.claim(claim)));
  }
};

/** Batches and states of the entries of {@link fill}, oldest first. Their keys are their places. */
const FILLED: readonly (readonly [batch: string, state: LedgerState])[] = [
  [BATCH, "unknown"],
  [OTHER, "sending"],
  [BATCH, "accepted"],
  [BATCH, "sending"],
  [OTHER, "accepted"],
  [BATCH, "rejected"],
  [OTHER, "unknown"],
  [BATCH, "open"],
  [BATCH, "sending"],
];

/**
 * Adds entries in every state to two batches, at different times. They were claimed before, in a different order. Resolves to the time of
 * each claim.
 */
const fill = async (ledger: Ledger): Promise<readonly Date[]> => {
  for (let step = 0; step < FILLED.length; step += 1) {
    const index = (step * 5) % FILLED.length;
    const [batch] = FILLED[index] ?? [BATCH];
    await putInState(ledger, "open", { batch, key: `${index}`, ref: `before-${index}` });
  }
  const times: Date[] = [];
  for (const [index, [batch, state]] of FILLED.entries()) {
    await nextMillisecond();
    const { at } = await putInState(ledger, state, {
      ...{ batch, key: `${index}`, ref: `ref-${index}` },
    });
    times.push(new Date(String(at)));
  }
  return times;
};

const indexesOf = (
  isWanted: (batch: string, state: LedgerState, index: number) => boolean,
): string[] =>
  FILLED.flatMap(([batch, state], index) => (isWanted(batch, state, index) ? [`${index}`] : []));

type Filter = Parameters<Ledger["entries"]>[0];

/** Returns filters of `entries` for entries that were claimed at these times. */
const filtersFor = (times: readonly Date[]): readonly Filter[] => {
  const before = (index: number) => times[index] ?? new Date(Date.UTC(2999, 0));
  return [
    undefined,
    { batch: undefined, states: undefined, before: undefined },
    { batch: BATCH },
    { batch: "no such batch" },
    ...LEDGER_STATES.flatMap((state) => [{ states: [state] }, { batch: BATCH, states: [state] }]),
    { states: ["sending", "unknown"] },
    { batch: BATCH, states: ["sending", "unknown"] },
    { states: LEDGER_STATES },
    { states: [] },
    { before: before(4) },
    { before: before(0) },
    { before: before(FILLED.length) },
    { batch: BATCH, before: before(4) },
    { states: ["unknown", "sending"], before: before(6) },
    { batch: BATCH, states: ["sending"], before: before(5) },
  ];
};

/** Number of claims of one key that are made at once. */
const RIVALS = 40;

/** Checks of what concerns many entries. */
export const entriesChecks: Readonly<Record<string, LedgerCheckBody>> = {
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

  "entries that match a filter are complete, oldest claim first": async (ledger) => {
    assertEqual(await keysOf(ledger.entries()), [], "the list of keys of an empty ledger");
    const times = await fill(ledger);
    for (const filter of filtersFor(times)) {
      const { batch, states, before } = filter ?? {};
      const expected = indexesOf(
        (itsBatch, state, index) =>
          (batch === undefined || batch === itsBatch) &&
          (states === undefined || states.includes(state)) &&
          (before === undefined || Number(times[index]) < before.getTime()),
      );
      const found = await keysOf(ledger.entries(filter));
      assertEqual(found, expected, `the list of keys for ${JSON.stringify(filter ?? {})}`);
    }
    for await (const entry of ledger.entries()) await assertEntry(ledger, entry, "entries");
  },

  "the age of an entry is the time since its latest claim": async (ledger) => {
    const { at: first } = await putInState(ledger, "open");
    await nextMillisecond();
    await ledger.claim(laterClaim());
    const claimed = await ledger.find(BATCH, CHECKED_KEY);
    for (let wait = 0; wait < 20; wait += 1) await nextMillisecond();
    const later = await ledger.find(BATCH, CHECKED_KEY);
    assertEqual(later?.at, claimed?.at, "the time of a claim, later,");
    assertEqual(String(first) < String(later?.at), true, "whether a new claim has a new time");
    const grownMs = Number(later?.ageMs) - Number(claimed?.ageMs);
    assertEqual(grownMs >= 15, true, "whether an entry grows older");
  },

  "an entry that is claimed again is sorted by its new time": async (ledger) => {
    await putInState(ledger, "open");
    await nextMillisecond();
    await putInState(ledger, "unknown", { key: "another", ref: "other" });
    await nextMillisecond();
    await ledger.claim(laterClaim());
    const expected = ["another", claimOf().key];
    assertEqual(await keysOf(ledger.entries({ batch: BATCH })), expected, "the list of keys");
    const inDoubt = await keysOf(ledger.entries({ states: ["sending", "unknown"] }));
    assertEqual(inDoubt, expected, "the list of keys in doubt");
  },

  "entries of a large batch appear once each, in the order of their times, and are forgotten":
    async (ledger) => {
      const keys = Array.from({ length: MANY }, (_, index) => `key-${index}`);
      await claimAll(
        ledger,
        keys.map((key) => claimOf({ key, ref: `ref-${key}` })),
      );
      for (const filter of [{ batch: BATCH }, { states: ["sending"] as const }, {}]) {
        const found: LedgerEntry[] = [];
        for await (const entry of ledger.entries(filter)) found.push(entry);
        const subject = `for ${JSON.stringify(filter)}`;
        const times = found.map(({ at }) => at);
        assertEqual(times, [...times].sort(), `the list of times ${subject}`);
        assertEqual(found.map(({ key }) => key).sort(), keys.sort(), `the list of keys ${subject}`);
      }
      assertEqual((await ledger.counts(BATCH)).sending, MANY, "the count of `sending`");
      assertEqual(await ledger.forget({ batch: BATCH }), MANY, "the number of forgotten entries");
      assertEqual((await ledger.counts(BATCH)).sending, 0, "the count of `sending`, forgotten");
    },

  "entries can be decided while they are iterated, and left early": async (ledger) => {
    for (const key of ["a", "b", "c"]) await ledger.claim(claimOf({ key, ref: `ref-${key}` }));
    const entries = ledger.entries({ states: ["sending"] });
    for await (const { key } of entries) await ledger.resolve(BATCH, key, "accepted");
    assertEqual((await ledger.counts(BATCH)).accepted, 3, "the count of `accepted`");
    for await (const _ of ledger.entries({ batch: BATCH })) break;
    assertEqual(await ledger.resolve(BATCH, "a", "open"), false, "a call after the loop was left");
  },

  "counts are numbers of entries of the batch by state, 0 for each without entries": async (
    ledger,
  ) => {
    const zeros = Object.fromEntries(LEDGER_STATES.map((state) => [state, 0]));
    assertEqual(await ledger.counts(BATCH), zeros, "the counts of an empty batch");
    await fill(ledger);
    const expected = { sending: 2, accepted: 1, rejected: 1, open: 1, unknown: 1 };
    assertEqual(await ledger.counts(BATCH), expected, "the counts");
  },

  "forget deletes the batch with its refs, and no other batch": async (ledger) => {
    await fill(ledger);
    assertEqual(await ledger.forget({ batch: BATCH, before: undefined }), 6, "the number");
    const others = indexesOf((batch) => batch === OTHER);
    assertEqual(await keysOf(ledger.entries()), others, "the list of keys");
    assertEqual(await ledger.confirm(idOf("ref-0")), undefined, "confirm of a forgotten ref");
    assertEqual(await ledger.find(BATCH, "0"), undefined, "a forgotten entry");
    assertEqual(await ledger.forget({ batch: BATCH }), 0, "the number of the second time");
    assertEqual(await keysOf(ledger.entries()), others, "the list of keys after the second time");
  },

  "forget with a time deletes entries of any state that were claimed before it": async (ledger) => {
    const before = (await fill(ledger))[5];
    assertEqual(await ledger.forget({ batch: BATCH, before }), 3, "the number");
    const rest = indexesOf((batch, _, index) => batch === OTHER || index >= 5);
    assertEqual(await keysOf(ledger.entries()), rest, "the list of keys");
  },

  "a forgotten key can be claimed again": async (ledger) => {
    await putInState(ledger, "accepted");
    await ledger.forget({ batch: BATCH });
    const second = laterClaim();
    assertEqual(await ledger.claim(second), undefined, "the claim");
    await assertEntry(ledger, entryOf(second), "the claim");
  },

  "close can be called twice": async (ledger) => {
    await putInState(ledger, "sending");
    await ledger.close();
    await ledger.close();
  },
};
