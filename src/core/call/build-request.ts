import * as z from "zod/mini";
import { customIssue, ValidationError, type ValidationIssue } from "../errors.ts";
import { assertObject, invalidOption, orUndefined } from "../options.ts";
import { quoteName } from "../quote.ts";
import { toValidationIssues } from "../schemas/validation-issues.ts";
import type { TransportRequest } from "../transport/transport.ts";
import type { Endpoint, EndpointInput, PathParam } from "../wire/endpoint.ts";

export interface WireRequest extends TransportRequest {
  /** Parameters, query and unwrapped body, as they are sent. */
  readonly sent: EndpointInput;
}

/**
 * Copies query parameters as JSON values, because the caller may change the originals during a walk. A value that JSON cannot
 * represent becomes `null`, which is refused. If it were left out, a list would lack a filter and have more records.
 */
export const copyQuery = (query: object): Readonly<Record<string, unknown>> => {
  const json = JSON.stringify(assertObject("query", query), (_, value) =>
    ["function", "symbol", "bigint"].includes(typeof value) ? null : value,
  );
  if (json?.startsWith("{")) return JSON.parse(json);
  throw invalidOption("query", "an object of JSON values");
};

/**
 * Matches a string that a query contains unchanged. Most pages of a list need nothing else, and `URLSearchParams` takes much
 * longer.
 */
const PLAIN = /^[\w.*-]*$/;

const toQueryPart = (text: string): string =>
  PLAIN.test(text) ? text : new URLSearchParams([["", text]]).toString().slice(1);

/**
 * Converts query parameters to a query string. An array repeats its parameter. {@link copyQuery} has removed every `undefined`.
 */
const toQuery = (query: object): string => {
  let text = "";
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      // Converted to a string, an object would not filter anything. It may also be an option of the call in the wrong argument.
      if (typeof item === "object")
        throw invalidOption(quoteName(name), "a string, number or boolean");
      text += `${text ? "&" : "?"}${toQueryPart(name)}=${toQueryPart(String(item))}`;
    }
  }
  return text;
};

/**
 * Serializes a value of the caller exactly once. The rules, the guards and the errors read the value of this JSON, so a later
 * change of the object has no effect. Both results are `undefined` for a value that JSON omits.
 */
const serialize = (value: unknown) =>
  orUndefined(() => {
    const json: string | undefined = JSON.stringify(value);
    return { json, value: json && (JSON.parse(json) as unknown) };
  });

/** Converts a value to one path segment. Rejects `.` and `..`, which would name a different resource. */
const toSegment = (value: unknown, refuse: (message: string) => void): string => {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  if (text === undefined) refuse("must be a string or a number");
  else if (["", ".", ".."].includes(text)) refuse('must not be empty, "." or ".."');
  else if (/\p{Cs}/u.test(text)) refuse("must not contain half of a surrogate pair");
  else return encodeURIComponent(text);
  return "";
};

/** @throws A {@link ValidationError} that lists every issue of the input. */
export const buildRequest = (
  endpoint: Endpoint,
  input: EndpointInput,
  validate: boolean,
  options?: object,
): WireRequest => {
  const { method, wrap } = endpoint;
  const issues: ValidationIssue[] = [];
  const refuseAt = (path: readonly string[]) => (message: string) =>
    void issues.push(customIssue(message, path));
  /** Returns the output of a schema for a value, or the value itself if it has issues or the rules are turned off. */
  const check = (schema: z.ZodMiniType | undefined, value: unknown, path?: readonly string[]) => {
    if (!validate || !schema) return value;
    const result = z.safeParse(schema, value);
    if (result.success) return result.data;
    issues.push(...toValidationIssues(result.error.issues, path));
    return value;
  };

  let { path } = endpoint;
  const params: Readonly<Record<string, unknown>> = { ...input.params };
  for (const name of Object.keys(endpoint.params)) {
    const { argument, schema } = endpoint.params[name] as PathParam;
    const known = issues.length;
    const value = check(schema(), params[name], argument);
    if (issues.length === known) {
      const segment = toSegment(value, refuseAt(argument));
      path = path.replaceAll(`{${name}}`, () => segment);
    }
  }
  const query = input.query && copyQuery(input.query);
  if (query && !endpoint.matchesQuery?.()(query)) check(endpoint.query?.(), query);
  const given = serialize(input.body);
  if (!given) refuseAt([])("must be serializable as JSON, without cycles or bigints");
  // Most messages already equal the output of their schema. They are sent as they were serialized.
  const isUnchanged = given && endpoint.matchesBody?.()(given.value);
  const body = isUnchanged ? given.value : given && check(endpoint.body?.(), given.value);
  const sent = { params, query, body };
  if (endpoint.refine) issues.push(...endpoint.refine(sent, validate, options));
  if (issues.length > 0) throw new ValidationError(issues);

  return {
    method,
    target: query ? path + toQuery(query) : path,
    // The schema may have converted the phone number and removed fields, so the output of the schema is sent.
    body:
      wrap === undefined && body === given?.value
        ? given?.json
        : JSON.stringify(wrap === undefined ? body : { [wrap]: body }),
    sent,
  };
};
