import { customIssue, type ValidationIssue } from "../errors.ts";
import { assertOptions, type OptionNames } from "../options.ts";
import { quote, quoteName } from "../quote.ts";
import { pathParamSchema } from "../schemas/fields.ts";
import type { Endpoint, EndpointInput, Method, StandardSchema } from "../wire/endpoint.ts";
import type { ApiPromise } from "./api-promise.ts";
import type { Send } from "./send-of.ts";
import type { RequestOptions } from "./settings.ts";

/** Request to an operation that this package has no method for, as the argument of `request()`. */
export interface CustomRequest<T = unknown> {
  /** HTTP method. GET, HEAD, PUT and DELETE are retried; POST and PATCH only after a 429, or if no connection was made. */
  readonly method: Method;
  /** Path under the base URL, beginning with a slash; `{NAME}` stands for a parameter. Put personal data into `params`. */
  readonly path: string;
  /** Values of the parameters in `path`. The client percent-encodes them. Default: none. */
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  /** Query parameters. An array repeats its parameter, and `undefined` is left out. Default: none. */
  readonly query?:
    | Readonly<
        Record<
          string,
          string | number | boolean | readonly (string | number | boolean)[] | undefined
        >
      >
    | undefined;
  /** Body of the request, sent as JSON; not allowed for GET and HEAD. Default: none. */
  readonly json?: unknown;
  /** Standard Schema (zod, valibot, arktype, …) that the body must match. The call resolves to its output. Default: none. */
  readonly schema?: StandardSchema<T> | undefined;
}

const IDEMPOTENT_METHODS: readonly Method[] = ["GET", "HEAD", "PUT", "DELETE"];
const METHODS: readonly Method[] = ["GET", "HEAD", "PUT", "DELETE", "POST", "PATCH"];
const PLACEHOLDER = /\{(\w+)\}/g;

/** Returns whether a path stays under the base URL: it has no host, no `..`, no query and no incomplete escape. */
const staysUnderBase = (path: string): boolean =>
  /^\/(?!\/)(?:[^\\?#%\s\p{C}]|%[\da-f]{2})*$/iu.test(path) &&
  !path.split("/").some((segment) => /^(\.|%2e){1,2}$/i.test(segment));

const isQueryValue = (value: unknown): boolean =>
  ["string", "number", "boolean"].includes(typeof value) && !/\p{Cs}/u.test(`${value}`);

/** Yields the issues of a request. These checks run even if the caller turned the documented rules off. */
function* requestIssues(
  { method, path, schema }: Pick<CustomRequest, "method" | "path" | "schema">,
  { params, query, body }: EndpointInput,
  names: readonly string[],
): Generator<ValidationIssue> {
  if (!METHODS.includes(method))
    yield customIssue(`must be one of ${METHODS.join(", ")}`, ["method"]);
  if ((method === "GET" || method === "HEAD") && body !== undefined) {
    yield customIssue(`must be left out: ${method} has no body`, ["json"]);
  }
  if (!staysUnderBase(path)) {
    yield customIssue(
      "must be a path under the base URL that begins with one slash, without . or .. segments, query or fragment",
      ["path"],
    );
  }
  if (schema !== undefined && typeof Object(Object(schema)["~standard"]).validate !== "function") {
    yield customIssue("must be a Standard Schema, such as one of zod 4, valibot 1 or arktype 2", [
      "schema",
    ]);
  }
  for (const name of Object.keys({ ...params })) {
    if (names.includes(name)) continue;
    const shown = quoteName(name);
    yield customIssue(`must appear in the path as {${shown}}`, ["params", shown]);
  }
  for (const [name, value] of Object.entries({ ...query })) {
    const values = value === undefined ? [] : [value].flat();
    if (![name, ...values].every(isQueryValue)) {
      yield customIssue(
        "must be a string without half of a surrogate pair, a number, a boolean, or an array of them",
        ["query", quoteName(name)],
      );
    }
  }
}

const REQUEST_PARTS: OptionNames<CustomRequest> = {
  method: true,
  path: true,
  params: true,
  query: true,
  json: true,
  schema: true,
};

/** Calls any path under the base URL with the client's credentials, throttle, retries and errors. Never throws. */
export const sendCustom = <T>(
  send: Send,
  request: CustomRequest<T>,
  options?: RequestOptions,
): ApiPromise<T> => {
  try {
    // Any value can be spread. A request that is not an object then has no parts, and is rejected.
    const parts = assertOptions("request", { ...request }, REQUEST_PARTS, "request.");
    const { params, query, json: body } = parts;
    return send(toEndpoint(parts), { params, query, body }, options);
  } catch (thrown) {
    const refuse = () => {
      throw thrown;
    };
    return send(toEndpoint<T>({}), refuse, options);
  }
};

const toEndpoint = <T>({
  method = "?" as Method,
  path,
  schema,
}: Partial<CustomRequest<T>>): Endpoint<EndpointInput, T, T> => {
  const template = typeof path === "string" ? path : "";
  const names = [...template.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
  return {
    // Keeps phone numbers that the caller wrote into the path, instead of a parameter, out of logs.
    id: quote(`${METHODS.includes(method) ? method : "?"} ${template}`),
    method,
    path: template,
    isCustom: true,
    params: Object.fromEntries(
      names.map((name) => [
        name,
        { argument: ["params", quoteName(name)], schema: pathParamSchema },
      ]),
    ),
    refine: (sent) => requestIssues({ method, path: template, schema }, sent, names),
    schema,
    unwrap: (body) => body,
    idempotent: IDEMPOTENT_METHODS.includes(method),
  };
};
