import { CODES, FAULT_MATRIX, type Fault } from "../../support/tables/fault-matrix.ts";
import { toTable } from "../write-report.ts";

/** Returns a span of code; words that hold a backtick stand between two. */
const inCode = (words: string) => (words.includes("`") ? `\`\` ${words} \`\`` : `\`${words}\``);

const errorOf = ({ error }: Fault): string =>
  error === undefined ? "none: the call succeeds" : `\`${error}\`, \`${CODES[error]}\``;

/** Returns how often the service sees a request or, if it sees none, how often the client tries. */
const requestsOf = ({ attempts, waitMs }: Fault, seen: number): string => {
  if (attempts) return `${seen} (${attempts} tries)`;
  return waitMs === undefined ? String(seen) : `${seen}, each ${waitMs / 1000} s later`;
};

const rowOf = (fault: Fault): string[] => {
  const { seen, outcome, says } = fault;
  return [
    fault.fault,
    errorOf(fault),
    outcome === undefined ? "" : `\`${outcome}\``,
    // Only a client that sends has `allowRecipient`.
    ...seen.map((count, post) => (fault.allowRecipient && !post ? "" : requestsOf(fault, count))),
    // A short quotation shows as much as a long one.
    says === undefined ? "" : inCode(says.replace(/(.)\1{9,}/, "$1$1$1")),
  ];
};

const HEAD = ["what happens", "error, `code`", "`outcome`", "GET, PUT, DELETE", "POST", "message"];

/** Returns the table of faults that the tests run, in Markdown. */
export function faultMatrix(): string {
  return FAULT_MATRIX.map(({ group, faults }) =>
    [`### ${group}`, "", toTable([HEAD, ...faults.map(rowOf)])].join("\n"),
  ).join("\n\n");
}
