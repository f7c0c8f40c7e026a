import type { CallContext } from "../errors/base.ts";
import type { Outcome } from "../errors/outcome.ts";
import type { DriftWatch } from "../responses/drift.ts";
import type { Throttle } from "../throttle/create-throttle.ts";
import type { Endpoint, EndpointInput } from "../wire/endpoint.ts";
import type { WireRequest } from "./build-request.ts";
import type { CallEvents, EventListener } from "./call-events.ts";
import type { CallClock } from "./deadline.ts";
import type { CallSettings } from "./settings.ts";
import type { Transport } from "./transport.ts";

/** What all calls of a client share. */
export interface Connection {
  readonly transport: Transport;
  readonly settings: CallSettings;
  /** What an error never quotes. */
  readonly secrets: readonly string[];
  readonly throttle: Throttle | undefined;
  readonly drift: DriftWatch;
  readonly onEvent: EventListener | undefined;
}

/** One call in progress. */
export interface Call<Data = unknown> {
  readonly connection: Connection;
  readonly endpoint: Endpoint<unknown, never, Data>;
  readonly input: EndpointInput;
  readonly settings: CallSettings;
  readonly request: WireRequest;
  readonly clock: CallClock;
  /** Where nobody listens, there are none. */
  readonly events: CallEvents | undefined;
  attempts: number;
  /** What the attempts before this one left behind. */
  earlier: Outcome;
}

/** What an error tells of the call that it ends. */
export const contextOf = ({ endpoint, attempts, earlier }: Call): CallContext => ({
  endpoint: endpoint.id,
  attempts,
  earlier,
});
