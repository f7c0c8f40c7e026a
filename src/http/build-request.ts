import * as z from "zod/mini";
import { ValidationError } from "../errors/validation-error.ts";
import type { ValidationIssue } from "../errors/validation-issue.ts";
import { toValidationIssues } from "../schemas/validation-issues.ts";
import type { Endpoint, EndpointInput, PathParam } from "../wire/endpoint.ts";

/** What goes over the wire. */
export interface WireRequest {
  readonly method: string;
  /** Path and query, to be put behind the base URL. */
  readonly target: string;
  /** JSON. */
  readonly body: string | undefined;
}

const toQuery = (query: object): string => {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  if (pairs.length === 0) return "";
  return `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
};

/** Collects what is wrong with the parts of an input. */
class Inspection {
  readonly issues: ValidationIssue[] = [];
  readonly #validate: boolean;

  constructor(validate: boolean) {
    this.#validate = validate;
  }

  /** The value as its schema leaves it. */
  check(schema: z.ZodMiniType | undefined, value: unknown, path: readonly string[] = []): unknown {
    if (!this.#validate || !schema) return value;
    const result = z.safeParse(schema, value);
    if (result.success) return result.data;
    this.issues.push(...toValidationIssues(result.error.issues, path));
    return value;
  }

  /** The value as a path segment that stays one: `.` and `..` would name another resource. */
  segment(value: unknown, argument: readonly string[]): string {
    const text = typeof value === "string" || typeof value === "number" ? String(value) : undefined;
    if (text === undefined) {
      this.#refuse("must be a string or a number", argument);
    } else if (text === "" || text === "." || text === "..") {
      this.#refuse('must not be empty, "." or ".."', argument);
    } else if (/\p{Cs}/u.test(text)) {
      this.#refuse("must not hold half of a surrogate pair", argument);
    } else {
      return encodeURIComponent(text);
    }
    return "";
  }

  json(value: unknown): string | undefined {
    try {
      return JSON.stringify(value);
    } catch {
      this.#refuse("must be something that JSON can hold: no cycle, no bigint");
      return undefined;
    }
  }

  #refuse(message: string, path: readonly string[] = []): void {
    this.issues.push({ code: "custom", message, path });
  }
}

/**
 * The request that an endpoint's input makes.
 *
 * @throws {@link ValidationError} with everything that is wrong with the input.
 */
export const buildRequest = (
  endpoint: Endpoint,
  input: EndpointInput,
  validate: boolean,
): WireRequest => {
  const inspection = new Inspection(validate);
  const { issues } = inspection;

  let path = endpoint.path;
  const params = (input.params ?? {}) as Readonly<Record<string, unknown>>;
  for (const name in endpoint.params) {
    const { argument, schema } = endpoint.params[name] as PathParam;
    const known = issues.length;
    const value = inspection.check(schema, params[name], argument);
    if (issues.length === known) {
      const segment = inspection.segment(value, argument);
      path = path.replaceAll(`{${name}}`, () => segment);
    }
  }
  const query = input.query && inspection.check(endpoint.query, input.query);
  const body = inspection.check(endpoint.body, input.body);
  if (endpoint.refine) issues.push(...endpoint.refine(input, validate));
  const json = inspection.json(endpoint.wrap === undefined ? body : { [endpoint.wrap]: body });
  if (issues.length > 0) throw new ValidationError(issues, {}, { endpoint: endpoint.id });

  return {
    method: endpoint.method,
    target: query ? path + toQuery(query) : path,
    body: json,
  };
};
