import type { Ledger } from "../../bulk/ledgers/ledger.ts";
import { entriesChecks } from "./entries-checks.ts";
import type { LedgerCheck } from "./ledger-check.ts";
import { stepChecks } from "./step-checks.ts";

/**
 * Returns the checks that every ledger must pass, for any test runner.
 *
 * They cover every row of the two tables in the documentation of `Ledger`, as well as `entries`, `counts`, `forget` and rival
 * claims within one process. They cannot cut the power or kill the process: test durability with the engine itself.
 *
 * @param makeLedger Function that creates a ledger over a new and empty store. Each check calls it once, and closes the
 * ledger at its end.
 * @example
 * for (const { name, run } of ledgerChecks(() => redisLedger(newRedis()))) test(name, run);
 */
export function ledgerChecks(makeLedger: () => Ledger | Promise<Ledger>): readonly LedgerCheck[] {
  const checks = { ...stepChecks, ...entriesChecks };
  return Object.entries(checks).map(([name, prove]) => ({
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
