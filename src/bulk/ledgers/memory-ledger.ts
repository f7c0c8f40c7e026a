import { Yielder } from "../../yielder.ts";
import {
  checkFilter,
  checkForgetFilter,
  type EntryFilter,
  holdsResult,
  type Ledger,
  type LedgerEntry,
  noCounts,
  toClaimResult,
  toConfirmedEntry,
  toResolvedEntry,
  toSettledEntry,
} from "./ledger.ts";
import { mergeByTime } from "./merge-by-time.ts";

/** Number of entries that are sorted at once, which takes less than a millisecond. */
const SORTED_AT_ONCE = 1000;

/** Sorts entries by the time of their claim. */
const byTime = (a: LedgerEntry, b: LedgerEntry): number => (a.at < b.at ? -1 : Number(a.at > b.at));

/**
 * Creates a ledger in the memory of this process. It is lost when the process ends: use it only for tests, and for batches
 * that will never be run again.
 *
 * @example
 * const ledger = memoryLedger();
 */
export function memoryLedger(): Ledger {
  const batches = new Map<string, Map<string, LedgerEntry>>();
  /** Current entry of each `ref`. */
  const entriesByRef = new Map<string, LedgerEntry>();

  const find = (batch: string, key: string) => batches.get(batch)?.get(key);

  const write = (entry: LedgerEntry): LedgerEntry => {
    const { batch, key, ref } = entry;
    const entries = batches.get(batch) ?? new Map<string, LedgerEntry>();
    entriesByRef.delete(entries.get(key)?.ref ?? "");
    entriesByRef.set(ref, entry);
    batches.set(batch, entries.set(key, entry));
    return entry;
  };

  /** Calls back for each entry that matches. */
  const visit = async (
    { batch, states, before }: EntryFilter,
    yielder: Yielder,
    onEntry: (entry: LedgerEntry) => void,
  ): Promise<void> => {
    const chosen = batch === undefined ? batches.values() : [batches.get(batch) ?? new Map()];
    for (const entries of chosen as Iterable<Map<string, LedgerEntry>>) {
      for (const entry of entries.values()) {
        if (yielder.shouldYield()) await yielder.yield();
        const { state, at } = entry;
        if (states?.includes(state) !== false && (!before || at < before)) onEntry(entry);
      }
    }
  };

  return {
    find: async (batch, key) => find(batch, key),

    async claim(claim) {
      const { id, batch, key, digest, ref, owner, at } = claim;
      const found = find(batch, key);
      if (toClaimResult(found, claim) !== "claimed") return found;
      write({ id, batch, key, state: "sending", digest, ref, owner, at });
      return undefined;
    },

    async settle(claim, result) {
      const found = find(claim.batch, claim.key);
      const settled = toSettledEntry(found, claim, result);
      return holdsResult(settled ? write(settled) : found, claim, result);
    },

    async resolve(batch, key, as) {
      const found = find(batch, key);
      const resolved = found && toResolvedEntry(found, as);
      if (resolved) write(resolved);
      return resolved !== undefined;
    },

    async confirm(ref, details) {
      const found = entriesByRef.get(ref);
      if (!found) return undefined;
      const confirmed = toConfirmedEntry(found, details);
      return confirmed ? write(confirmed) : found;
    },

    entries(filter) {
      const checked = checkFilter(filter);
      return (async function* () {
        const yielder = new Yielder();
        const found: LedgerEntry[] = [];
        await visit(checked, yielder, (entry) => found.push(entry));
        const parts: Iterator<LedgerEntry>[] = [];
        for (let start = 0; start < found.length; start += SORTED_AT_ONCE) {
          if (yielder.shouldYield()) await yielder.yield();
          parts.push(
            found
              .slice(start, start + SORTED_AT_ONCE)
              .sort(byTime)
              .values(),
          );
        }
        yield* mergeByTime(parts);
      })();
    },

    async counts(batch) {
      const counts = noCounts();
      await visit(checkFilter({ batch }), new Yielder(), ({ state }) => {
        counts[state] += 1;
      });
      return counts;
    },

    async forget(filter) {
      let count = 0;
      await visit(checkForgetFilter(filter), new Yielder(), ({ batch, key, ref }) => {
        batches.get(batch)?.delete(key);
        entriesByRef.delete(ref);
        count += 1;
      });
      return count;
    },

    async close() {},
  };
}
