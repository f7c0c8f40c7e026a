import { Yielder } from "../../yielder.ts";
import {
  checkFilter,
  checkForgetFilter,
  type EntryFilter,
  holdsResult,
  type Ledger,
  type LedgerEntry,
  noCounts,
  type StoredEntry,
  toClaimResult,
  toConfirmedEntry,
  toResolvedEntry,
  toSettledEntry,
} from "./ledger.ts";
import { mergeByTime } from "./merge-by-time.ts";

/** Number of entries that are sorted at once, which takes less than a millisecond. */
const SORTED_AT_ONCE = 1000;

/** Sorts entries by the time of their claim. */
const byTime = (a: StoredEntry, b: StoredEntry): number => (a.at < b.at ? -1 : Number(a.at > b.at));

const now = (): string => new Date().toISOString();

/** Adds the age of an entry. */
const aged = (entry: StoredEntry): LedgerEntry => {
  return { ...entry, ageMs: Math.max(0, Date.now() - Date.parse(entry.at)) };
};

/**
 * Creates a ledger in the memory of this process. It is lost when the process ends: use it only for tests, and for batches
 * that will never be run again.
 *
 * @example
 * const ledger = memoryLedger();
 */
export function memoryLedger(): Ledger {
  const batches = new Map<string, Map<string, StoredEntry>>();
  // A loop over its steps waits for nothing, and would leave no timer its turn.
  const yielder = new Yielder();
  /** Current entry of each `ref`. */
  const entriesByRef = new Map<string, StoredEntry>();

  const find = (batch: string, key: string) => batches.get(batch)?.get(key);

  const write = (entry: StoredEntry): StoredEntry => {
    const { batch, key, ref } = entry;
    const entries = batches.get(batch) ?? new Map<string, StoredEntry>();
    entriesByRef.delete(entries.get(key)?.ref ?? "");
    entriesByRef.set(ref, entry);
    batches.set(batch, entries.set(key, entry));
    return entry;
  };

  /** Calls back for each entry that matches. */
  const visit = async (
    { batch, states, before }: EntryFilter,
    onEntry: (entry: StoredEntry) => void,
  ): Promise<void> => {
    if (yielder.shouldYield()) await yielder.yield();
    const chosen = batch === undefined ? batches.values() : [batches.get(batch) ?? new Map()];
    for (const entries of chosen as Iterable<Map<string, StoredEntry>>) {
      for (const entry of entries.values()) {
        if (yielder.shouldYield()) await yielder.yield();
        const { state, at } = entry;
        if (states?.includes(state) !== false && (!before || at < before)) onEntry(entry);
      }
    }
  };

  return {
    async find(batch, key) {
      if (yielder.shouldYield()) await yielder.yield();
      const found = find(batch, key);
      return found && aged(found);
    },

    async claim(claim) {
      const { id, batch, key, digest, ref, owner } = claim;
      const found = find(batch, key);
      if (found && toClaimResult(found, claim) !== "claimed") return aged(found);
      write({ id, batch, key, state: "sending", digest, ref, owner, at: now() });
      return undefined;
    },

    async settle(claim, result) {
      const found = find(claim.batch, claim.key);
      const settled = toSettledEntry(found, claim, result, now());
      return holdsResult(settled ? write(settled) : found, claim, result);
    },

    async resolve(batch, key, as) {
      const found = find(batch, key);
      const resolved = found && toResolvedEntry(found, as);
      if (resolved) write(resolved);
      return resolved !== undefined;
    },

    async confirm(ref, details) {
      if (yielder.shouldYield()) await yielder.yield();
      const found = entriesByRef.get(ref);
      if (!found) return undefined;
      const confirmed = toConfirmedEntry(found, details);
      return aged(confirmed ? write(confirmed) : found);
    },

    entries(filter) {
      const checked = checkFilter(filter);
      return (async function* () {
        const found: StoredEntry[] = [];
        await visit(checked, (entry) => found.push(entry));
        const parts: Iterator<StoredEntry>[] = [];
        for (let start = 0; start < found.length; start += SORTED_AT_ONCE) {
          if (yielder.shouldYield()) await yielder.yield();
          parts.push(
            found
              .slice(start, start + SORTED_AT_ONCE)
              .sort(byTime)
              .values(),
          );
        }
        for await (const entry of mergeByTime(parts)) yield aged(entry);
      })();
    },

    async counts(batch) {
      const counts = noCounts();
      await visit(checkFilter({ batch }), ({ state }) => {
        counts[state] += 1;
      });
      return counts;
    },

    async forget(filter) {
      let count = 0;
      await visit(checkForgetFilter(filter), ({ batch, key, ref }) => {
        batches.get(batch)?.delete(key);
        entriesByRef.delete(ref);
        count += 1;
      });
      return count;
    },

    async close() {},
  };
}
