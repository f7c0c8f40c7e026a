import * as z from "zod/mini";
import { parseJson } from "../../wire/encodings.ts";
import type { FakeRequest } from "../fake/exchange.ts";
import type { FakeService } from "../fake-service.ts";
import { matchPath } from "../handlers/router.ts";
import { MessageLog } from "./events.ts";
import { type ControlContext, type ControlRoute, InputError } from "./route.ts";
import { controlRoutes } from "./routes.ts";
import type { FieldProblem } from "./schemas.ts";

/** Control call as it arrives; its path is relative to `/__fake/`. */
export type ControlRequest = Pick<FakeRequest, "method" | "path" | "query" | "body">;

/** Response to a control call. */
export interface ControlResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body, sent as JSON; absent when there is none. */
  readonly body?: unknown;
}

/** Builds an error of the control API, in the shape of the service's validation errors. */
export const controlError = (
  status: number,
  error: string,
  errors: readonly FieldProblem[] = [],
): ControlResponse => ({ status, body: { error, errors } });

/** Converts the issues of a schema; each unknown field becomes a separate problem. */
const toProblems = (issues: readonly z.core.$ZodIssue[]): readonly FieldProblem[] =>
  issues.flatMap((issue): FieldProblem[] => {
    const path = issue.path.map((key) => (typeof key === "number" ? key : String(key)));
    if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
    return issue.keys.map((key) => ({ path: [...path, key], message: "is not a known field" }));
  });

/**
 * Converts the `TypeError` of a method of the fake, such as `addList: id 17 is taken`. Each problem in its message begins
 * with the name of the field.
 */
const toFieldProblems = (
  { message }: TypeError,
  fields: readonly string[],
): readonly FieldProblem[] =>
  message
    .replace(/^\w+: /, "")
    .split("; ")
    .map((problem) => {
      const [, path = "", rest = ""] = /^([\w.]+)(?:: | )(.*)$/s.exec(problem) ?? [];
      const keys = path.split(".");
      return fields.includes(keys[0] ?? "")
        ? { path: keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key)), message: rest }
        : { path: [], message: problem };
    });

/** @throws InputError unless the body is JSON; an empty body is an object without fields. */
const parseJsonBody = (body: string): unknown => {
  if (body.trim() === "") return {};
  const value = parseJson(body);
  if (value !== undefined) return value;
  throw new InputError([{ path: [], message: "must be JSON" }]);
};

const parseInput = (schema: z.ZodMiniType | undefined, input: unknown): never => {
  if (!schema) return undefined as never;
  const { data, error } = z.safeParse(schema, input);
  if (error) throw new InputError(toProblems(error.issues));
  return data as never;
};

const fieldsOf = (schema: z.ZodMiniType | undefined): readonly string[] =>
  schema && "shape" in schema ? Object.keys(schema.shape as object) : [];

const runRoute = (
  context: ControlContext,
  { body: schema, query: querySchema, status, run }: ControlRoute,
  request: ControlRequest,
  params: Record<string, string>,
): ControlResponse => {
  try {
    const query = parseInput(querySchema, request.query);
    const body = schema ? parseInput(schema, parseJsonBody(request.body)) : (undefined as never);
    const result = run(context, { params, query, body });
    return status === 204 ? { status } : { status, body: result };
  } catch (error) {
    if (error instanceof InputError) return controlError(400, error.message, error.problems);
    // The methods of the fake throw a TypeError for input that they refuse.
    if (!(error instanceof TypeError)) throw error;
    return controlError(400, "Validation failed", toFieldProblems(error, fieldsOf(schema)));
  }
};

/** Creates the function that handles the control calls of a service. */
export const createControlApi = (
  service: FakeService,
): { readonly log: MessageLog; readonly call: (request: ControlRequest) => ControlResponse } => {
  const log = new MessageLog(service);
  const context = { service, log };
  const call = (request: ControlRequest): ControlResponse => {
    const matches = controlRoutes.flatMap((route) => {
      const params = matchPath(route.path, request.path);
      return params ? [{ route, params }] : [];
    });
    const match = matches.find(({ route }) => route.method === request.method);
    if (match) return runRoute(context, match.route, request, match.params);
    if (matches.length === 0) return controlError(404, "There is no such control call");
    const allow = matches.map(({ route }) => route.method).join(", ");
    return { ...controlError(405, `The method must be ${allow}`), headers: { allow } };
  };
  return { log, call };
};
