import * as z from "zod/mini";
import { customIssue, type ValidationIssue } from "../errors.ts";
import { ignoreErrors } from "../options.ts";
import { matcherOf } from "../schemas/matcher.ts";
import { toValidationIssues } from "../schemas/validation-issues.ts";

/** Returns the path of a field without indexes, such as `lists[].counts.cleaned`. */
export const fieldOf = ({ path }: ValidationIssue): string =>
  path
    .map((key) => (typeof key === "number" ? "[]" : `.${key}`))
    .join("")
    .replace(/^\./, "");

/** Maximum number of records that zod checks: it fails on more than about a hundred thousand issues at once. */
const MAX_RECORDS = 1000;

/** Finds the fields of a client's responses that are not as documented. */
export class MismatchFinder {
  readonly #matchers = new Map<() => z.ZodMiniType, (body: unknown) => boolean>();
  readonly #warned = new Set<string>();

  /**
   * Returns one issue for each field of a body that is not as documented; `undefined` if there is none. It never throws.
   *
   * @param toSchema Returns the schema of the whole body.
   * @param isStrict Whether fields beyond the first {@link MAX_RECORDS} records count, too.
   */
  issuesOf(
    toSchema: () => z.ZodMiniType,
    body: unknown,
    isStrict: boolean,
  ): readonly ValidationIssue[] | undefined {
    let matches = this.#matchers.get(toSchema);
    if (!matches) {
      matches = matcherOf(toSchema());
      this.#matchers.set(toSchema, matches);
    }
    try {
      if (matches(body)) return undefined;
      const issues = explain(toSchema(), body as object);
      if (issues.length > 0) return issues;
      if (!isStrict) return undefined;
    } catch {
      // A single record can hold more values of wrong types than zod can report.
    }
    return [customIssue("must have the documented types everywhere")];
  }

  /** Warns of each field once. */
  warn(endpoint: string, issues: readonly ValidationIssue[]): void {
    for (const issue of issues) {
      const field = `${endpoint}: ${fieldOf(issue)}`;
      if (this.#warned.has(field)) continue;
      this.#warned.add(field);
      const warning = `messaging-service-client: ${field} is not as documented: it ${issue.message}`;
      ignoreErrors(() => console.warn(warning));
    }
  }
}

/** Returns one issue for each such field of the first records. If many items have the field, the issue names the first. */
const explain = (schema: z.ZodMiniType, body: object): readonly ValidationIssue[] => {
  const fields = Object.entries(body).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.slice(0, MAX_RECORDS) : value,
  ]);
  const { error } = z.safeParse(schema, Object.fromEntries(fields));
  const issues = toValidationIssues(error?.issues ?? []).reverse();
  return [...new Map(issues.map((issue) => [fieldOf(issue), issue])).values()].reverse();
};
