import { ledgerChecks } from "messaging-service-client/testing";
import { describe, test } from "vitest";
import { memoryLedger } from "../../../src/bulk/ledgers/memory-ledger.ts";

describe("a ledger in memory", () => {
  test.each(ledgerChecks(memoryLedger))("a ledger in memory passes the check: $name", ({ run }) =>
    run(),
  );
});
