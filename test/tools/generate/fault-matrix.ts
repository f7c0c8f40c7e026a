import { FAULT_MATRIX, type Fault } from "../../support/tables/fault-matrix.ts";
import { toTable } from "../write-report.ts";

/** Returns how often the service sees a request or, if it sees none, how often the client tries. */
const requestsOf = ({ attempts, waitMs }: Fault, seen: number): string => {
  if (attempts) return `${seen} (${attempts} tries)`;
  return waitMs === undefined ? String(seen) : `${seen}, each ${waitMs / 1000} s later`;
};

const resultOf = (fault: Fault): string[] => [
  fault.error === undefined ? "none" : `\`${fault.error}\``,
  fault.outcome === undefined ? "" : `\`${fault.outcome}\``,
  // Only a client that sends has `allowRecipient`.
  ...fault.seen.map((count, post) =>
    fault.allowRecipient && !post ? "" : requestsOf(fault, count),
  ),
];

/** Returns rows of a group; the faults of a row have one result. */
const rowsOf = (group: string, faults: readonly Fault[]): readonly string[][] => {
  const isFirst = (fault: Fault, index: number) =>
    faults.findIndex((other) => `${resultOf(other)}` === `${resultOf(fault)}`) === index;
  return faults.filter(isFirst).map((first, index) => {
    const same = faults.filter((fault) => `${resultOf(fault)}` === `${resultOf(first)}`);
    const names = same.map(({ fault }) => fault).join("; ");
    return [index === 0 ? `**${group}**: ${names}` : names, ...resultOf(first)];
  });
};

const HEAD = ["what happens", "error", "`outcome`", "GET, PUT, DELETE", "POST"];

/** Returns the table of faults that the tests run, in Markdown. */
export const faultMatrix = (): string =>
  toTable([HEAD, ...FAULT_MATRIX.flatMap(({ group, faults }) => rowsOf(group, faults))]);
