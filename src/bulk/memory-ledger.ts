import {
  LEDGER_STATES,
  type Ledger,
  type LedgerEntry,
  type LedgerState,
  toClaimResult,
  toConfirmedEntry,
  toResolvedEntry,
  toSettledEntry,
} from "./ledger.ts";

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

  const find = (batch: string, key: string) => batches.get(batch)?.get(key);

  const write = (entry: LedgerEntry): LedgerEntry => {
    const { batch, key, ref } = entry;
    const entries = batches.get(batch) ?? new Map<string, LedgerEntry>();
    places.delete(entries.get(key)?.ref ?? "");
    places.set(ref, [batch, key]);
    batches.set(batch, entries.set(key, entry));
    return entry;
  };

  /** Returns the entries of one batch, or of all, the oldest claim first. */
  const sorted = (batch: string | undefined): LedgerEntry[] =>
    [...(batch === undefined ? batches.values() : [batches.get(batch) ?? []])]
      .flatMap((entries) => [...(entries as Map<string, LedgerEntry>).values()])
      .sort((a, b) => Date.parse(a.at) - Date.parse(b.at));

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
      const settled = toSettledEntry(find(claim.batch, claim.key), claim, result);
      if (settled) write(settled);
      return settled !== undefined;
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
      if (!found) return undefined;
      const confirmed = toConfirmedEntry(found, details);
      return confirmed ? write(confirmed) : found;
    },

    async *entries({ batch, states, before } = {}) {
      for (const entry of sorted(batch)) {
        if (states && !states.includes(entry.state)) continue;
        if (before && Date.parse(entry.at) >= before.getTime()) continue;
        yield entry;
      }
    },

    async counts(batch) {
      const counts = Object.fromEntries(LEDGER_STATES.map((state) => [state, 0]));
      for (const { state } of sorted(batch)) counts[state] = (counts[state] ?? 0) + 1;
      return counts as Record<LedgerState, number>;
    },

    async forget({ batch, before }) {
      const entries = batches.get(batch);
      let forgotten = 0;
      for (const { key, ref, at } of sorted(batch)) {
        if (before && Date.parse(at) >= before.getTime()) continue;
        entries?.delete(key);
        places.delete(ref);
        forgotten += 1;
      }
      return forgotten;
    },

    async close() {},
  };
}
