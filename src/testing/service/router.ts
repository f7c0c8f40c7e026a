import * as z from "zod/mini";
import { orUndefined } from "../../core/options.ts";
import { toValidationIssues } from "../../core/schemas/validation-issues.ts";
import { parseJson } from "../../core/wire/encodings.ts";
import type { Endpoint } from "../../core/wire/endpoint.ts";
import type * as transactional from "../../core/wire/transactional.ts";
import type * as v2 from "../../core/wire/v2.ts";
import type { FakeRequest, FakeResponse } from "../fake/exchange.ts";
import type { FakeWorld } from "../fake/world.ts";
import type { FakeApi, HandledEndpoint } from "./handler.ts";
import type { ApiRateLimits } from "./limits.ts";
import { transactionalApi } from "./transactional-handlers.ts";
import { v2Api } from "./v2-handlers.ts";

/** An endpoint of the service: method and path template, such as `"GET /api/v2/lists/{ID}"`. */
export type FakeEndpoint =
  | (typeof v2)[keyof typeof v2]["id"]
  | (typeof transactional)[keyof typeof transactional]["id"];

export const endpointIds = [...v2Api.handlers, ...transactionalApi.handlers].map(
  ({ endpoint }) => endpoint.id as FakeEndpoint,
);

export interface MatchedRoute extends HandledEndpoint {
  readonly params: Readonly<Record<string, string>>;
}

export interface RoutedRequest {
  readonly request: FakeRequest;
  /** Route of the request; `undefined` when none matches. */
  readonly route: MatchedRoute | undefined;
}

const decode = (segment: string): string =>
  orUndefined(() => decodeURIComponent(segment)) ?? segment;

/** Returns the path parameters if a path matches a template; a `{NAME}` matches one segment. */
export const matchPath = (template: string, path: string): Record<string, string> | undefined => {
  const expected = template.split("/");
  const segments = path.split("/");
  if (expected.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const segment = segments[index] ?? "";
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== segment : segment === "") return undefined;
    if (name !== undefined) params[name] = decode(segment);
  }
  return params;
};

/** Returns the API that a request is for, even when no route matches. */
export const apiOf = ({ path }: FakeRequest): FakeApi =>
  path.startsWith("/api/v2/") ? v2Api : transactionalApi;

export const findRoute = (request: FakeRequest): MatchedRoute | undefined => {
  for (const handler of apiOf(request).handlers) {
    const { method, path } = handler.endpoint;
    const params = method === request.method && matchPath(path, request.path);
    if (params) return { ...handler, params };
  }
  return undefined;
};

/** Checks a query: a string becomes a number or a boolean where its schema expects one. */
const checkQuery = ({ query: toSchema }: Endpoint, query: FakeRequest["query"]) => {
  const schema = toSchema?.();
  if (!schema) return { query, issues: [] };
  const typed: Record<string, unknown> = { ...query };
  for (const issue of z.safeParse(schema, query).error?.issues ?? []) {
    const name = String(issue.path[0]);
    const value = query[name] ?? "";
    if (issue.code !== "invalid_type") continue;
    if (/^(true|false)$/.test(value)) typed[name] = value === "true";
    else if (/^-?\d+$/.test(value)) typed[name] = Number(value);
  }
  const { error } = z.safeParse(schema, typed);
  return { query: typed, issues: toValidationIssues(error?.issues ?? []) };
};

/** Checks a body. Returns the output of its schema and its issues. */
const checkBody = ({ body: toSchema, wrap }: Endpoint, json: unknown) => {
  const schema = toSchema?.();
  if (!schema) return { body: undefined, issues: [] };
  const value = wrap === undefined ? json : (json as Record<string, unknown> | null)?.[wrap];
  const result = z.safeParse(schema, value);
  const prefix = wrap === undefined ? [] : [wrap];
  const issues = toValidationIssues(result.error?.issues ?? [], prefix);
  return { body: result.data, issues };
};

export const respond = (
  world: FakeWorld,
  rateLimits: ApiRateLimits,
  request: FakeRequest,
  { endpoint, respond, params }: MatchedRoute,
): FakeResponse => {
  const api = apiOf(request);
  const account = world.store.accounts.find((known) => api.admits(request, known));
  if (!account) return api.error(401, "The credentials are missing or not known");
  const seconds = rateLimits[api.name]?.(account.id);
  if (seconds !== undefined) {
    return api.error(429, "Too many calls", { "retry-after": String(seconds) });
  }
  const { query, issues: queryIssues } = checkQuery(endpoint, request.query);
  const json = parseJson(request.body);
  if (endpoint.body && json === undefined) {
    const issue = { code: "invalid_type", type: "object", message: "must be JSON", path: [] };
    return api.invalid([issue]);
  }
  const { body, issues } = checkBody(endpoint, json);
  const errors = [...queryIssues, ...issues];
  if (errors.length > 0) return api.invalid(errors);
  return respond({ world, account, params, query, body } as never);
};
