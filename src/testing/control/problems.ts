import type * as z from "zod/mini";
import type { ProblemView } from "./views.ts";

/** Error for a control call whose input breaks a rule. */
export class InputError extends Error {
  readonly problems: readonly ProblemView[];

  constructor(problems: readonly ProblemView[]) {
    super("Validation failed");
    this.name = "InputError";
    this.problems = problems;
  }
}

/** Converts the issues of a schema; each unknown field becomes a separate problem. */
export const toProblems = (issues: readonly z.core.$ZodIssue[]): readonly ProblemView[] =>
  issues.flatMap((issue): ProblemView[] => {
    const path = issue.path.map((key) => (typeof key === "number" ? key : String(key)));
    if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
    return issue.keys.map((key) => ({ path: [...path, key], message: "is not a known field" }));
  });

/**
 * Converts the `TypeError` of a method of the fake, such as `addList: id 17 is taken`, whose problems begin with the
 * name of their field.
 */
export const toFieldProblems = (
  { message }: TypeError,
  fields: readonly string[],
): readonly ProblemView[] =>
  message
    .replace(/^\w+: /, "")
    .split("; ")
    .map((problem) => {
      const [, path = "", rest = ""] = /^([\w.]+)(?:: | )(.*)$/s.exec(problem) ?? [];
      const keys = path.split(".");
      return fields.includes(keys[0] ?? "")
        ? { path: keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key)), message: rest }
        : { path: [], message: problem };
    });
