// The checks that concern many entries.
import {
  LEDGER_STATES,
  type Ledger,
  type LedgerClaim,
  type LedgerEntry,
  type LedgerFilter,
  type LedgerState,
} from "../../bulk/ledgers/ledger.ts";
import {
  assertEqual,
  BATCH,
  CHECKED_KEY,
  type Comparison,
  claimOf,
  idOf,
  nextMillisecond,
  type Step,
} from "./comparison.ts";
import { claim, FIRST, laterClaim, toState } from "./step-checks.ts";

/** Number of entries that is larger than a page of any ledger. */
const MANY = 1_200;
const OTHER = "another batch";

const listOf = async (entries: AsyncIterable<LedgerEntry>): Promise<LedgerEntry[]> => {
  const list: LedgerEntry[] = [];
  for await (const entry of entries) list.push(entry);
  return list;
};

const keysOf = async (entries: AsyncIterable<LedgerEntry>): Promise<string[]> =>
  (await listOf(entries)).map(({ key }) => key);

/** Makes many claims, 50 at a time, because the queue of a connection pool may be short. */
const claimAll = async (ledger: Ledger, claims: readonly LedgerClaim[]): Promise<void> => {
  for (let start = 0; start < claims.length; start += 50) {
    await Promise.all(claims.slice(start, start + 50).map((made) => ledger.claim(made)));
  }
};

/** Batches and states of the entries of {@link fill}, oldest first. Their keys are their indexes. */
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

/** Adds entries in every state to two batches, at different times. Their keys were claimed before, in a different order. */
const fill = async (compared: Comparison): Promise<void> => {
  for (let step = 0; step < FILLED.length; step += 1) {
    const index = (step * 5) % FILLED.length;
    const [batch] = FILLED[index] ?? [BATCH];
    const made = claimOf({ batch, key: `${index}`, ref: `before-${index}` });
    for (const opening of toState("open", made)) await compared.compare(opening);
  }
  for (const [index, [batch, state]] of FILLED.entries()) {
    await nextMillisecond();
    const made = claimOf({ batch, key: `${index}`, ref: `ref-${index}` });
    for (const step of toState(state, made)) await compared.compare(step);
  }
  await compared.compareEntries("its claim");
};

/** Returns the time at which a ledger claimed an entry of {@link fill}; if there is none, a time after all others. */
const timeOf = async (ledger: Ledger, index: number): Promise<Date> => {
  const [batch] = FILLED[index] ?? [OTHER];
  const { at = "2999-01-01" } = (await ledger.find(batch, `${index}`)) ?? {};
  return new Date(at);
};

/** Filter of `entries`; `before` is the index of the entry at whose time the filter ends. */
interface Filter extends Omit<LedgerFilter, "before"> {
  readonly before?: number | undefined;
}

const FILTERS: readonly (Filter | undefined)[] = [
  undefined,
  { batch: undefined, states: undefined, before: undefined },
  { batch: BATCH },
  { batch: "no such batch" },
  ...LEDGER_STATES.flatMap((state) => [{ states: [state] }, { batch: BATCH, states: [state] }]),
  { states: ["sending", "unknown"] },
  { batch: BATCH, states: ["sending", "unknown"] },
  { states: LEDGER_STATES },
  { states: [] },
  { before: 4 },
  { before: 0 },
  { before: FILLED.length },
  { batch: BATCH, before: 4 },
  { states: ["unknown", "sending"], before: 6 },
  { batch: BATCH, states: ["sending"], before: 5 },
];

const LIST: Step = ["the list of keys", (ledger) => keysOf(ledger.entries())];
const FORGET: Step = ["the number", (ledger) => ledger.forget({ batch: BATCH, before: undefined })];

const RIVALS = 40;

export const entriesChecks: Readonly<Record<string, (compared: Comparison) => Promise<void>>> = {
  "one of many simultaneous claims of a key takes it, and the others get its entry": async ({
    ledger,
  }) => {
    const claims = Array.from({ length: RIVALS }, (_, index) =>
      claimOf({ id: `id-${index}`, ref: `ref-${index}`, owner: `run-${index}` }),
    );
    const found = await Promise.all(claims.map((made) => ledger.claim(made)));
    const winners = claims.filter((_, index) => found[index] === undefined);
    assertEqual(winners.length, 1, "the number of claims that took the key");
    const entry = await ledger.find(BATCH, CHECKED_KEY);
    assertEqual(entry, { ...winners[0], state: "sending" }, "the entry after the claims");
    const refs = new Set(found.map((other) => other?.ref ?? winners[0]?.ref));
    assertEqual([...refs], [winners[0]?.ref], "the list of refs that the claims returned");
  },

  "keys and batches are kept exactly": async (compared) => {
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
      "7",
      "007",
      "a b",
      "a  b",
      "a\u200bb",
      "ab",
      // Together with its batch, whose name is six bytes longer than the key, the last key has the maximum length.
      "x".repeat(1_018),
      `${"x".repeat(1_017)}y`,
    ];
    for (const [index, key] of keys.entries()) {
      await compared.compare(claim(claimOf({ key, batch: `batch ${key}`, ref: `ref-${index}` })));
      await compared.compare(claim(claimOf({ key, ref: `shared-ref-${index}` })));
      await compared.compare(claim(claimOf({ batch: `batch ${key}`, ref: `batch-${index}` })));
    }
    await compared.compareEntries("the claim");
    await compared.compare(["the counts", (ledger) => ledger.counts(BATCH)]);
  },

  "a batch is separate from batches whose names start with its name, and from batches whose names its keys start with":
    async (compared) => {
      for (const mark of ":/|-_. \n") {
        const ref = `ref-${mark.charCodeAt(0)}`;
        const apart = claimOf({ batch: `ready${mark}shop`, key: "17", ref });
        await compared.compare(claim(apart));
        const made = claimOf({ batch: "ready", key: `shop${mark}17`, ref: `${ref}-ready` });
        await compared.compare(claim(made));
      }
      const filter = { batch: "ready" };
      await compared.compare(["the counts", (ledger) => ledger.counts(filter.batch)]);
      const sortedKeys = async (ledger: Ledger) => (await keysOf(ledger.entries(filter))).sort();
      await compared.compare(["the list of keys", sortedKeys]);
      await compared.compare(["the number", (ledger) => ledger.forget(filter)]);
      await compared.compareEntries("forget of the other batch");
    },

  "entries that match a filter are complete, oldest claim first": async (compared) => {
    await compared.compare(LIST);
    await fill(compared);
    for (const filter of FILTERS) {
      const keysFor = async (ledger: Ledger): Promise<string[]> => {
        const { before } = filter ?? {};
        const time = before === undefined ? undefined : await timeOf(ledger, before);
        return keysOf(ledger.entries(filter && { ...filter, before: time }));
      };
      await compared.compare([`the list of keys for ${JSON.stringify(filter ?? {})}`, keysFor]);
    }
    await compared.compare(["the list of entries", (ledger) => listOf(ledger.entries())]);
  },

  "the age of an entry is the time since its latest claim": async ({ ledger }) => {
    for (const [, step] of toState("open")) await step(ledger);
    const first = await ledger.find(BATCH, CHECKED_KEY);
    await nextMillisecond();
    await ledger.claim(laterClaim());
    const claimed = await ledger.find(BATCH, CHECKED_KEY);
    for (let wait = 0; wait < 20; wait += 1) await nextMillisecond();
    const later = await ledger.find(BATCH, CHECKED_KEY);
    assertEqual(later?.at, claimed?.at, "the time of a claim, later,");
    const isNew = String(first?.at) < String(later?.at);
    assertEqual(isNew, true, "whether a new claim has a new time");
    const grownMs = Number(later?.ageMs) - Number(claimed?.ageMs);
    assertEqual(grownMs >= 15, true, "whether an entry grows older");
  },

  "entries of a large batch appear once each, in the order of their times, and are forgotten":
    async ({ ledger }) => {
      const keys = Array.from({ length: MANY }, (_, index) => `key-${index}`);
      await claimAll(
        ledger,
        keys.map((key) => claimOf({ key, ref: `ref-${key}` })),
      );
      for (const filter of [{ batch: BATCH }, { states: ["sending"] as const }, {}]) {
        const found = await listOf(ledger.entries(filter));
        const subject = `for ${JSON.stringify(filter)}`;
        const times = found.map(({ at }) => at);
        assertEqual(times, [...times].sort(), `the list of times ${subject}`);
        assertEqual(found.map(({ key }) => key).sort(), keys.sort(), `the list of keys ${subject}`);
      }
      assertEqual((await ledger.counts(BATCH)).sending, MANY, "the count of `sending`");
      assertEqual(await ledger.forget({ batch: BATCH }), MANY, "the number of forgotten entries");
      assertEqual((await ledger.counts(BATCH)).sending, 0, "the count of `sending`, forgotten");
    },

  "entries can be decided while they are iterated, and left early": async ({ ledger }) => {
    for (const key of ["a", "b", "c"]) await ledger.claim(claimOf({ key, ref: `ref-${key}` }));
    const entries = ledger.entries({ states: ["sending"] });
    for await (const { key } of entries) await ledger.resolve(BATCH, key, "accepted");
    assertEqual((await ledger.counts(BATCH)).accepted, 3, "the count of `accepted`");
    for await (const _ of ledger.entries({ batch: BATCH })) break;
    assertEqual(await ledger.resolve(BATCH, "a", "open"), false, "a call after the loop was left");
  },

  "counts are numbers of entries of the batch by state, 0 for each without entries": async (
    compared,
  ) => {
    const counts: Step = ["the counts", (ledger) => ledger.counts(BATCH)];
    await compared.compare(counts);
    await fill(compared);
    await compared.compare(counts);
  },

  "forget deletes the batch with its refs, and no other batch": async (compared) => {
    await fill(compared);
    for (let time = 0; time < 2; time += 1) {
      await compared.compare(FORGET);
      await compared.compare(LIST);
      await compared.compare(["confirm of a forgotten ref", (l) => l.confirm(idOf("ref-0"))]);
      await compared.compare(["a forgotten entry", (l) => l.find(BATCH, "0")]);
    }
  },

  "forget with a time deletes entries of any state that were claimed before it": async (
    compared,
  ) => {
    await fill(compared);
    await compared.compare([
      "the number",
      async (ledger) => ledger.forget({ batch: BATCH, before: await timeOf(ledger, 5) }),
    ]);
    await compared.compare(LIST);
  },

  "a forgotten key can be claimed again": (compared) =>
    compared.run([...toState("accepted"), FORGET, claim(laterClaim())]),

  "close can be called twice": async ({ ledger }) => {
    await ledger.claim(FIRST);
    await ledger.close();
    await ledger.close();
  },
};
