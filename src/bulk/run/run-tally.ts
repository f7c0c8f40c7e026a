import type { ItemResult, RunCounts, RunProgress } from "./run-result.ts";

const FIELDS = {
  accepted: "accepted",
  rejected: "rejected",
  not_sent: "notSent",
  unknown: "unknown",
  skipped: "skipped",
} as const;

/** Counts the results of a run. */
export class RunTally {
  readonly #total: number | undefined;
  readonly #counts = { done: 0, accepted: 0, rejected: 0, notSent: 0, unknown: 0, skipped: 0 };
  #skippedInDoubt = 0;
  #unknownInARow = 0;

  constructor(total: number | undefined) {
    this.#total = total;
  }

  /** Number of `unknown` results since the service last accepted or refused an item. */
  get unknownInARow(): number {
    return this.#unknownInARow;
  }

  add({ state, reason }: Pick<ItemResult<unknown>, "state" | "reason">): void {
    this.#counts.done += 1;
    this.#counts[FIELDS[state]] += 1;
    if (reason === "in_doubt") this.#skippedInDoubt += 1;
    if (state === "unknown") this.#unknownInARow += 1;
    if (state === "accepted" || state === "rejected") this.#unknownInARow = 0;
  }

  get counts(): RunCounts {
    return { ...this.#counts };
  }

  get progress(): RunProgress {
    const inDoubt = this.#counts.unknown + this.#skippedInDoubt;
    const total = this.#total === undefined ? {} : { total: this.#total };
    return { ...this.#counts, inDoubt, ...total };
  }
}
