import { describe, expect, test } from "vitest";
import { DEFAULT_CARRIER } from "../../support/carriers.ts";
import { NEWEST_DISPATCHER } from "../../support/dispatchers.ts";
import { FAULTS, testFaults, testWaits } from "./fault-tests.ts";

testFaults([DEFAULT_CARRIER, NEWEST_DISPATCHER]);
testWaits([DEFAULT_CARRIER]);

describe("the table of faults", () => {
  test("a POST that the service may have processed is sent only once", () => {
    for (const { name, error, outcome, seen } of FAULTS) {
      const mayBeDone = error === undefined || outcome === "unknown" || outcome === "done";
      if (mayBeDone) expect(seen[1], name).toBe(1);
    }
  });

  test("a POST is retried only after a 429 or without a connection", () => {
    for (const { name, error, outcome, seen } of FAULTS) {
      if (error !== "RateLimitError" && outcome !== "not_sent") expect(seen[1], name).toBe(1);
    }
  });
});
