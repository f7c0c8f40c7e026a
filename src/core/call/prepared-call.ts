import type { AnyMessagingServiceError } from "../errors.ts";
import { orUndefined } from "../options.ts";
import type { CallResult } from "./api-promise.ts";
import type { WireRequest } from "./build-request.ts";
import type { CallTimer } from "./call-timer.ts";
import type { RequestOptions } from "./settings.ts";

/**
 * Key of a {@link PreparedCall} in the options and in the message of a client's public method, the same in the ESM and the
 * CommonJS copy. A wrapper around the method that copies one of the two, and drops the other, still sends nothing unclaimed.
 */
export const PREPARED: unique symbol = /* @__PURE__ */ Symbol.for(
  "messaging-service-client.prepared",
);

/** What a durable send hands to its call through the client's public method. */
export interface PreparedCall {
  readonly request: WireRequest;
  readonly body?: object;
  /** Options of the call, in case that a wrapper drops them. */
  readonly options: RequestOptions;
  readonly hooks: AttemptHooks;
}

/** End of a call: its response, or the reason for which a hook prevented an attempt, with the error of the client's method. */
export type CallEnd<Data> =
  | CallResult<Data>
  | { readonly prevented: object; readonly error: unknown };

/** Hooks of one call. Durable sends claim the message in their ledger here, before it is sent. */
export interface AttemptHooks {
  /** Id of the call. Default: the client's next one. */
  readonly callId?: string;
  /** Timer of the durable send, if the call is a part of it. */
  readonly timer?: CallTimer | undefined;
  /** Starts the call, and learns its end, whatever a wrapper makes of it. Rejects a second call, which would repeat the send. */
  run<Data>(start: () => Promise<CallEnd<Data>>): Promise<CallEnd<Data>>;
  /**
   * Runs right before each attempt, after the throttle has granted a slot. Resolves to `"go"`, or to the reason why the
   * attempt is not made; the call hands the reason back. If it rejects, the call ends with that error.
   */
  before(signal: AbortSignal): Promise<"go" | object>;
  /** Runs after a failed attempt that would be retried. Resolves to whether the retry may follow. */
  beforeRetry(error: AnyMessagingServiceError): Promise<boolean>;
}

export const preparedCallIn = (holder: unknown): PreparedCall | undefined =>
  // A proxy that has been revoked cannot be read. The call rejects when it reads it.
  orUndefined(() => Object(holder)[PREPARED]);

/** Throws if a function that replaces a method of the client has changed the request of a durable send: its key stands for what was prepared. */
export const assertUnchanged = (
  { method, target, body }: WireRequest,
  prepared: WireRequest,
): void => {
  if (method === prepared.method && target === prepared.target && body === prepared.body) return;
  throw new TypeError(
    "a function that replaces a method of the client changed the request of a durable send, so nothing was sent: make the change where the message is made",
  );
};
