import * as z from "zod/mini";
import { parseJson } from "../fake/checks.ts";
import type { FakeService } from "../fake-service.ts";
import { matchPath } from "../handlers/router.ts";
import { MessageLog } from "./message-log.ts";
import {
  type ControlContext,
  type ControlRoute,
  InputError,
  toFieldProblems,
  toProblems,
} from "./route.ts";
import { controlRoutes } from "./routes.ts";
import type { FieldProblem } from "./schemas.ts";

/** Control call as it arrives. */
export interface ControlRequest {
  readonly method: string;
  /** Path under `/__fake/`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Body as a string; empty when there is none. */
  readonly body: string;
}

/** Response to a control call. */
export interface ControlResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body, sent as JSON; absent when there is none. */
  readonly body?: unknown;
}

/** Builds an error of the control API, in the shape of the service's own. */
export const controlError = (
  status: number,
  error: string,
  errors: readonly FieldProblem[] = [],
): ControlResponse => ({ status, body: { error, errors } });

/** @throws InputError unless a body is JSON; an empty one is an object without fields. */
const readBody = (body: string): unknown => {
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

const run = (
  context: ControlContext,
  { body: schema, query: querySchema, status, run }: ControlRoute,
  request: ControlRequest,
  params: Record<string, string>,
): ControlResponse => {
  try {
    const query = parseInput(querySchema, request.query);
    const body = schema ? parseInput(schema, readBody(request.body)) : (undefined as never);
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
    if (match) return run(context, match.route, request, match.params);
    if (matches.length === 0) return controlError(404, "There is no such control call");
    const allow = matches.map(({ route }) => route.method).join(", ");
    return { ...controlError(405, `The method must be ${allow}`), headers: { allow } };
  };
  return { log, call };
};
