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

const manyKeys = (): string[] => Array.from({ length: MANY }, (_, index) => `key-${index}`);

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

type Filter = NonNullable<Parameters<Ledger["entries"]>[0]>;

/** Returns filters of `entries` for entries that were claimed at these times. */
const filtersFor = (times: readonly Date[]): readonly Filter[] => {
  const before = (index: number) => times[index] ?? new Date(Date.UTC(2999, 0));
  return [
    {},
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

export const entriesChecks: Readonly<Record<string, LedgerCheckBody>> = {
  "an empty ledger has no entries": async (ledger) => {
    assertEqual(await keysOf(ledger.entries()), [], "the list of keys");
  },

  "entries without an argument are the entries of every batch": async (ledger) => {
    await fill(ledger);
    assertEqual(
      await keysOf(ledger.entries()),
      indexesOf(() => true),
      "the list of keys",
    );
  },

  "entries that match a filter are complete, oldest claim first": async (ledger) => {
    const times = await fill(ledger);
    for (const filter of filtersFor(times)) {
      const { batch, states, before } = filter;
      const expected = indexesOf(
        (itsBatch, state, index) =>
          (batch === undefined || batch === itsBatch) &&
          (states === undefined || states.includes(state)) &&
          (before === undefined || Number(times[index]) < before.getTime()),
      );
      const found = await keysOf(ledger.entries(filter));
      assertEqual(found, expected, `the list of keys for ${JSON.stringify(filter)}`);
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

  "entries of a large batch appear once each, in the order of their times": async (ledger) => {
    const keys = manyKeys();
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
  },

  "entries can be decided while they are iterated, and left early": async (ledger) => {
    for (const key of ["a", "b", "c"]) await ledger.claim(claimOf({ key, ref: `ref-${key}` }));
    const entries = ledger.entries({ states: ["sending"] });
    for await (const { key } of entries) await ledger.resolve(BATCH, key, "accepted");
    assertEqual((await ledger.counts(BATCH)).accepted, 3, "the count of `accepted`");
    for await (const _ of ledger.entries({ batch: BATCH })) break;
    assertEqual(await ledger.resolve(BATCH, "a", "open"), false, "a call after the loop was left");
  },

  "counts of an empty batch are 0 for each state": async (ledger) => {
    const zeros = Object.fromEntries(LEDGER_STATES.map((state) => [state, 0]));
    assertEqual(await ledger.counts(BATCH), zeros, "the counts");
  },

  "counts are numbers of entries of the batch by state": async (ledger) => {
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
  },

  "forget with a time deletes entries of any state that were claimed before it": async (ledger) => {
    const before = (await fill(ledger))[5];
    assertEqual(await ledger.forget({ batch: BATCH, before }), 3, "the number");
    const rest = indexesOf((batch, _, index) => batch === OTHER || index >= 5);
    assertEqual(await keysOf(ledger.entries()), rest, "the list of keys");
    assertEqual(await ledger.forget({ batch: BATCH, before }), 0, "the number of the second time");
  },

  "forget deletes a large batch": async (ledger) => {
    await claimAll(
      ledger,
      manyKeys().map((key) => claimOf({ key, ref: `ref-${key}` })),
    );
    assertEqual(await ledger.forget({ batch: BATCH }), MANY, "the number");
    assertEqual((await ledger.counts(BATCH)).sending, 0, "the count of `sending`");
  },

  "a forgotten key can be claimed again": async (ledger) => {
    await putInState(ledger, "accepted");
    await ledger.forget({ batch: BATCH });
    const second = laterClaim();
    assertEqual(await ledger.claim(second), undefined, "the claim");
    await assertEntry(ledger, entryOf(second), "the claim");
  },

  "forget of an unknown batch resolves to 0": async (ledger) => {
    const before = await putInState(ledger, "unknown");
    assertEqual(await ledger.forget({ batch: OTHER }), 0, "the number");
    await assertEntry(ledger, before, "forget of another batch");
  },

  "close can be called twice": async (ledger) => {
    await putInState(ledger, "sending");
    await ledger.close();
    await ledger.close();
  },
};
