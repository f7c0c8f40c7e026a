import * as z from "zod/mini";
import type { ValidationIssue } from "../errors.ts";
import { matcherOf } from "../schemas/shared/matcher.ts";
import { toValidationIssues } from "../schemas/shared/validation-issues.ts";
import type { Endpoint } from "../wire/endpoint.ts";
import { fieldOf } from "./field-of.ts";

/** Finds fields in a client's responses that are not as documented. */
export class DriftWatch {
  readonly #matchers = new Map<z.ZodMiniType, (body: unknown) => boolean>();
  readonly #warned = new Set<string>();

  /** Returns one issue for each field that is not as documented; `undefined` when all are. */
  issuesOf({ response }: Endpoint, body: unknown): readonly ValidationIssue[] | undefined {
    if (!response) return undefined;
    let matches = this.#matchers.get(response);
    if (!matches) {
      matches = matcherOf(response);
      this.#matchers.set(response, matches);
    }
    if (matches(body)) return undefined;
    const issues = toValidationIssues(z.safeParse(response, body).error?.issues ?? []);
    return [
      ...new Map(issues.reverse().map((issue) => [fieldOf(issue), issue])).values(),
    ].reverse();
  }

  /** Warns of each field the first time that it drifts. */
  warn({ id }: Endpoint, issues: readonly ValidationIssue[]): void {
    for (const issue of issues) {
      const field = `${id}: ${fieldOf(issue)}`;
      if (this.#warned.has(field)) continue;
      this.#warned.add(field);
      try {
        console.warn(
          `messaging-service-client: ${field} is not as documented: it ${issue.message}`,
        );
      } catch {
        // A console that throws must not turn a success into a failure.
      }
    }
  }
}
