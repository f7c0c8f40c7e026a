import { testKills } from "./kill-tests.ts";

// kills.test.ts covers one process without a condition.
testKills([
  { ledger: "SQLite", processes: 3, kills: 4, seed: 2, condition: "refusals in HTML" },
  { ledger: "SQLite", processes: 2, kills: 4, seed: 4, condition: "late ledger" },
  { ledger: "SQLite", processes: 2, kills: 3, seed: 4, condition: "changing guard" },
  { ledger: "Postgres", processes: 2, kills: 4, seed: 5, condition: "late ledger" },
  { ledger: "Postgres", processes: 3, kills: 4, seed: 3 },
]);
