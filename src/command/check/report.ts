import { styleText } from "node:util";
import { formatCountOf } from "../terminal/print.ts";
import type { Step } from "./steps.ts";

type Style = "green" | "red" | "yellow" | "dim" | "bold";

const styled = (style: Style, text: string): string =>
  styleText(style, text, { stream: process.stdout });

const MARKS = {
  passed: styled("green", "✓"),
  failed: styled("red", "✗"),
  skipped: styled("dim", "–"),
};

/** Width of the columns before the text of a step. */
const INDENT = " ".repeat(33);

/** Breaks a text into lines beside the columns of a step. */
const beside = (text: string): string => {
  const width = Math.max(30, (process.stdout.columns ?? 100) - INDENT.length);
  const lines = text.match(new RegExp(`\\S.{0,${width - 1}}(?=\\s|$)`, "g")) ?? [text];
  return lines.join(`\n${INDENT}`);
};

/** Prints the line of a step, after the name of its API if it is the first. */
export const printStep = (step: Step, steps: readonly Step[]): void => {
  const isFirst = steps.findIndex(({ api }) => api === step.api) === steps.length - 1;
  if (isFirst) console.log(`${steps.length > 1 ? "\n" : ""}${styled("bold", step.api)}`);
  const time = step.durationMs === undefined ? "" : `${step.durationMs} ms`;
  const columns = `${step.step.padEnd(20)}${time.padStart(8)}`;
  console.log(`${MARKS[step.result]} ${columns}   ${beside(step.text)}`);
  if (step.todo !== undefined) console.log(`${INDENT}${styled("bold", beside(`→ ${step.todo}`))}`);
};

/** Prints how the responses differ from the documentation, and how the check ended. */
export const printReport = (steps: readonly Step[]): void => {
  const responses = steps.filter(({ status }) => status !== undefined);
  const mismatches = responses.flatMap(({ endpoint, mismatches = [] }) =>
    mismatches.map((mismatch) => ({ endpoint, ...mismatch })),
  );
  if (mismatches.length > 0) console.log(`\n${styled("bold", "not as documented")}`);
  const width = Math.max(0, ...mismatches.map(({ field }) => field.length));
  let last: string | undefined;
  for (const { endpoint, field, problem, found, documented } of mismatches) {
    if (endpoint !== last) console.log(`  ${endpoint}`);
    last = endpoint;
    const what = {
      new: `new: ${found}`,
      missing: `missing; documented: ${documented}`,
      type: `${found}; documented: ${documented}`,
    }[problem];
    console.log(`  ${styled("yellow", "!")} ${field.padEnd(width)}  ${what}`);
  }
  if (responses.length > 0) {
    const statuses = responses.map(({ status }) => status).join(", ");
    const headers = new Set(responses.flatMap(({ limitHeaders = [] }) => limitHeaders));
    console.log(`\n${styled("bold", "not documented, seen here")}`);
    console.log(`  statuses ${statuses}; ${[...headers].join(", ") || "no headers about limits"}`);
  }
  const failed = steps.filter(({ result }) => result === "failed").length;
  const tried = formatCountOf(steps.filter(({ result }) => result !== "skipped").length, "step");
  const verdict =
    failed > 0 ? styled("red", `${failed} of ${tried} failed`) : styled("green", `${tried} passed`);
  const drift =
    mismatches.length > 0 ? `; ${formatCountOf(mismatches.length, "field")} not as documented` : "";
  console.log(`\n${verdict}${drift}`);
};
