import * as z from "zod/mini";
import type { ValidationIssue } from "../../errors.ts";
import { parsePhone } from "../../rules/phone.ts";
import { toValidationIssues } from "../../schemas/validation-issues.ts";
import { toBasic } from "../../wire/encodings.ts";
import type { Endpoint } from "../../wire/endpoint.ts";
import type * as transactional from "../../wire/transactional.ts";
import type * as v2 from "../../wire/v2.ts";
import { parseJson } from "../fake/checks.ts";
import type { FakeAccount } from "../fake/store.ts";
import type { FakeWorld } from "../fake/world.ts";
import { type FakeRequest, type FakeResponse, type Handler, jsonResponse } from "./handler.ts";
import type { ApiRateLimits } from "./limits.ts";
import { toServiceIssue, transactionalHandlers, validationResponse } from "./transactional.ts";
import { v2Error, v2Handlers, v2Invalid } from "./v2.ts";

/** An endpoint of the service: method and path template, such as `"GET /api/v2/lists/{ID}"`. */
export type FakeEndpoint =
  | (typeof v2)[keyof typeof v2]["id"]
  | (typeof transactional)[keyof typeof transactional]["id"];

/** Differences between the two APIs, apart from the behavior of their endpoints. */
export interface FakeApi {
  readonly name: keyof ApiRateLimits;
  readonly handlers: readonly Handler[];
  readonly ownsPath: (path: string) => boolean;
  /** Returns whether a request carries the credentials of an account. */
  readonly admits: (request: FakeRequest, account: FakeAccount) => boolean;
  readonly error: (status: number, error: string, headers?: Record<string, string>) => FakeResponse;
  /** Converts an issue that a shared schema found in a body to the one that the service reports. */
  readonly toIssue: (issue: ValidationIssue) => ValidationIssue;
  /** Builds the response to a query or a body that breaks rules. */
  readonly invalid: (errors: readonly ValidationIssue[]) => FakeResponse;
}

/** Version 2. Its errors are the fake's own: the specification does not show their format. */
const v2Api: FakeApi = {
  name: "v2",
  handlers: v2Handlers,
  ownsPath: (path) => path.startsWith("/api/v2/"),
  admits: ({ headers }, { email, apiKey }) => headers.authorization === toBasic(email, apiKey),
  error: v2Error,
  toIssue: (issue) => issue,
  invalid: v2Invalid,
};

/** The transactional API. The specification shows its validation errors; the others are the fake's own. */
const transactionalApi: FakeApi = {
  name: "transactional",
  handlers: transactionalHandlers,
  ownsPath: () => true,
  admits: ({ headers }, { apiKey }) => headers["x-api-key"] === apiKey,
  error: (status, error, headers) => jsonResponse(status, { error }, headers),
  toIssue: toServiceIssue,
  invalid: validationResponse,
};

export const apis: readonly FakeApi[] = [v2Api, transactionalApi];

/** The endpoints that the fake serves. */
export const endpointIds = apis.flatMap(({ handlers }) =>
  handlers.map(({ endpoint }) => endpoint.id as FakeEndpoint),
);

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
