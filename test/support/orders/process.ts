// A simulated process: a run, and its operations on the world outside. The scheduler decides when and how each operation ends.

/** Way in which an operation may end. */
export interface Fate<T = unknown> {
  /** What happens, for the story. */
  readonly text: string;
  /** Whether this is an event, as opposed to the expected end. */
  readonly isEvent: boolean;
  /** Whether it changes anything outside the process, even if the process has died in the meantime. */
  readonly hasEffect: boolean;
  /** Applies the effect, and returns the response or throws the failure. */
  readonly act: () => T | Promise<T>;
}

/** Step that a process waits for: a statement of its ledger, or a request. */
export interface Operation {
  readonly text: string;
  /** Time at which it started. */
  readonly since: number;
  readonly fates: readonly Fate[];
  /** Whether time has passed since it started, so its process may have given up on it. */
  isLate: boolean;
  /** Ends the operation for the process. Returns the response in words. */
  readonly end: (response: { readonly value: unknown } | { readonly error: unknown }) => string;
}

/** What a run reports at its end. */
export interface Report {
  readonly result:
    | "accepted"
    | "accepted_before"
    | "changed"
    | "rejected"
    | "rejected_before"
    | "not_sent"
    | "unknown"
    | "in_doubt";
  /** Whether the run reports that the ledger has this result. */
  readonly isRecorded: boolean;
  /** Whether the run reports nothing to look into: no failure, no doubt, no stop. */
  readonly looksFine: boolean;
}

export class Process {
  readonly name: string;
  readonly timers: { readonly due: number; readonly run: () => void }[] = [];
  /** Operations that have not ended. */
  readonly operations: Operation[] = [];
  /** Everything that the process has learned. Its code is deterministic, so this is also its state. */
  readonly log: string[] = [];
  /** Aborts the run. */
  readonly controller = new AbortController();
  isAlive = true;
  report: Report | undefined;
  readonly #now: () => number;

  constructor(name: string, now: () => number) {
    this.name = name;
    this.#now = now;
  }

  /** Records what the process learns now. */
  learn(text: string): void {
    this.log.push(`${this.#now()} ${text}`);
  }

  /** Starts an operation. The scheduler ends it, unless the process dies first. */
  perform<T>(
    text: string,
    fates: readonly Fate<T>[],
    toText: (value: T) => string = () => "",
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const end: Operation["end"] = (response) => {
        if ("error" in response) reject(response.error);
        else resolve(response.value as T);
        return "error" in response ? "" : toText(response.value as T);
      };
      this.operations.push({ text, since: this.#now(), fates, isLate: false, end });
    });
  }

  /** Ends the process immediately. Its code no longer runs, but what it has sent may still arrive. */
  die(): void {
    this.isAlive = false;
    this.timers.length = 0;
  }
}
