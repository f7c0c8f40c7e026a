import type * as z from "zod/mini";
import { parseJson } from "../../wire/encodings.ts";
import { assertUsage, type FieldProblem, parseUsage, UsageError } from "../fake/checks.ts";
import type { FakeRequest } from "../fake/exchange.ts";
import type { FakeService } from "../fake-service.ts";
import { matchPath } from "../handlers/router.ts";
import { MessageLog } from "./events.ts";
import { CONTROL, type ControlContext, type ControlRoute } from "./route.ts";
import { controlRoutes } from "./routes.ts";

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

/** @throws UsageError unless the body is JSON; an empty body is an object without fields. */
const parseJsonBody = (body: string): unknown => {
  const value = body.trim() === "" ? {} : parseJson(body);
  assertUsage(CONTROL, value !== undefined, "must be JSON");
  return value;
};

const parseInput = (schema: z.ZodMiniType | undefined, read: () => unknown): never =>
  (schema && parseUsage(CONTROL, schema, read())) as never;

const runRoute = (
  context: ControlContext,
  { body: schema, query: querySchema, status, run }: ControlRoute,
  request: ControlRequest,
  params: Record<string, string>,
): ControlResponse => {
  try {
    const query = parseInput(querySchema, () => request.query);
    const body = parseInput(schema, () => parseJsonBody(request.body));
    const result = run(context, { params, query, body });
    return status === 204 ? { status } : { status, body: result };
  } catch (error) {
    // The methods of the fake refuse input as the schemas do. Other code that throws a TypeError is a function of the user's.
    if (!(error instanceof TypeError)) throw error;
    const { message } = error;
    const problems = error instanceof UsageError ? error.problems : [{ path: [], message }];
    return controlError(400, "Validation failed", problems);
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
