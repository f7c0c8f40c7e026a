import { parseJson } from "../../core/wire/encodings.ts";
import { assertUsage, parseUsage, UsageError } from "../fake/checks.ts";
import { type FakeRequest, type FakeResponse, jsonResponse } from "../fake/exchange.ts";
import type { FieldProblem } from "../fake/fake-fields.ts";
import type { FakeService } from "../fake-service.ts";
import { matchPath } from "../service/router.ts";
import { followEvents } from "./event-stream.ts";
import {
  CONTROL,
  type ControlContext,
  type ControlRoute,
  controlRoutes,
  toIdOf,
} from "./routes.ts";
import { body as bodyOf } from "./schemas.ts";

/** Follows the events, and returns a function that stops. */
export type FollowEvents = (write: (text: string) => void) => () => void;

/** Headers that name the encoding, because some clients would assume a different one. */
const JSON_HEADERS = { "content-type": "application/json; charset=utf-8" };

/** Builds an error of the control API, in the shape of the service's validation errors. */
const controlError = (
  status: number,
  error: string,
  errors: readonly FieldProblem[] = [],
  headers = {},
): FakeResponse => jsonResponse(status, { error, errors }, { ...JSON_HEADERS, ...headers });

/** @throws UsageError unless the body is JSON in UTF-8; an empty body is an object without fields. */
const parseJsonBody = (body: string): unknown => {
  const value = body.trim() === "" ? {} : parseJson(body);
  assertUsage(CONTROL, value !== undefined && !body.includes("\uFFFD"), "must be JSON in UTF-8");
  return value;
};

const NO_FIELDS = bodyOf({});

/** Call for the stream of events, which has no body. */
const EVENTS: ControlRoute = {
  operationId: "followEvents",
  method: "GET",
  path: "events",
  summary: "Streams the events as server-sent events",
  status: 200,
  run:
    ({ service }): FollowEvents =>
    (write) =>
      followEvents(service, write),
};

const runRoute = async (
  context: ControlContext,
  { body: schema = NO_FIELDS, query: querySchema = NO_FIELDS, history, status, run }: ControlRoute,
  request: FakeRequest,
  params: Record<string, string>,
): Promise<FakeResponse | FollowEvents> => {
  try {
    const query = parseUsage(CONTROL, querySchema, request.query) as never;
    const body = parseUsage(CONTROL, schema, parseJsonBody(request.body)) as never;
    const { list_id } = Object(body);
    if (list_id !== undefined) toIdOf(context.service.lists, "a list", list_id, "list_id");
    const result = await run(context, { params, query, body });
    if (status === 204) return { status, headers: {}, body: "" };
    if (typeof result === "function") return result as FollowEvents;
    const isTruncated = context.service.truncated.some((name) => name === history);
    const truncated = isTruncated && { truncated: "true" };
    return jsonResponse(status, result, { ...JSON_HEADERS, ...truncated });
  } catch (error) {
    if (error instanceof DOMException && error.name === "TimeoutError") {
      return controlError(408, error.message);
    }
    // The methods of the fake throw a TypeError for invalid input, like the schemas. Any other TypeError comes from a function
    // that the user passed.
    if (!(error instanceof TypeError)) throw error;
    const { message } = error;
    const problems = error instanceof UsageError ? error.problems : [{ path: [], message }];
    return controlError(400, "Validation failed", problems);
  }
};

/** Creates the function that responds to calls. The path of a call is relative to `/__fake/`. */
export const createControlApi =
  (service: FakeService) =>
  async (request: FakeRequest, signal: AbortSignal): Promise<FakeResponse | FollowEvents> => {
    const matches = [...controlRoutes, EVENTS].flatMap((route) => {
      const params = matchPath(route.path, request.path);
      return params ? [{ route, params }] : [];
    });
    const match = matches.find(({ route }) => route.method === request.method);
    if (match) return runRoute({ service, signal }, match.route, request, match.params);
    if (matches.length === 0)
      return controlError(
        404,
        "There is no such control call; docs/control-api.md of the package lists the calls",
      );
    const allow = matches.map(({ route }) => route.method).join(", ");
    return controlError(405, `The method must be ${allow}`, [], { allow });
  };
