import { faultTable } from "../../../src/testing/fake/fault-table.ts";
import { toTable } from "../write-report.ts";

/** Returns the table of the faults that the fake service can simulate. */
export const faultList = (): string =>
  toTable([
    ["fault", "what the fake does with the request"],
    ...Object.entries(faultTable).map(([name, { does }]) => [`\`${name}\``, does]),
  ]);
