import { afterAll, beforeAll, expect, test } from "vitest";
import { type KillSeries, runKillSeries } from "../../support/kills/kill-series.ts";
import { CONDITIONS } from "../../support/kills/kill-task.ts";
import { type PostgresServer, startPostgres } from "../../support/servers/postgres-server.ts";

const TIMEOUT_MS = 300_000;
const MESSAGES = 500;

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
}, TIMEOUT_MS);
afterAll(() => postgres[Symbol.asyncDispose]());

/** Runs a series and checks the guarantee: a kill leaves at most the keys in doubt that were on the wire of that process. */
const prove = async (series: KillSeries) => {
  const report = await runKillSeries(series);
  expect(report.violations).toEqual([]);
  // Two processes may be killed at the same moment.
  expect(report.kills).toBeGreaterThanOrEqual(series.kills);
  // The kills met requests on the wire, and the faults met sends.
  expect(report.sending).toBeGreaterThan(0);
  expect(report.unknown).toBeGreaterThan(0);
  return report;
};

test(
  "no key is sent twice and none is forgotten by a process that is killed 200 times, with SQLite",
  async () => {
    await prove({ seed: 1, kills: 200, processes: 1, messages: MESSAGES });
  },
  TIMEOUT_MS,
);

test(
  "no key is sent twice and none is forgotten by three processes on one SQLite file that are killed 60 times",
  async () => {
    await prove({ seed: 2, kills: 60, processes: 3, messages: MESSAGES });
  },
  TIMEOUT_MS,
);

test.each(CONDITIONS)(
  "no key is sent twice, none is forgotten and none gets another's text by two processes that are killed 40 times: %s",
  async (condition) => {
    await prove({ seed: 4, kills: 40, processes: 2, messages: MESSAGES, condition });
  },
  TIMEOUT_MS,
);

test(
  "no key is sent twice and none is forgotten by two processes that are killed 40 times, on a Postgres whose statements arrive late",
  async () => {
    const condition = "late ledger";
    await prove({ seed: 5, kills: 40, processes: 2, messages: MESSAGES, condition, postgres });
  },
  TIMEOUT_MS,
);

test(
  "no key is sent twice and none is forgotten by three processes that are killed 60 times, on a Postgres that crashes in between",
  async () => {
    const { crashes } = await prove({
      seed: 3,
      kills: 60,
      processes: 3,
      messages: MESSAGES,
      postgres,
    });
    expect(crashes).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
