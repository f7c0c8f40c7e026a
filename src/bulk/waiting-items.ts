/** Shortest and longest pause in milliseconds between two lookups of a key. */
const MIN_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5_000;
/** Pause before the next lookup of a key, as a share of the time for which the key has waited. */
const PAUSE_SHARE = 1 / 20;
/** Maximum number of keys to look up together. The next keys follow after the shortest pause, so at most 250 in a second. */
const LOOKS_AT_ONCE = 50;

/**
 * Returns the pause in milliseconds before the next lookup of a key that is in progress elsewhere.
 *
 * @param waitedMs Time for which the key has waited.
 * @param leftMs Time for which the claim of the key still counts as in progress.
 */
export const toPauseMs = (waitedMs: number, leftMs: number): number => {
  const pauseMs = Math.min(Math.max(MIN_PAUSE_MS, waitedMs * PAUSE_SHARE), MAX_PAUSE_MS);
  return Math.ceil(Math.max(1, Math.min(pauseMs, leftMs)));
};

/** Claim of another run that an item waits for, and the time at which the wait began, by the clock of {@link WaitingItems}. */
export interface Waited {
  readonly claimId: string | undefined;
  readonly sinceMs: number;
}

interface WaitingKey<Item> {
  readonly items: Item[];
  readonly lookAtMs: number;
}

/** Items whose keys are in progress in other runs. Decides when the run looks up each key again. */
export class WaitingItems<Item extends { readonly waited?: Waited }> {
  readonly #callMs: number;
  readonly #keys = new Map<string, WaitingKey<Item>>();
  #count = 0;
  /** Time for which the run has waited. It is the sum of the pauses, because a clock may stand still or be set back. */
  #nowMs = 0;
  /** Number of keys in the latest group of lookups. */
  #looks = 0;

  /** @param callMs Time in milliseconds after which a claim is in doubt. */
  constructor(callMs: number) {
    this.#callMs = callMs;
  }

  get count(): number {
    return this.#count;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /**
   * Adds an item whose key is in progress elsewhere. Returns `false` if the item has waited for this claim for longer than any
   * call takes.
   */
  add(key: string, item: Item, claimId: string | undefined, leftMs: number): boolean {
    const { waited } = item;
    const isSameClaim = claimId !== undefined && waited?.claimId === claimId;
    const sinceMs = isSameClaim ? waited.sinceMs : this.#nowMs;
    const waitedMs = this.#nowMs - sinceMs;
    // The age of the claim cannot decide this, because it does not grow if the ledger's clock stands still or was set back.
    if (waitedMs > this.#callMs) return false;
    const maxMs = Math.min(leftMs, this.#callMs - waitedMs + 1);
    const lookAtMs = this.#nowMs + toPauseMs(waitedMs, maxMs);
    const waiting = { ...item, waited: { claimId, sinceMs } };
    const known = this.#keys.get(key);
    if (known) known.items.push(waiting);
    else this.#keys.set(key, { items: [waiting], lookAtMs });
    this.#count += 1;
    return true;
  }

  /** Pause in milliseconds before the next lookups. */
  get pauseMs(): number {
    let lookAtMs = Number.POSITIVE_INFINITY;
    for (const key of this.#keys.values()) lookAtMs = Math.min(lookAtMs, key.lookAtMs);
    return Math.max(lookAtMs - this.#nowMs, this.#looks === LOOKS_AT_ONCE ? MIN_PAUSE_MS : 0);
  }

  /** Removes and returns the items whose keys are due for a lookup after a pause. Items with the same key stay together. */
  take(pauseMs: number): Item[] {
    this.#nowMs += pauseMs;
    this.#looks = 0;
    const taken: Item[] = [];
    for (const [key, { items, lookAtMs }] of this.#keys) {
      if (lookAtMs > this.#nowMs) continue;
      this.#keys.delete(key);
      taken.push(...items);
      this.#looks += 1;
      if (this.#looks === LOOKS_AT_ONCE) break;
    }
    this.#count -= taken.length;
    return taken;
  }
}
