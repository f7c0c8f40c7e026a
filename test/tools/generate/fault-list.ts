import { faultTable } from "../../../src/testing/fake/fault-table.ts";
import { toTable } from "../write-report.ts";

/** Returns the table of the faults that the fake service can simulate. */
export const faultList = (): string =>
  toTable([
    ["fault", "the fake"],
    ...Object.entries(faultTable).map(([name, { does }]) => [`\`${name}\``, does]),
  ]);
