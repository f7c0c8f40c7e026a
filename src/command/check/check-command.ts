// Checks whether the base URLs and keys work, and whether the service behaves as documented. Changes nothing and texts nobody.
import { styleText } from "node:util";
import { type OptionProblem, problemsOf } from "../../core/options.ts";
import { flag, parseCommand, UsageError, wrap } from "../terminal/arguments.ts";
import { formatCountOf } from "../terminal/print.ts";
import type { Target } from "./diagnose.ts";
import { checkTransactional, checkV2, type Step } from "./steps.ts";

export const CHECK = {
  usage: "check [options]",
  summary:
    "Checks that your base URLs and keys work, and that the service behaves as documented. It reads the account, one page of lists, one list and its scheduled messages, and posts a message without a phone number, which must be refused. It changes nothing and texts nobody.",
  flags: {
    "base-url": flag("<url>", "base URL of version 2 (default: MESSAGING_V2_BASE_URL)"),
    email: flag("<address>", "e-mail address of the account (default: MESSAGING_V2_EMAIL)"),
    "api-key": flag("<key>", "API key of version 2 (default: MESSAGING_V2_API_KEY)"),
    "transactional-base-url": flag(
      "<url>",
      "base URL of the transactional API (default: MESSAGING_TRANSACTIONAL_BASE_URL)",
    ),
    "transactional-api-key": flag(
      "<key>",
      "API key of the transactional API (default: MESSAGING_TRANSACTIONAL_API_KEY)",
    ),
    "no-post": { help: "skip the POST, and with it the check of the transactional API" },
    strict: { help: "also exit with 1 if a response is not as documented" },
    json: { help: "print JSON, for example to attach to an issue about the service" },
  },
  notes:
    "Either API is optional. Except in quotations of the service and names of\nnew fields, no key, phone number, name or text is printed.",
};

type Options = Readonly<Partial<Record<"baseUrl" | "email" | "apiKey", keyof typeof CHECK.flags>>>;

/** Both APIs, with the flags for the options of their clients, and the prefix of the variables that the clients read. */
const APIS = [
  {
    api: "version 2",
    flags: { baseUrl: "base-url", email: "email", apiKey: "api-key" },
    prefix: "MESSAGING_V2_",
    check: checkV2,
  },
  {
    api: "transactional",
    flags: { baseUrl: "transactional-base-url", apiKey: "transactional-api-key" },
    prefix: "MESSAGING_TRANSACTIONAL_",
    check: checkTransactional,
  },
] as const;

interface ShownStep extends Step {
  readonly api: Target["api"];
}

/** Returns the step that reports invalid options of a client. */
const settingsStep = (
  problems: readonly OptionProblem[],
  { variables }: Target,
  flags: Options,
): Step => {
  const named = problems.map(({ option, expected }) => ({
    name: option as keyof Options,
    what: expected === undefined ? "is missing" : `must be ${expected}`,
  }));
  return {
    step: "settings",
    result: "failed",
    text: named.map(({ name, what }) => `${variables[name]} ${what}`).join("; "),
    todo: `Correct it, or pass ${named.map(({ name }) => `--${flags[name]}`).join(" and ")}.`,
  };
};

const styled = (style: Parameters<typeof styleText>[0], text: string): string =>
  styleText(style, text, { stream: process.stdout });

const MARKS = {
  passed: styled("green", "✓"),
  failed: styled("red", "✗"),
  skipped: styled("dim", "–"),
};

const INDENT = " ".repeat(33);

const beside = (text: string): string => {
  const width = Math.max(30, (process.stdout.columns ?? 100) - INDENT.length);
  return wrap(text, width).join(`\n${INDENT}`);
};

/** Returns whether a step that proves the base URL and the key has passed for each API that responded. */
const isShown = (steps: readonly ShownStep[]): boolean => {
  const proofs = steps.filter(({ result, step }) => result === "passed" && step !== "clock");
  const asked = steps.filter(({ status }) => status !== undefined);
  return asked.length > 0 && asked.every(({ api }) => proofs.some((proof) => proof.api === api));
};

const printStep = (step: ShownStep, steps: readonly ShownStep[]): void => {
  const isFirst = steps.findIndex(({ api }) => api === step.api) === steps.length - 1;
  if (isFirst) console.log(`${steps.length > 1 ? "\n" : ""}${styled("bold", step.api)}`);
  const time = step.durationMs === undefined ? "" : `${step.durationMs} ms`;
  const columns = `${step.step.padEnd(20)}${time.padStart(8)}`;
  console.log(`${MARKS[step.result]} ${columns}   ${beside(step.text)}`);
  if (step.todo !== undefined) console.log(`${INDENT}${styled("bold", beside(`→ ${step.todo}`))}`);
};

const printReport = (steps: readonly ShownStep[]): void => {
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
  const success = isShown(steps)
    ? styled("green", `${tried} passed`)
    : styled("red", "no step shows that the base URL and the key work");
  const verdict = failed > 0 ? styled("red", `${failed} of ${tried} failed`) : success;
  const drift =
    mismatches.length > 0 ? `; ${formatCountOf(mismatches.length, "field")} not as documented` : "";
  console.log(`\n${verdict}${drift}`);
};

export const run = async (args: readonly string[]): Promise<number> => {
  const values = parseCommand(args, CHECK);
  if (!values) return 0;
  const toTarget = ({ api, flags, prefix }: (typeof APIS)[number]): Target => {
    const variables = {
      baseUrl: `${prefix}BASE_URL`,
      email: `${prefix}EMAIL`,
      apiKey: `${prefix}API_KEY`,
    };
    const read = (name: keyof Options) => {
      const flag = (flags as Options)[name];
      return flag && (String(values[flag] ?? process.env[variables[name]] ?? "") || undefined);
    };
    const baseUrl = read("baseUrl")?.replace(/\/+$/, "") || undefined;
    return { api, variables, baseUrl, email: read("email"), apiKey: read("apiKey") };
  };
  const apis = APIS.map((row) => ({ ...row, target: toTarget(row) })).filter(
    ({ target }) => (target.baseUrl ?? target.email ?? target.apiKey) !== undefined,
  );
  if (apis.length === 0) {
    throw new UsageError(
      "Nothing to check: set MESSAGING_V2_BASE_URL, MESSAGING_V2_EMAIL and MESSAGING_V2_API_KEY, or MESSAGING_TRANSACTIONAL_BASE_URL and MESSAGING_TRANSACTIONAL_API_KEY, or pass the flags.",
    );
  }
  const steps: ShownStep[] = [];
  for (const { api, target, flags, check } of apis) {
    const show = (step: Step): void => {
      const shown = { api, ...step };
      steps.push(shown);
      if (!values.json) printStep(shown, steps);
    };
    const other = apis.find((known) => known.target !== target)?.target;
    try {
      for await (const step of check({ target, other, mayPost: !values["no-post"] })) show(step);
    } catch (error) {
      const problems = problemsOf(error);
      if (!problems) throw error;
      show(settingsStep(problems, target, flags));
    }
  }
  const hasFailed = steps.some(({ result }) => result === "failed");
  const mismatches = steps.flatMap((step) => step.mismatches ?? []);
  const passed = isShown(steps) && !hasFailed && (mismatches.length === 0 || !values.strict);
  if (values.json) console.log(JSON.stringify({ passed, steps }, null, 2));
  else printReport(steps);
  return passed ? 0 : 1;
};
