// What stands for a process: a run, and the operations in which it meets the world. The scheduler decides when and how each ends.

/** Way in which an operation may end. */
export interface Fate<T = unknown> {
  /** What happens, for the story. */
  readonly text: string;
  /** Whether this is an event, as opposed to what is expected. */
  readonly isEvent: boolean;
  /** Whether it changes anything outside of the process, even if the process has died meanwhile. */
  readonly hasEffect: boolean;
  /** Has the effect, and gives the response or throws the failure. */
  readonly act: () => T | Promise<T>;
}

/** Step that a process waits for: a statement of its ledger, or a request. */
export interface Operation {
  readonly text: string;
  /** Time at which it began. */
  readonly since: number;
  readonly fates: readonly Fate[];
  /** Whether time has passed since it began, so that its process may have given it up. */
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
  /** Whether the run claims that the ledger holds this result. */
  readonly isRecorded: boolean;
  /** Whether nobody would look at this run again: no failure, no doubt, no stop. */
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

  /** Notes what the process learns now. */
  learn(text: string): void {
    this.log.push(`${this.#now()} ${text}`);
  }

  /** Starts an operation. It ends when the scheduler says so; never, if the process dies first. */
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

  /** Ends the process at once: no code of it runs any more. What it has sent may still arrive. */
  die(): void {
    this.isAlive = false;
    this.timers.length = 0;
  }
}
