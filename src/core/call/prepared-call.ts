import type { AnyMessagingServiceError } from "../errors.ts";
import { orUndefined } from "../options.ts";
import type { CallResult } from "./api-promise.ts";
import type { WireRequest } from "./build-request.ts";
import type { CallTimer } from "./call-timer.ts";
import type { RequestOptions } from "./settings.ts";

/**
 * Key of a {@link PreparedCall} in the options and in the message of a client's public method, the same in the ESM and the
 * CommonJS copy of this package. Both arguments have it, so a wrapper that copies only one of them still cannot send an unclaimed
 * message.
 */
export const PREPARED: unique symbol = /* @__PURE__ */ Symbol.for(
  "messaging-service-client.prepared",
);

/** Data that a durable send passes to its call through the client's public method. */
export interface PreparedCall {
  readonly request: WireRequest;
  readonly body?: object;
  /** Options of the call, in case a wrapper drops them. */
  readonly options: RequestOptions;
  readonly hooks: AttemptHooks;
}

/** End of a call: its result, or the reason why a hook prevented an attempt, with the error that the client's method throws. */
export type CallEnd<Data> =
  | CallResult<Data>
  | { readonly prevented: object; readonly error: unknown };

/** Hooks of one call. Durable sends claim the message in their ledger here, before it is sent. */
export interface AttemptHooks {
  /** Id of the call. Default: the client's next one. */
  readonly callId?: string;
  /** Timer of the durable send, if the call is a part of it. */
  readonly timer?: CallTimer | undefined;
  /**
   * Starts the call and receives its end, even if a wrapper changes the result. Rejects a second call, which would repeat the
   * send.
   */
  run<Data>(start: () => Promise<CallEnd<Data>>): Promise<CallEnd<Data>>;
  /**
   * Runs right before each attempt, after the throttle has granted a slot. Resolves to `"go"`, or to the reason why the
   * attempt is not made, which the call then returns. If it rejects, the call ends with that error.
   */
  before(signal: AbortSignal): Promise<"go" | object>;
  /** Runs after a failed attempt that would be retried. Resolves to whether the retry may follow. */
  beforeRetry(error: AnyMessagingServiceError): Promise<boolean>;
}

export const preparedCallIn = (holder: unknown): PreparedCall | undefined =>
  // A revoked proxy cannot be read. The call rejects later, when it reads the proxy.
  orUndefined(() => Object(holder)[PREPARED]);

/**
 * Throws if a function that replaces a method of the client has changed the request of a durable send, because the key of the
 * send belongs to the prepared request.
 */
export const assertUnchanged = (
  { method, target, body }: WireRequest,
  prepared: WireRequest,
): void => {
  if (method === prepared.method && target === prepared.target && body === prepared.body) return;
  throw new TypeError(
    "a function that replaces a method of the client changed the request of a durable send, so nothing was sent: make the change where the message is made",
  );
};
