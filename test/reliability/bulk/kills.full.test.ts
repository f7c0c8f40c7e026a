import { CONDITIONS } from "../../support/kills/kill-task.ts";
import { type Series, testKills } from "./kill-tests.ts";

testKills([
  { ledger: "SQLite", processes: 1, kills: 6, seed: 1 },
  { ledger: "SQLite", processes: 3, kills: 5, seed: 2 },
  ...CONDITIONS.map(
    (condition) =>
      ({ ledger: "SQLite", processes: 2, kills: 4, seed: 4, condition }) satisfies Series,
  ),
  { ledger: "Postgres", processes: 2, kills: 4, seed: 5, condition: "late ledger" },
  { ledger: "Postgres", processes: 3, kills: 5, seed: 3 },
]);
