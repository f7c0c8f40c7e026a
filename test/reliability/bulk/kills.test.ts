import { testKills } from "./kill-tests.ts";

testKills([{ ledger: "SQLite", processes: 1, kills: 16, seed: 6 }]);
