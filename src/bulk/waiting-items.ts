import { startTimer } from "../wait-for.ts";
import type { ReadItem } from "./input.ts";
import type { Task } from "./message.ts";
import type { SkipDetails } from "./skip-reason.ts";

/** Number of further items after which all of them are looked up again. */
const ROUND = 100;
/** Pause in milliseconds between two rounds when nothing is left to do but wait. */
const POLL_MS = 200;

/** An item whose key is in progress elsewhere: a different run has claimed it, and may still record a result. */
export interface WaitingItem<Item> {
  readonly read: ReadItem<Item>;
  /** Its task, which learns when the time of the other run's call is over. */
  task: Task;
  readonly skipReason: SkipDetails;
  /** Cancels the timer for the end of the time of the other run's call. */
  readonly cancelTimer: () => void;
}

/**
 * Items that wait for other runs, the longest wait first. The run comes back to all of them in one round: when a hundred
 * more wait, when the time of one is over, and, again and again, when it has nothing else to do.
 */
export class WaitingItems<Item> {
  readonly #items: WaitingItem<Item>[] = [];
  readonly #onDue: () => void;
  /** Number of items that are left of the current round, the first ones. */
  #due = 0;
  /** Number of items that began to wait after the current round. */
  #further = 0;
  #isPolling = false;
  #pollTimer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  /** @param onDue Called when a round begins. */
  constructor(onDue: () => void) {
    this.#onDue = onDue;
  }

  /** Number of items that wait. */
  get size(): number {
    return this.#items.length;
  }

  /** Returns why an earlier item with a key waits, if one does. */
  skipReasonOf(key: string): SkipDetails | undefined {
    return this.#items.find(({ task }) => task.key === key)?.skipReason;
  }

  /**
   * Lets an item wait if its key is in progress elsewhere. Returns `false` if it is not.
   *
   * @param before The item as it waited before, if it did.
   */
  add(
    read: ReadItem<Item>,
    task: Task,
    skipReason: SkipDetails,
    before: WaitingItem<Item> | undefined,
  ): boolean {
    const { leftMs, entry } = skipReason;
    if (leftMs === undefined) return false;
    const isSameClaim = before?.skipReason.entry?.id === entry?.id;
    if (!isSameClaim) before?.cancelTimer();
    const item = before && isSameClaim ? before : this.#toWaiting(read, task, skipReason, leftMs);
    if (this.#isStopped) item.cancelTimer();
    this.#items.push(item);
    if (!before) this.#further += 1;
    // The time may have ended during the look-up.
    const isOverdue = item.task.overdueClaim === entry?.id;
    if (isOverdue || this.#further >= ROUND) this.#beginRound();
    return true;
  }

  /** Takes the next item of the current round. It can be added again. */
  take(): WaitingItem<Item> | undefined {
    if (this.#due === 0) return undefined;
    this.#due -= 1;
    return this.#items.shift();
  }

  /** Begins a round now; at the next calls, after a pause. Returns whether this is the first call. */
  poll(): boolean {
    const isFirst = !this.#isPolling;
    this.#isPolling = true;
    if (isFirst) this.#beginRound();
    else this.#pollTimer ??= setTimeout(() => this.#beginRound(), POLL_MS);
    return isFirst;
  }

  /** Ends every wait. */
  stop(): void {
    this.#isStopped = true;
    this.#due = 0;
    clearTimeout(this.#pollTimer);
    for (const { cancelTimer } of this.#items) cancelTimer();
  }

  #toWaiting(
    read: ReadItem<Item>,
    task: Task,
    skipReason: SkipDetails,
    leftMs: number,
  ): WaitingItem<Item> {
    // The time is over when its own timer has fired, whatever the clocks say.
    const cancelTimer = startTimer(leftMs, () => {
      waiting.task = { ...task, overdueClaim: skipReason.entry?.id };
      this.#beginRound();
    });
    const waiting: WaitingItem<Item> = { read, task, skipReason, cancelTimer };
    return waiting;
  }

  #beginRound(): void {
    clearTimeout(this.#pollTimer);
    this.#pollTimer = undefined;
    this.#further = 0;
    this.#due = this.#items.length;
    this.#onDue();
  }
}
