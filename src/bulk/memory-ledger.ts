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

  const select = ({ batch, states, before }: EntryFilter): LedgerEntry[] => {
    const chosen = batch === undefined ? [...batches.values()] : [batches.get(batch) ?? new Map()];
    return chosen
      .flatMap((entries: Map<string, LedgerEntry>) => [...entries.values()])
      .filter(({ state, at }) => states?.includes(state) !== false && (!before || at < before));
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
        yield* select(checked).sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
      })();
    },

    async counts(batch) {
      const counts = noCounts();
      for (const { state } of batches.get(batch)?.values() ?? []) counts[state] += 1;
      return counts;
    },

    async forget(filter) {
      const forgotten = select(checkForgetFilter(filter));
      for (const { batch, key, ref } of forgotten) {
        batches.get(batch)?.delete(key);
        entriesByRef.delete(ref);
      }
      return forgotten.length;
    },

    async close() {},
  };
}
