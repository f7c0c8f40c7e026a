// The task of a sending process, and the names of the steps that it logs.
import type { LedgerState } from "../../../src/bulk/ledgers/ledger.ts";

/** Location of the ledger. */
export type Store =
  | { readonly sqlite: string }
  | {
      readonly postgres: {
        readonly port: number;
        readonly pgPath: string;
        readonly table: string;
        /** Maximum wait for a statement, in milliseconds. Default: no limit. */
        readonly queryTimeoutMs?: number | undefined;
      };
    };

/** Conditions of a batch besides the kills. */
export const CONDITIONS = ["late ledger", "refusals in HTML", "changing guard"] as const;
export type Condition = (typeof CONDITIONS)[number];

/** Timeout of a step of a late ledger, in milliseconds. */
export const LATE_MS = 150;

/** Task of one process. */
export interface KillTask {
  readonly store: Store;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly concurrency: number;
  /** Phone numbers, in the order of this process. */
  readonly phones: readonly string[];
  readonly condition: Condition | undefined;
  /** File to which the process appends a line before and after each step. */
  readonly log: string;
}

export const BATCH = "reminders 2026-11-21";

/** Text of the message to a phone. */
export const textFor = (phone: string): string => `See you tomorrow, ${phone}`;

/** Steps of a key in the order of an attempt. Between `claim` and `settled`, its entry may be `sending`. */
export type Step = "claim" | "refused" | "claimed" | "fetch" | "response" | "settle" | "settled";

/** Result of a process that exited by itself. */
export interface ChildEnd {
  readonly stopped?: string;
  /** Number of people in doubt according to the summary of its last run. A run that failed has no summary. */
  readonly inDoubt?: number;
}

/** States of a ledger in which a key may have been sent. */
export const DOUBTFUL: readonly LedgerState[] = ["sending", "unknown"];
