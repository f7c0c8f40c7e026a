import type { ValidationIssue } from "../errors/validation-issue.ts";
import { redact } from "../responses/redact.ts";
import { pathParamSchema } from "../schemas/ids.ts";
import type { Endpoint, EndpointInput, Method } from "../wire/endpoint.ts";
import type { StandardSchema } from "../wire/standard-schema.ts";
import type { ApiPromise } from "./api-promise.ts";
import type { RequestOptions } from "./options.ts";
import type { Send } from "./send.ts";

/** A request to an operation that this package has no method for. */
export interface CustomRequest<T = unknown> {
  /** GET, HEAD, PUT and DELETE are repeated as retries allow; POST and PATCH only where they certainly did nothing. */
  readonly method: Method;
  /** A path under the base URL, beginning with a slash; `{NAME}` stands for a parameter. */
  readonly path: string;
  /** What fills the `{NAME}`s; percent-encoded. */
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  /** Query parameters; those that are `undefined` are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** The body, sent as JSON. */
  readonly json?: unknown;
  /** A Standard Schema (zod, valibot, arktype, …) that the answer must fit; the call resolves to its output. */
  readonly schema?: StandardSchema<T> | undefined;
}

const REPEATED_METHODS: readonly Method[] = ["GET", "HEAD", "PUT", "DELETE"];
const METHODS: readonly Method[] = [...REPEATED_METHODS, "POST", "PATCH"];
const PLACEHOLDER = /\{(\w+)\}/g;

/** Whether a path stays under the base: no other host, no way up, no query of its own, no half of an escape. */
const staysUnderBase = (path: string): boolean =>
  /^\/(?!\/)(?:[^\\?#%\s\p{C}]|%[\da-f]{2})*$/iu.test(path) &&
  !path.split("/").some((segment) => /^(\.|%2e){1,2}$/i.test(segment));

const issue = (message: string, ...path: string[]): ValidationIssue => ({
  code: "custom",
  message,
  path,
});

/** What is wrong with a request, also where the caller turned the documented rules off. */
function* problemsOf(
  { method, path, params, query, json }: CustomRequest,
  names: readonly string[],
): Generator<ValidationIssue> {
  if (!METHODS.includes(method)) yield issue(`must be one of ${METHODS.join(", ")}`, "method");
  if ((method === "GET" || method === "HEAD") && json !== undefined) {
    yield issue(`must be left out: ${method} has no body`, "json");
  }
  if (!staysUnderBase(path)) {
    yield issue(
      "must be a path under the base URL that begins with one slash, without . or .. segments, query or fragment",
      "path",
    );
  }
  for (const name of Object.keys({ ...params })) {
    if (!names.includes(name)) yield issue(`must stand in the path as {${name}}`, "params", name);
  }
  for (const [name, value] of Object.entries({ ...query })) {
    if (!["string", "number", "boolean", "undefined"].includes(typeof value)) {
      yield issue("must be a string, a number or a boolean", "query", name);
    }
  }
}

/** Calls any path under the base of a client, with its credentials, throttle, retries and errors. */
export const sendCustom = <T>(
  send: Send,
  request: CustomRequest<T>,
  options?: RequestOptions,
): ApiPromise<T> => {
  const { method, path, params, query, json, schema } = { ...request };
  const text = typeof path === "string" ? path : "";
  const names = [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
  const endpoint: Endpoint<EndpointInput, T, T> = {
    // Who wrote data into the path, instead of a parameter, should not find it in a log.
    id: redact(`${METHODS.includes(method) ? method : "?"} ${text}`, []),
    method,
    path: text,
    params: Object.fromEntries(
      names.map((name) => [name, { argument: ["params", name], schema: pathParamSchema }]),
    ),
    refine: () => problemsOf({ method, path: text, params, query, json }, names),
    schema,
    unwrap: (body) => body,
    idempotent: REPEATED_METHODS.includes(method),
  };
  return send(endpoint, { params, query, body: json }, options);
};
