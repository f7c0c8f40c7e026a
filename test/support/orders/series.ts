// The searches and their depths: a few run in the first ring, more in the second, and most by `npm run bench orders`.
import type { MutantName } from "./mutants.ts";
import type { CallName } from "./runs.ts";
import type { Failure } from "./search.ts";

export interface Series {
  readonly ledger: "memory" | "SQLite";
  readonly calls: readonly CallName[];
  /** Maximum number of events in a history. */
  readonly maxEvents: number;
}

const MANY = ["sendMany", "sendMany"] as const;
const TEXTS = ["sendMany", "sendMany with a different text"] as const;
const ONCE = ["sendOnce", "sendOnce"] as const;
const MIXED = ["sendMany", "sendOnce"] as const;
const REMOVALS = ["removeMany", "removeMany"] as const;
const RACE = ["removeMany", "sendMany"] as const;

/** Takes a few seconds. */
export const FIRST: readonly Series[] = [
  { ledger: "memory", calls: MANY, maxEvents: 1 },
  { ledger: "memory", calls: MIXED, maxEvents: 1 },
  { ledger: "memory", calls: REMOVALS, maxEvents: 1 },
  { ledger: "memory", calls: RACE, maxEvents: 1 },
  { ledger: "SQLite", calls: ONCE, maxEvents: 1 },
];

/** Takes less than a minute, in addition to the first ring. */
export const SHORT: readonly Series[] = [
  { ledger: "memory", calls: TEXTS, maxEvents: 1 },
  { ledger: "memory", calls: ONCE, maxEvents: 2 },
  { ledger: "SQLite", calls: MANY, maxEvents: 1 },
  { ledger: "SQLite", calls: REMOVALS, maxEvents: 1 },
  { ledger: "SQLite", calls: RACE, maxEvents: 1 },
];

/** Takes a few minutes. */
export const LONG: readonly Series[] = [
  { ledger: "memory", calls: MANY, maxEvents: 2 },
  { ledger: "memory", calls: TEXTS, maxEvents: 2 },
  { ledger: "memory", calls: ONCE, maxEvents: 3 },
  { ledger: "memory", calls: MIXED, maxEvents: 2 },
  { ledger: "memory", calls: REMOVALS, maxEvents: 2 },
  { ledger: "memory", calls: RACE, maxEvents: 2 },
  { ledger: "memory", calls: ["sendMany", ...MANY], maxEvents: 1 },
  { ledger: "SQLite", calls: MANY, maxEvents: 2 },
  { ledger: "SQLite", calls: ONCE, maxEvents: 2 },
  { ledger: "SQLite", calls: REMOVALS, maxEvents: 1 },
];

/** Calls of three runs. They have too many orders to search, so orders are drawn at random. */
export const RANDOM: readonly (readonly [CallName, CallName, CallName])[] = [
  ["sendMany", "sendMany", "sendMany"],
  ["sendMany", "sendMany with a different text", "sendOnce"],
  ["removeMany", "removeMany", "removeMany"],
  ["removeMany", "removeMany", "sendMany"],
];
/** Maximum number of events in a random history. */
export const RANDOM_EVENTS = 5;

/** Two runs that reveal each mutant, and the smallest number of events that is enough for it. */
export const SHOWN_BY: Readonly<Record<MutantName, Pick<Series, "calls" | "maxEvents">>> = {
  "a ledger that forgets results": { calls: ONCE, maxEvents: 0 },
  "a claim that is not atomic": { calls: ONCE, maxEvents: 0 },
  "a claim that ends with its process": { calls: ONCE, maxEvents: 1 },
  "a claim that ends after the time of a call": { calls: ONCE, maxEvents: 1 },
  "a decision about whatever claim the key has": { calls: RACE, maxEvents: 1 },
  "a settle that is taken for confirmed when it fails": { calls: ONCE, maxEvents: 1 },
  "a settle that changes a newer claim": { calls: ONCE, maxEvents: 1 },
  "a retry after a settle that is late, with one id for all attempts of an item": {
    calls: ONCE,
    maxEvents: 2,
  },
};

/** Returns a failure as a story, with the command that replays it. */
export const toStory = (
  { broken, path, story }: Failure,
  calls: readonly CallName[],
  mutant?: string,
): string => {
  const lines = story.map((line, index) => `${index + 1}. ${line}`);
  const options = `--replay "${calls.join("+")}/${path.join(".")}"`;
  const fault = mutant ? ` --mutant "${mutant}"` : "";
  return [...lines, `Broken: ${broken}.`, `npm run bench orders -- ${options}${fault}`].join("\n");
};
