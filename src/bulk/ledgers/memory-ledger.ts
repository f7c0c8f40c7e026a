import { Yielder } from "../../core/yielder.ts";
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

const now = (): string => new Date().toISOString();

const aged = (entry: StoredEntry): LedgerEntry => {
  return { ...entry, ageMs: Math.max(0, Date.now() - Date.parse(entry.at)) };
};

const placeOf = (batch: string, key: string): string => JSON.stringify([batch, key]);

/**
 * Creates a ledger in the memory of this process. It is lost when the process ends, so use it only for tests and for batches
 * that will never be run again.
 *
 * @example
 * const ledger = memoryLedger();
 */
export function memoryLedger(): Ledger {
  /** Entries by batch and key, oldest claim first. */
  const entries = new Map<string, StoredEntry>();
  const entriesByRef = new Map<string, StoredEntry>();
  // A loop over these steps never waits. Without this, no timer could fire during the loop.
  const yielder = new Yielder();

  const write = (entry: StoredEntry): StoredEntry => {
    entries.set(placeOf(entry.batch, entry.key), entry);
    entriesByRef.set(entry.ref, entry);
    return entry;
  };
  const remove = ({ batch, key, ref }: StoredEntry): void => {
    entries.delete(placeOf(batch, key));
    entriesByRef.delete(ref);
  };

  async function* select({ batch, states, before }: EntryFilter): AsyncGenerator<StoredEntry> {
    await yielder.turn();
    for (const entry of entries.values()) {
      await yielder.turn();
      if (batch !== undefined && entry.batch !== batch) continue;
      if (states?.includes(entry.state) !== false && (!before || entry.at < before)) yield entry;
    }
  }

  return {
    async find(batch, key) {
      await yielder.turn();
      const found = entries.get(placeOf(batch, key));
      return found && aged(found);
    },

    async claim(claim) {
      const { id, batch, key, digest, ref, owner } = claim;
      const found = entries.get(placeOf(batch, key));
      if (found && toClaimResult(found, claim) !== "claimed") return aged(found);
      if (found) remove(found);
      write({ id, batch, key, state: "sending", digest, ref, owner, at: now() });
      return undefined;
    },

    async settle(claim, result) {
      const found = entries.get(placeOf(claim.batch, claim.key));
      const settled = toSettledEntry(found, claim, result, now());
      return holdsResult(settled ? write(settled) : found, claim, result);
    },

    async resolve(batch, key, as, id) {
      const found = entries.get(placeOf(batch, key));
      const resolved = found && toResolvedEntry(found, as, id);
      if (resolved) write(resolved);
      return resolved !== undefined;
    },

    async confirm(ref, details) {
      await yielder.turn();
      const found = entriesByRef.get(ref);
      if (!found) return undefined;
      const confirmed = toConfirmedEntry(found, details);
      return aged(confirmed ? write(confirmed) : found);
    },

    entries(filter) {
      const checked = checkFilter(filter);
      return (async function* () {
        // An entry that is claimed again moves to the end, so without this copy, a loop that claims its entries would never end.
        const found: StoredEntry[] = [];
        for await (const entry of select(checked)) found.push(entry);
        for (const entry of found) {
          await yielder.turn();
          yield aged(entry);
        }
      })();
    },

    async counts(batch) {
      const counts = noCounts();
      for await (const { state } of select(checkFilter({ batch }))) counts[state] += 1;
      return counts;
    },

    async forget(filter) {
      let count = 0;
      for await (const entry of select(checkForgetFilter(filter))) {
        remove(entry);
        count += 1;
      }
      return count;
    },

    async close() {},
  };
}
