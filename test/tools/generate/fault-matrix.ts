import { FAULT_MATRIX, type Fault } from "../../support/tables/fault-matrix.ts";
import { toTable } from "../write-report.ts";

/** Returns the number of requests that the service receives or, if it receives none, the number of attempts. */
const requestsOf = ({ attempts, waitMs }: Fault, seen: number): string => {
  if (attempts) return `${seen} (${attempts} ${attempts === 1 ? "try" : "tries"})`;
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

/** Maximum number of faults in a row that lists all of them. */
const MAX_NAMES = 8;

/** Returns the rows of a group. All faults of a row have the same result. */
const rowsOf = (group: string, faults: readonly Fault[]): readonly string[][] => {
  const isFirst = (fault: Fault, index: number) =>
    faults.findIndex((other) => `${resultOf(other)}` === `${resultOf(fault)}`) === index;
  return faults.filter(isFirst).map((first, index) => {
    const same = faults.filter((fault) => `${resultOf(fault)}` === `${resultOf(first)}`);
    const isLong = same.length > MAX_NAMES;
    const shown = same.slice(0, isLong ? MAX_NAMES / 2 : MAX_NAMES).map(({ fault }) => fault);
    const names = [...shown, ...(isLong ? [`${same.length - shown.length} more`] : [])].join("; ");
    return [index === 0 ? `**${group}**: ${names}` : names, ...resultOf(first)];
  });
};

const HEAD = ["what happens", "error", "`outcome`", "GET, PUT, DELETE", "POST"];

/** Returns the table of faults that the tests run, in Markdown. */
export const faultMatrix = (): string =>
  toTable([HEAD, ...FAULT_MATRIX.flatMap(({ group, faults }) => rowsOf(group, faults))]);
