import { once } from "../../core/schemas/fields.ts";
import type { FakeRequest, FakeResponse } from "../fake/exchange.ts";
import type { Events } from "../fake/fake-events.ts";
import { History } from "../fake/history.ts";
import { type RecordedRequest, recordRequest } from "../fake/recorded-requests.ts";
import { respondWithFile } from "../fake/reports.ts";
import type { FakeWorld } from "../fake/world.ts";
import { createFailures } from "./armed-failures.ts";
import type { ApiRateLimits, RateLimits } from "./limits.ts";
import type { Latency, LatencyOptions } from "./request-filter.ts";
import { apiOf, endpointIds, findRoute, respond } from "./router.ts";

/** Options of a responder. */
export interface ResponderOptions {
  /** Limits beyond which the service responds with 429; `true`: 1200 version 2 calls an hour. Default: `false`. */
  readonly rateLimit?: boolean | RateLimits | undefined;
  /** Real time in milliseconds that responses take, 0 to 1 000 000 000. Default: 0. */
  readonly latency?: number | LatencyOptions | undefined;
}

/** Creates the responder, which responds to requests with failures and latency, and records the requests. */
export const createResponder = (
  world: FakeWorld,
  events: Events,
  historyLimit: number,
  rateLimits: ApiRateLimits,
  latencyOf: Latency,
) => {
  const requests = new History<RecordedRequest>(historyLimit);
  const failures = createFailures();
  let lastId = 0;

  const handle = (request: FakeRequest): FakeResponse => {
    const startedMs = performance.now();
    const hasRun = world.clock.runDueAlarms();
    const route = findRoute(request);
    const api = apiOf(request);
    const carryOut = once((): FakeResponse => {
      if (route) return respond(world, rateLimits, request, route);
      const file = respondWithFile(world, request);
      if (file) return file;
      const { method, path } = request;
      const known = endpointIds.join(", ");
      return api.error(
        501,
        `The fake service has no route ${method} ${path}; its routes are ${known}`,
      );
    });
    const routed = { request, route };
    const failed = failures.meet(routed, api, carryOut);
    const failure = failed?.failure;
    const decided = failed?.response ?? carryOut();
    const endpoint = route?.endpoint.id;
    const delayMs = latencyOf(routed) + (decided.delayMs ?? 0);
    const response = { ...decided, ...(endpoint && { endpoint }), ...(delayMs > 0 && { delayMs }) };
    if (failure?.fault !== "network") {
      lastId += 1;
      const recorded = recordRequest(request, response, {
        id: lastId,
        at: world.clock.timestamp,
        durationMs: Math.round((performance.now() - startedMs + delayMs) * 10) / 10,
        ...(failure && { failure: failure.fault ?? (failure.refuse ? "refuse" : "status") }),
      });
      requests.add(recorded);
      events.emit({ type: "request", request: recorded });
    }
    if (hasRun || failure || request.method !== "GET") events.emit({ type: "state" });
    return response;
  };

  return { requests, failures, handle };
};
