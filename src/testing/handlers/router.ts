import * as z from "zod/mini";
import type { ValidationIssue } from "../../errors.ts";
import { parsePhone } from "../../rules/phone.ts";
import { toValidationIssues } from "../../schemas/shared/validation-issues.ts";
import type { Endpoint } from "../../wire/endpoint.ts";
import type { FakeRequest, FakeResponse } from "../exchange/fake-response.ts";
import type { FakeWorld } from "../world.ts";
import { apis, type FakeApi } from "./apis.ts";
import type { Handler } from "./handler.ts";
import type { ApiRateLimits } from "./rate-limit.ts";

/** Handler of a request's endpoint, with the path parameters. */
export interface Route extends Handler {
  readonly api: FakeApi;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** Returns the path parameters if a path matches a template; a `{NAME}` matches one segment. */
const matchPath = (template: string, path: string): Record<string, string> | undefined => {
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

/** Finds the handler of a request. */
export const findRoute = ({ method, path }: FakeRequest): Route | undefined => {
  for (const api of apis) {
    for (const handler of api.handlers) {
      const params = handler.endpoint.method === method && matchPath(handler.endpoint.path, path);
      if (params) return { ...handler, api, params };
    }
  }
  return undefined;
};

/** Returns the API that a request is for, even when no route matches. */
export const apiOf = ({ path }: FakeRequest): FakeApi =>
  apis.find(({ ownsPath }) => ownsPath(path)) as FakeApi;

/** Converts a query for the schemas: strings become numbers and booleans if those are expected. */
const readQuery = (query: FakeRequest["query"]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      if (/^(page|per_page)$/.test(name) && /^-?\d+(\.\d+)?$/.test(value))
        return [name, Number(value)];
      if (name === "include_deleted" && /^(true|false)$/.test(value))
        return [name, value === "true"];
      return [name, value];
    }),
  );

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Reads a body: the value as it arrived, the output of its schema, and its issues. */
const readBody = ({ body: schema, wrap }: Endpoint, json: unknown) => {
  if (!schema) return { value: undefined, body: undefined, issues: [] };
  const value = wrap === undefined ? json : (json as Record<string, unknown> | null)?.[wrap];
  const result = z.safeParse(schema, value);
  const prefix = wrap === undefined ? [] : [wrap];
  const issues = toValidationIssues(result.error?.issues ?? [], prefix);
  return { value, body: result.data, issues };
};

/** Returns the phone of a request in E.164: the recipient of a send, or the subscriber to remove. */
export const phoneOf = ({ body }: FakeRequest, route: Route | undefined): string | undefined => {
  const parsed = parsePhone(route?.params.SUBSCRIBER_ID ?? Object(parseJson(body)).phoneNumber);
  return "e164" in parsed ? parsed.e164 : undefined;
};

/** Responds to a request that meets no failure. */
export const respond = (
  world: FakeWorld,
  rateLimits: ApiRateLimits,
  request: FakeRequest,
  { api, endpoint, respond, refine, ignores, params }: Route,
): FakeResponse => {
  const account = world.store.accounts.find((known) => api.admits(request, known));
  if (!account) return api.error(401, "The credentials are missing or not known");
  const seconds = rateLimits[api.name]?.secondsToWait(account.id);
  if (seconds !== undefined) {
    return api.error(429, "Too many calls", { "retry-after": String(seconds) });
  }
  const query = readQuery(request.query);
  const wrongQuery = endpoint.query && z.safeParse(endpoint.query, query).error;
  const json = parseJson(request.body);
  if (endpoint.body && json === undefined) {
    const issue = { code: "invalid_type", type: "object", message: "must be JSON", path: [] };
    return api.invalid([issue]);
  }
  const { value, body, issues } = readBody(endpoint, json);
  const errors: ValidationIssue[] = [
    ...toValidationIssues(wrongQuery?.issues ?? []),
    ...issues.filter((issue) => !ignores?.(issue)).map(api.toIssue),
    ...(refine?.(world, value) ?? []),
  ];
  if (errors.length > 0) return api.invalid(errors);
  return respond({ world, account, params, query, body } as never);
};
