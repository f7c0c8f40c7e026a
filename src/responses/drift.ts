import * as z from "zod/mini";
import type { ValidationIssue } from "../errors.ts";
import { ignoreErrors } from "../options.ts";
import { matcherOf } from "../schemas/shared/matcher.ts";
import { toValidationIssues } from "../schemas/shared/validation-issues.ts";
import type { Endpoint } from "../wire/endpoint.ts";
import { fieldOf } from "./field-of.ts";
import { isJsonObject } from "./json.ts";

/** Number of records that are explained at a time: zod fails on more than about a hundred thousand issues at once. */
const MAX_RECORDS = 1000;

/** Finds fields in a client's responses that are not as documented. */
export class DriftWatch {
  readonly #matchers = new Map<z.ZodMiniType, (body: unknown) => boolean>();
  readonly #warned = new Set<string>();

  /**
   * Returns one issue for each field that is not as documented; `undefined` if there is none. It never throws.
   *
   * @param all Whether to look for the first issue beyond the first thousand records, too.
   */
  issuesOf(
    { response }: Endpoint,
    body: unknown,
    all: boolean,
  ): readonly ValidationIssue[] | undefined {
    if (!response) return undefined;
    let matches = this.#matchers.get(response);
    if (!matches) {
      matches = matcherOf(response);
      this.#matchers.set(response, matches);
    }
    if (fits(matches, body)) return undefined;
    const records = isJsonObject(body) ? Object.values(body).filter(Array.isArray) : [];
    const length = all ? Math.max(0, ...records.map((array) => array.length)) : 0;
    for (let from = 0; from <= length; from += MAX_RECORDS) {
      const issues = explain(response, body, from);
      if (issues.length > 0) return issues;
    }
    return undefined;
  }

  /** Warns of each field the first time that it drifts. */
  warn({ id }: Endpoint, issues: readonly ValidationIssue[]): void {
    for (const issue of issues) {
      const field = `${id}: ${fieldOf(issue)}`;
      if (this.#warned.has(field)) continue;
      this.#warned.add(field);
      const warning = `messaging-service-client: ${field} is not as documented: it ${issue.message}`;
      ignoreErrors(() => console.warn(warning));
    }
  }
}

const fits = (matches: (body: unknown) => boolean, body: unknown): boolean => {
  try {
    return matches(body);
  } catch {
    // zod checks what the matcher does not know, and can fail on too many issues.
    return false;
  }
};

/** Returns a body with a thousand of the records of each of its arrays. */
const recordsOf = (body: unknown, from: number): unknown => {
  if (!isJsonObject(body)) return body;
  const fields = Object.entries(body).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.slice(from, from + MAX_RECORDS) : value,
  ]);
  return Object.fromEntries(fields);
};

/** Returns one issue for each field within a thousand records; one index stands for all items of an array. */
const explain = (
  schema: z.ZodMiniType,
  body: unknown,
  from: number,
): readonly ValidationIssue[] => {
  try {
    const { error } = z.safeParse(schema, recordsOf(body, from));
    const byField = new Map<string, ValidationIssue>();
    for (const issue of toValidationIssues(error?.issues ?? [])) {
      const field = fieldOf(issue);
      const path = issue.path.map((key, depth) =>
        depth === 1 && typeof key === "number" ? key + from : key,
      );
      if (!byField.has(field)) byField.set(field, { ...issue, path });
    }
    return [...byField.values()];
  } catch {
    // A single record can hold more drifted values than zod reports.
    return [
      { code: "custom", path: [], message: "must be as documented, in too many fields to list" },
    ];
  }
};
