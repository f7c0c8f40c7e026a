import type { Ledger } from "../../bulk/ledger.ts";
import { batchChecks } from "./batch-checks.ts";
import { claimChecks } from "./claim-checks.ts";
import { endChecks } from "./end-checks.ts";
import type { LedgerCheck } from "./ledger-check.ts";

/**
 * Returns the checks that every ledger must pass, for any test runner.
 *
 * They cover the table of claims, late ends, decisions, webhooks, retention, and rival claims within one process.
 * They cannot cut the power or kill the process, so test durability with the engine itself.
 *
 * @param makeLedger - Creates a ledger over a new and empty store; each check calls it once, and closes the ledger at its end.
 * @example
 * for (const { name, run } of ledgerChecks(() => redisLedger(newRedis()))) test(name, run);
 */
export function ledgerChecks(makeLedger: () => Ledger | Promise<Ledger>): readonly LedgerCheck[] {
  return Object.entries({ ...claimChecks, ...endChecks, ...batchChecks }).map(([name, prove]) => ({
    name,
    run: async () => {
      const ledger = await makeLedger();
      try {
        await prove(ledger);
      } finally {
        await ledger.close();
      }
    },
  }));
}
