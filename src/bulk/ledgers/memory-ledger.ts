import { LEDGER_STATES, type Ledger, type LedgerEntry, type LedgerState } from "../ledger.ts";
import {
  toClaimedEntry,
  toConfirmedEntry,
  toResolvedEntry,
  toSettledEntry,
  toVerdict,
} from "../transitions.ts";

/**
 * Creates a ledger in the memory of this process. It is lost when the process ends: use it for tests, and for batches that
 * will never be run again.
 *
 * @example
 * const ledger = memoryLedger();
 */
export function memoryLedger(): Ledger {
  const batches = new Map<string, Map<string, LedgerEntry>>();
  /** Batch and key of each current `ref`. */
  const places = new Map<string, readonly [batch: string, key: string]>();

  const entriesOf = (batch: string) => batches.get(batch) ?? new Map<string, LedgerEntry>();
  const find = (batch: string, key: string) => batches.get(batch)?.get(key);

  const write = (entry: LedgerEntry): LedgerEntry => {
    const { batch, key, ref } = entry;
    const entries = entriesOf(batch);
    places.delete(entries.get(key)?.ref ?? "");
    places.set(ref, [batch, key]);
    batches.set(batch, entries.set(key, entry));
    return entry;
  };

  return {
    find: async (batch, key) => find(batch, key),

    async claim(claim) {
      const found = find(claim.batch, claim.key);
      if (toVerdict(found, claim) !== "claimed") return found;
      write(toClaimedEntry(claim));
      return undefined;
    },

    async settle(end) {
      const found = find(end.batch, end.key);
      if (found) write(toSettledEntry(found, end));
    },

    async resolve(batch, key, as) {
      const found = find(batch, key);
      const resolved = found && toResolvedEntry(found, as);
      if (resolved) write(resolved);
      return resolved !== undefined;
    },

    async confirm(ref, details) {
      const place = places.get(ref);
      const found = place && find(...place);
      return found && write(toConfirmedEntry(found, details));
    },

    async *entries(batch, { state } = {}) {
      for (const entry of entriesOf(batch).values()) {
        if (state === undefined || entry.state === state) yield entry;
      }
    },

    async counts(batch) {
      const counts = Object.fromEntries(LEDGER_STATES.map((state) => [state, 0]));
      for (const { state } of entriesOf(batch).values()) counts[state] = (counts[state] ?? 0) + 1;
      return counts as Record<LedgerState, number>;
    },

    async forget(batch) {
      for (const { ref } of entriesOf(batch).values()) places.delete(ref);
      batches.delete(batch);
    },

    async close() {},
  };
}
