import type { Ledger } from "../../bulk/ledgers/ledger.ts";
import { Comparison } from "./comparison.ts";
import { entriesChecks } from "./entries-checks.ts";
import { stepChecks } from "./step-checks.ts";

/** One check of a ledger, for any test runner. */
export interface LedgerCheck {
  /** A full statement about a ledger, as a test title. */
  readonly name: string;
  /** Runs the check; rejects with an `Error` if the ledger behaves differently. */
  run(): Promise<void>;
}

/**
 * Returns the checks that every ledger must pass, for any test runner.
 *
 * They cover every row of the two tables in the documentation of `Ledger`, as well as `entries`, `counts`, `forget` and rival
 * claims within one process. They cannot cut the power or kill the process, so test durability with the engine itself.
 *
 * @param makeLedger Function that creates a ledger over a new and empty store. Each check calls it once and closes the
 * ledger at its end.
 * @example
 * for (const { name, run } of ledgerChecks(() => redisLedger(newRedis()))) test(name, run);
 */
export function ledgerChecks(makeLedger: () => Ledger | Promise<Ledger>): readonly LedgerCheck[] {
  const steps = Object.entries(stepChecks).map(
    ([name, taken]) => [name, (compared: Comparison) => compared.run(taken)] as const,
  );
  return [...steps, ...Object.entries(entriesChecks)].map(([name, prove]) => ({
    name,
    run: async () => {
      const ledger = await makeLedger();
      try {
        await prove(new Comparison(ledger));
      } finally {
        await ledger.close();
      }
    },
  }));
}
