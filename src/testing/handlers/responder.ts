import type { Events } from "../fake/events.ts";
import { History } from "../fake/events.ts";
import type { FakeRequest, FakeResponse } from "../fake/exchange.ts";
import { type RecordedRequest, recordRequest } from "../fake/recorded-requests.ts";
import { respondWithFile } from "../fake/reports.ts";
import type { FakeWorld } from "../fake/world.ts";
import { ArmedFailures, type FailureEffect, failWith } from "./faults.ts";
import { type ApiRateLimits, createRateLimits, type RateLimits } from "./limits.ts";
import { createLatency, type FilteredRequest, type LatencyOptions } from "./request-filter.ts";
import { apiOf, endpointIds, findPhone, findRoute, type MatchedRoute, respond } from "./router.ts";

/** Options of a responder. */
export interface ResponderOptions {
  /** Limits beyond which the service responds with 429; `true`: 1200 version 2 calls an hour. Default: `false`. */
  readonly rateLimit?: boolean | RateLimits | undefined;
  /** Real time in milliseconds that responses take, 0 to 1 000 000 000. Default: 0. */
  readonly latency?: number | LatencyOptions | undefined;
}

/** Responds to requests, with failures and latency, and records them. */
export class Responder {
  readonly requests: History<RecordedRequest>;
  readonly failures = new ArmedFailures();
  readonly #world: FakeWorld;
  readonly #events: Events;
  readonly #rateLimits: ApiRateLimits;
  readonly #latencyOf: (request: FilteredRequest) => number;
  #lastId = 0;

  constructor(
    world: FakeWorld,
    events: Events,
    historyLimit: number,
    { rateLimit = false, latency = 0 }: ResponderOptions,
  ) {
    this.#world = world;
    this.#events = events;
    this.requests = new History(historyLimit);
    this.#rateLimits = createRateLimits(rateLimit, world.clock);
    this.#latencyOf = createLatency(latency);
  }

  handle(request: FakeRequest): FakeResponse {
    const startedMs = performance.now();
    const { clock } = this.#world;
    const hasRun = clock.runDueAlarms();
    const route = findRoute(request);
    const endpoint = route?.endpoint.id;
    const filtered: FilteredRequest = {
      endpoint,
      get phone() {
        return findPhone(request, route);
      },
    };
    const effect = this.failures.next(filtered);
    const decided = this.#decide(request, route, effect);
    const delayMs = this.#latencyOf(filtered) + (decided.delayMs ?? 0);
    const response = { ...decided, ...(endpoint && { endpoint }), ...(delayMs > 0 && { delayMs }) };
    const isRead = effect?.fault !== "network";
    if (isRead) this.#record(request, response, effect, performance.now() - startedMs + delayMs);
    if (hasRun || effect || request.method !== "GET") this.#events.emit({ type: "state" });
    return response;
  }

  #decide(
    request: FakeRequest,
    route: MatchedRoute | undefined,
    effect: FailureEffect | undefined,
  ): FakeResponse {
    const api = apiOf(request);
    const carryOut = () => {
      if (route) return respond(this.#world, this.#rateLimits, request, route);
      const file = respondWithFile(this.#world, request);
      if (file) return file;
      const { method, path } = request;
      const known = endpointIds.join(", ");
      return api.error(501, `The fake service has no route ${method} ${path}; it has ${known}`);
    };
    return effect ? failWith(effect, api, carryOut) : carryOut();
  }

  #record(
    request: FakeRequest,
    response: FakeResponse,
    effect: FailureEffect | undefined,
    elapsedMs: number,
  ): void {
    this.#lastId += 1;
    const recorded = recordRequest(request, response, {
      id: this.#lastId,
      at: this.#world.clock.timestamp,
      durationMs: Math.round(elapsedMs * 10) / 10,
      failure: effect && (effect.fault ?? (effect.refuse ? "refuse" : "status")),
    });
    this.requests.add(recorded);
    this.#events.emit({ type: "request", request: recorded });
  }
}
