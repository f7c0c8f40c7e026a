import type { Ledger, LedgerEntry } from "../../src/bulk/ledgers/ledger.ts";

/** Returns a view of a ledger in which every claim is an hour old, so nothing counts as in progress elsewhere. */
export const agedLedger = (ledger: Ledger): Ledger => {
  const age = (entry: LedgerEntry | undefined) => entry && { ...entry, ageMs: 3_600_000 };
  return {
    ...ledger,
    find: async (batch, key) => age(await ledger.find(batch, key)),
    claim: async (claim) => age(await ledger.claim(claim)),
  };
};
