// Faults of ledgers that are known to break a promise. The search must find each of them.
import { type Ledger, type LedgerEntry, toClaimResult } from "../../../src/bulk/ledgers/ledger.ts";
import type { Process } from "./process.ts";
import { CALL_MS } from "./runs.ts";

/** A fault in the statements themselves, or in how the ledger of a process calls them. */
export interface Mutant {
  /** Returns the ledger with other statements. Each is still one step. */
  readonly statements?: (ledger: Ledger, isDead: (owner: string) => boolean) => Ledger;
  /** Returns the ledger of a process with other steps. */
  readonly steps?: (ledger: Ledger, process: Process) => Ledger;
}

/** Returns the mutant that grants a claim despite an entry that it treats as gone. */
const losing = (
  isGone: (entry: LedgerEntry, isDead: (owner: string) => boolean) => boolean,
): Mutant => ({
  statements: (ledger, isDead) => {
    const find: Ledger["find"] = async (batch, key) => {
      const entry = await ledger.find(batch, key);
      return entry && isGone(entry, isDead) ? undefined : entry;
    };
    return {
      ...ledger,
      find,
      claim: async (claim) => {
        if (!(await find(claim.batch, claim.key))) await ledger.forget({ batch: claim.batch });
        return ledger.claim(claim);
      },
    };
  },
});

/** Time in milliseconds after which the impatient ledger reports a settle as done. */
const PATIENCE_MS = 100;

export const MUTANTS = {
  "a ledger that forgets results": losing(({ state }) => state === "accepted"),

  "a claim that is not atomic": {
    statements: (ledger) => ({
      ...ledger,
      claim: async (claim) => {
        await ledger.forget({ batch: claim.batch });
        return ledger.claim(claim);
      },
    }),
    steps: (ledger) => ({
      ...ledger,
      claim: async (claim) => {
        const found = await ledger.find(claim.batch, claim.key);
        return toClaimResult(found, claim) === "claimed" ? ledger.claim(claim) : found;
      },
    }),
  },

  "a claim that ends with its process": losing(
    ({ state, owner }, isDead) => state === "sending" && isDead(owner),
  ),

  "a claim that ends after the time of a call": losing(
    ({ state, at }) => state === "sending" && Date.now() - Date.parse(at) >= CALL_MS,
  ),

  "a decision about whatever claim the key has": {
    statements: (ledger) => ({
      ...ledger,
      resolve: (batch, key, as) => ledger.resolve(batch, key, as),
    }),
  },

  "a settle that is taken for confirmed when it fails": {
    steps: (ledger) => ({
      ...ledger,
      settle: (claim, result) => ledger.settle(claim, result).catch(() => true),
    }),
  },

  "a settle that changes a newer claim": {
    statements: (ledger) => ({
      ...ledger,
      settle: async (claim, result) => {
        const { id } = (await ledger.find(claim.batch, claim.key)) ?? claim;
        return ledger.settle({ ...claim, id }, result);
      },
    }),
  },

  "a retry after a settle that is late, with one id for all attempts of an item": {
    steps: (ledger) => ({
      ...ledger,
      claim: (claim) => ledger.claim({ ...claim, id: claim.ref }),
      settle: (claim, result) => {
        const settling = ledger.settle({ ...claim, id: claim.ref }, result);
        if (result.state !== "open") return settling;
        return new Promise((resolve, reject) => {
          const timer = setTimeout(resolve, PATIENCE_MS, true);
          settling.then(resolve, reject).finally(() => clearTimeout(timer));
        });
      },
    }),
  },
} satisfies Record<string, Mutant>;

export type MutantName = keyof typeof MUTANTS;
