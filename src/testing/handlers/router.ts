import * as z from "zod/mini";
import type { ValidationIssue } from "../../errors/validation-issue.ts";
import { toValidationIssues } from "../../schemas/validation-issues.ts";
import type { Endpoint } from "../../wire/endpoint.ts";
import type { FakeAnswer, FakeRequest } from "../fake-answer.ts";
import type { RateLimit } from "../state/rate-limit.ts";
import { apis, type FakeApi } from "./apis.ts";
import type { FakeWorld, Handler } from "./handler.ts";

/** A request and the handler of its endpoint. */
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

/** Path parameters, where a path is one of a template; a `{NAME}` takes one segment. */
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

/** The endpoints that the fake answers, as errors and `failNext` call them. */
export const endpointIds: readonly string[] = apis.flatMap(({ handlers }) =>
  handlers.map(({ endpoint }) => endpoint.id),
);

export const findRoute = ({ method, path }: FakeRequest): Route | undefined => {
  for (const api of apis) {
    for (const handler of api.handlers) {
      const params = handler.endpoint.method === method && matchPath(handler.endpoint.path, path);
      if (params) return { ...handler, api, params };
    }
  }
  return undefined;
};

/** The API that a request is for, where it has no route at all. */
export const apiOf = ({ path }: FakeRequest): FakeApi =>
  apis.find(({ ownsPath }) => ownsPath(path)) as FakeApi;

/** A query as the schemas know it: texts that are numbers or truth values where those are asked for. */
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

/** The body as it came, as its schema leaves it, and what is wrong with it. */
const readBody = ({ body: schema, wrap }: Endpoint, text: string) => {
  if (!schema) return { value: undefined, body: undefined, issues: [] };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    const issue = { code: "invalid_type", type: "object", message: "must be JSON", path: [] };
    return { value: undefined, body: undefined, issues: [issue] };
  }
  const value = wrap === undefined ? json : (json as Record<string, unknown> | null)?.[wrap];
  const result = z.safeParse(schema, value);
  const prefix = wrap === undefined ? [] : [wrap];
  const issues = toValidationIssues(result.error?.issues ?? [], prefix);
  return { value, body: result.data, issues };
};

/** What the service answers, nothing going wrong. */
export const respond = (
  world: FakeWorld,
  rateLimit: RateLimit | undefined,
  request: FakeRequest,
  { api, endpoint, answer, refine, params }: Route,
): FakeAnswer => {
  const account = world.store.accounts.find((known) => api.admits(request, known));
  if (!account) return api.error(401, "The credentials are missing or not known");
  const seconds = api.isLimited ? rateLimit?.secondsToWait(account.id) : undefined;
  if (seconds !== undefined) {
    return api.error(429, "Too many calls", { "retry-after": String(seconds) });
  }
  const query = readQuery(request.query);
  const wrongQuery = endpoint.query && z.safeParse(endpoint.query, query).error;
  const { value, body, issues } = readBody(endpoint, request.body);
  const errors: ValidationIssue[] = [
    ...toValidationIssues(wrongQuery?.issues ?? []),
    ...issues,
    ...(refine?.(world, value) ?? []),
  ];
  if (errors.length > 0) return api.invalid(errors);
  return answer({ world, account, params, query, body } as never);
};
