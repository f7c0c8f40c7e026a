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
  claimOf,
  entryOf,
  idOf,
  type LedgerCheckBody,
  laterClaim,
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

/** Returns the n-th hour of a day. */
const hour = (n: number): string => new Date(Date.UTC(2026, 10, 21, n)).toISOString();

/** Batches and states of the entries of {@link fill}, oldest first. Their keys are the hours of their claims. */
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

/** Adds entries in every state to two batches, not in the order of their times. */
const fill = async (ledger: Ledger): Promise<void> => {
  for (let step = 0; step < FILLED.length; step += 1) {
    const index = (step * 5) % FILLED.length;
    const [batch, state] = FILLED[index] ?? [BATCH, "open"];
    await putInState(ledger, state, {
      ...{ batch, key: `${index}`, ref: `ref-${index}`, at: hour(index) },
    });
  }
};

const indexesOf = (
  isWanted: (batch: string, state: LedgerState, index: number) => boolean,
): string[] =>
  FILLED.flatMap(([batch, state], index) => (isWanted(batch, state, index) ? [`${index}`] : []));

type Filter = NonNullable<Parameters<Ledger["entries"]>[0]>;

/** Filters of `entries`, by their names in titles. */
const ENTRY_FILTERS: Readonly<Record<string, Filter>> = {
  "no filter": {},
  "fields that are `undefined`": { batch: undefined, states: undefined, before: undefined },
  "a batch": { batch: BATCH },
  "a batch without entries": { batch: "no such batch" },
  ...Object.fromEntries(
    LEDGER_STATES.flatMap((state): [string, Filter][] => [
      [`the state ${state}`, { states: [state] }],
      [`a batch and the state ${state}`, { batch: BATCH, states: [state] }],
    ]),
  ),
  "the states in doubt": { states: ["sending", "unknown"] },
  "a batch and the states in doubt": { batch: BATCH, states: ["sending", "unknown"] },
  "every state": { states: LEDGER_STATES },
  "no state": { states: [] },
  "a time": { before: new Date(hour(4)) },
  "a time before all entries": { before: new Date(hour(0)) },
  "a time after all entries": { before: new Date(hour(20)) },
  "a batch and a time": { batch: BATCH, before: new Date(hour(4)) },
  "the states in doubt and a time": { states: ["unknown", "sending"], before: new Date(hour(6)) },
  "a batch, a state and a time": { batch: BATCH, states: ["sending"], before: new Date(hour(5)) },
};

const filters = Object.entries(ENTRY_FILTERS).map(([title, filter]): [string, LedgerCheckBody] => [
  `entries with ${title} are all complete entries that match, oldest claim first`,
  async (ledger) => {
    await fill(ledger);
    const { batch, states, before } = filter;
    const expected = indexesOf(
      (itsBatch, state, index) =>
        (batch === undefined || batch === itsBatch) &&
        (states === undefined || states.includes(state)) &&
        (before === undefined || hour(index) < before.toISOString()),
    );
    assertEqual(await keysOf(ledger.entries(filter)), expected, "the list of keys");
    for await (const entry of ledger.entries(filter)) await assertEntry(ledger, entry, "entries");
  },
]);

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

  ...Object.fromEntries(filters),

  "an entry that is claimed again is sorted by its new time": async (ledger) => {
    await putInState(ledger, "open");
    await putInState(ledger, "unknown", { key: "another", ref: "other", at: hour(10) });
    await ledger.claim(laterClaim());
    const expected = ["another", claimOf().key];
    assertEqual(await keysOf(ledger.entries({ batch: BATCH })), expected, "the list of keys");
    const inDoubt = await keysOf(ledger.entries({ states: ["sending", "unknown"] }));
    assertEqual(inDoubt, expected, "the list of keys in doubt");
  },

  "entries of a large batch that were claimed at the same moment appear once each": async (
    ledger,
  ) => {
    const keys = manyKeys();
    await claimAll(
      ledger,
      keys.map((key) => claimOf({ key, ref: `ref-${key}` })),
    );
    for (const filter of [{ batch: BATCH }, { states: ["sending"] as const }, {}]) {
      const found = await keysOf(ledger.entries(filter));
      assertEqual(found.sort(), keys.sort(), `the list of keys for ${JSON.stringify(filter)}`);
    }
    assertEqual((await ledger.counts(BATCH)).sending, MANY, "the count of `sending`");
  },

  "entries of a large batch are in the order of their times": async (ledger) => {
    const claims = Array.from({ length: MANY }, (_, index) => {
      const place = (index * 7) % MANY;
      return claimOf({
        key: `${place}`,
        ref: `ref-${place}`,
        at: new Date(place * 60_000).toISOString(),
      });
    });
    await claimAll(ledger, claims);
    const expected = Array.from({ length: MANY }, (_, index) => `${index}`);
    for (const filter of [{ batch: BATCH }, { states: ["sending"] as const }, {}]) {
      const found = await keysOf(ledger.entries(filter));
      assertEqual(found, expected, `the list of keys for ${JSON.stringify(filter)}`);
    }
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
    await fill(ledger);
    const before = new Date(hour(5));
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
