import { expect, test } from "vitest";
import { type KillSeries, runKillSeries } from "../../support/kills/kill-series.ts";
import { startPostgres } from "../../support/servers/postgres-server.ts";

const TIMEOUT_MS = 300_000;

export interface Series extends Omit<KillSeries, "messages" | "postgres"> {
  readonly ledger: "SQLite" | "Postgres";
}

/** Tests that killed processes lose no key, send none twice and mix up no texts. */
export const testKills = (series: readonly Series[]): void => {
  const cases = series.map((each) => ({
    ...each,
    // The Postgres server also crashes, unless its statements are late.
    event:
      each.condition ?? (each.ledger === "Postgres" ? "crashes of the ledger" : "nothing else"),
  }));
  test.each(cases)(
    "kills lose no key, repeat none and mix up no texts: $processes × $ledger, $kills kills, and $event",
    async ({ ledger, event: _, ...series }) => {
      await using postgres = ledger === "Postgres" ? await startPostgres() : undefined;
      const report = await runKillSeries({ ...series, messages: 300, postgres });
      expect(report.violations).toEqual([]);
      // One kill may end two processes at the same moment.
      expect(report.kills).toBeGreaterThanOrEqual(series.kills);
      // Some kills happened during requests, and some faults during sends.
      expect(report.sending).toBeGreaterThan(0);
      expect(report.unknown).toBeGreaterThan(0);
      if (postgres && !series.condition) expect(report.crashes).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
};
