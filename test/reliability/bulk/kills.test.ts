import { expect, test } from "vitest";
import { type KillSeries, runKillSeries } from "../../support/kills/kill-series.ts";
import { CONDITIONS } from "../../support/kills/kill-task.ts";
import { casesOfRing } from "../../support/ring.ts";
import { startPostgres } from "../../support/servers/postgres-server.ts";

const TIMEOUT_MS = 300_000;

interface Series extends Omit<KillSeries, "messages" | "postgres"> {
  readonly ledger: "SQLite" | "Postgres";
  /** Whether it belongs to the first ring. */
  readonly isShort?: boolean;
}

const ALL_SERIES: readonly Series[] = [
  { ledger: "SQLite", processes: 1, kills: 36, seed: 6, isShort: true },
  { ledger: "SQLite", processes: 1, kills: 40, seed: 1 },
  { ledger: "SQLite", processes: 3, kills: 20, seed: 2 },
  ...CONDITIONS.map(
    (condition) =>
      ({ ledger: "SQLite", processes: 2, kills: 12, seed: 4, condition }) satisfies Series,
  ),
  { ledger: "Postgres", processes: 2, kills: 12, seed: 5, condition: "late ledger" },
  { ledger: "Postgres", processes: 3, kills: 20, seed: 3 },
];
const SERIES = casesOfRing(ALL_SERIES, ({ isShort = false }) => isShort).map((series) => ({
  ...series,
  // The Postgres server also crashes, unless its statements are late.
  event:
    series.condition ?? (series.ledger === "Postgres" ? "crashes of the ledger" : "nothing else"),
}));

test.each(SERIES)(
  "kills lose no key, repeat none and mix up no texts: $processes × $ledger, $kills kills, and $event",
  async ({ ledger, isShort: _, event: __, ...series }) => {
    await using postgres = ledger === "Postgres" ? await startPostgres() : undefined;
    const report = await runKillSeries({ ...series, messages: 500, postgres });
    expect(report.violations).toEqual([]);
    // Two processes may be killed at the same moment.
    expect(report.kills).toBeGreaterThanOrEqual(series.kills);
    // Kills met requests on the wire, and faults met sends.
    expect(report.sending).toBeGreaterThan(0);
    expect(report.unknown).toBeGreaterThan(0);
    if (postgres && !series.condition) expect(report.crashes).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
