// Checks that a ledger keeps its promises beside millions of entries.
import type { Ledger } from "messaging-service-client/bulk";
import { ledgerChecks } from "messaging-service-client/testing";
import { type KillSeries, runKillSeries } from "../../support/kills/kill-series.ts";
import { BATCH } from "./scale-ledgers.ts";

const KILLS = 60;

/** Returns the ledger without the entries that fill its table, whose claims are the latest. Its `close` deletes all others. */
const withoutFilling = (ledger: Ledger): Ledger => {
  const batches = new Set<string>();
  let isClosed = false;
  return {
    find: (...args) => ledger.find(...args),
    claim: (claim) => {
      batches.add(claim.batch);
      return ledger.claim(claim);
    },
    settle: (claim, result) => {
      batches.add(claim.batch);
      return ledger.settle(claim, result);
    },
    resolve: (...args) => ledger.resolve(...args),
    confirm: (...args) => ledger.confirm(...args),
    counts: (batch) => ledger.counts(batch),
    forget: (filter) => ledger.forget(filter),
    async *entries(filter) {
      for await (const entry of ledger.entries(filter)) {
        if (entry.batch === BATCH) return;
        yield entry;
      }
    },
    close: async () => {
      if (!isClosed) for (const batch of batches) await ledger.forget({ batch });
      isClosed = true;
      await ledger.close();
    },
  };
};

/** Runs all checks of a ledger and a series of kills on a table that is filled. Resolves to a sentence about it, or rejects. */
export const checkLedger = async (
  name: string,
  openLedger: () => Ledger,
  place: Pick<KillSeries, "file" | "postgres" | "table">,
): Promise<string> => {
  const checks = ledgerChecks(() => withoutFilling(openLedger()));
  for (const { name: title, run } of checks) {
    await run().catch((error: unknown) => {
      throw new Error(`${name}: ${title}`, { cause: error });
    });
  }
  const series = { seed: 8, kills: KILLS, processes: 3, messages: 500, ...place };
  const { kills, sent, crashes, violations } = await runKillSeries(series);
  if (violations.length > 0) throw new Error(`${name}: ${violations.join("; ")}`);
  const and = crashes > 0 ? ` and ${crashes} crashes of the database` : "";
  const line = `${name}: all ${checks.length} checks of \`ledgerChecks\` passed; under ${kills} kills of three processes${and}, ${sent} messages were sent, none twice, and none was forgotten.`;
  console.log(line);
  return line;
};
