// What is searched, and how deep: parts of it in the first ring, all of it by `npm run bench orders`.
import type { MutantName } from "./mutants.ts";
import type { CallName } from "./runs.ts";
import type { Failure } from "./search.ts";

export interface Series {
  readonly ledger: "memory" | "SQLite";
  readonly calls: readonly [CallName, CallName];
  /** Largest number of events in a history. */
  readonly maxEvents: number;
}

const pair = (call: CallName) => [call, call] as const;

/** Half a minute on two slow cores. */
export const SHORT: readonly Series[] = [
  { ledger: "memory", calls: pair("sendMany"), maxEvents: 2 },
  { ledger: "memory", calls: pair("sendOnce"), maxEvents: 1 },
  { ledger: "memory", calls: ["sendMany", "sendOnce"], maxEvents: 1 },
  { ledger: "memory", calls: pair("removeMany"), maxEvents: 1 },
  { ledger: "SQLite", calls: pair("sendMany"), maxEvents: 1 },
  { ledger: "SQLite", calls: pair("sendOnce"), maxEvents: 1 },
  { ledger: "SQLite", calls: pair("removeMany"), maxEvents: 1 },
];

export const LONG: readonly Series[] = [
  { ledger: "memory", calls: pair("sendMany"), maxEvents: 3 },
  { ledger: "memory", calls: pair("sendOnce"), maxEvents: 3 },
  { ledger: "memory", calls: ["sendMany", "sendOnce"], maxEvents: 2 },
  { ledger: "memory", calls: pair("removeMany"), maxEvents: 2 },
  { ledger: "SQLite", calls: pair("sendMany"), maxEvents: 2 },
  { ledger: "SQLite", calls: pair("sendOnce"), maxEvents: 2 },
  { ledger: "SQLite", calls: ["sendMany", "sendOnce"], maxEvents: 2 },
  { ledger: "SQLite", calls: pair("removeMany"), maxEvents: 2 },
];

/** Smallest number of events with which two runs of `sendOnce` show each mutant. */
export const EVENTS_OF_MUTANTS: Readonly<Record<MutantName, number>> = {
  "a ledger that forgets results": 0,
  "a claim that is not atomic": 0,
  "a claim that ends with its process": 1,
  "a claim that ends after the time of a call": 1,
  "a settle that is taken for confirmed when it fails": 1,
  "a settle that changes a newer claim": 1,
  "a retry after a settle that is late, with one id for all attempts of an item": 2,
};

/** Returns a failure as a story, with the command that replays it. */
export const toStory = (
  { broken, path, story }: Failure,
  calls: readonly CallName[],
  mutant?: string,
): string =>
  [
    ...story.map((line, index) => `${index + 1}. ${line}`),
    `Broken: ${broken}.`,
    `npm run bench orders -- --replay ${calls.join("+")}/${path.join(".")}${mutant ? ` --mutant "${mutant}"` : ""}`,
  ].join("\n");
