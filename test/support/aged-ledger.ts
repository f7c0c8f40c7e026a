import type { Ledger, LedgerEntry } from "../../src/bulk/ledgers/ledger.ts";

const AN_HOUR_AGO = new Date(Date.now() - 3_600_000).toISOString();

/** Returns a view of a ledger in which every claim is an hour old, so that nothing is in progress elsewhere any more. */
export const agedLedger = (ledger: Ledger): Ledger => {
  const age = (entry: LedgerEntry | undefined) => entry && { ...entry, at: AN_HOUR_AGO };
  return {
    ...ledger,
    find: async (batch, key) => age(await ledger.find(batch, key)),
    claim: async (claim) => age(await ledger.claim(claim)),
  };
};
