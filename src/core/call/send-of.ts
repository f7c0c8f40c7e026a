import { orUndefined } from "../options.ts";
import type { Endpoint, EndpointInput } from "../wire/endpoint.ts";
import { type ApiPromise, toApiPromise } from "./api-promise.ts";
import { bindMethods } from "./bind-methods.ts";
import type { CallSettings, RequestOptions } from "./settings.ts";

/** Function that calls an endpoint. Resources receive it instead of the client. */
export type Send = <Input, Data>(
  endpoint: Endpoint<Input, never, Data>,
  input: CallInput<NoInfer<Input>>,
  options?: RequestOptions,
) => ApiPromise<Data>;

/**
 * Input of a call, or a function that returns the input synchronously. If the function throws, the call rejects with that error.
 */
export type CallInput<Input = unknown> = (Input & EndpointInput) | (() => Input & EndpointInput);

export interface ClientSend extends Send {
  /**
   * Completes the options of a call with those of the client. Only these settings leave the client, because the others include
   * credentials.
   */
  limitsOf(
    options: RequestOptions,
  ): Pick<CallSettings, "timeoutMs" | "totalTimeoutMs" | "validateRequests">;
  /** Returns an id for a call of a durable send. The errors of the send have the same id. */
  readonly nextCallId: () => string;
}

/**
 * Key of a `send`, the same in the ESM and the CommonJS copy of this package. A private field could not be read through a proxy.
 */
const SEND: unique symbol = /* @__PURE__ */ Symbol.for("messaging-service-client.send");

export const attachSend = (object: object, send: Send): void => {
  Object.defineProperty(object, SEND, { value: send, configurable: true });
  bindMethods(object);
};

/** Methods for one kind of record. */
export abstract class Resource {
  /** @internal */
  constructor(send: Send) {
    attachSend(this, send);
  }
}

/** Returns the `send` of a client or a resource of this package; `undefined` for any other object. */
export const findSend = (object: unknown): ClientSend | undefined =>
  // A revoked proxy cannot be read.
  orUndefined(() => Object(object)[SEND]);

const rejectCall: Send = () =>
  toApiPromise(
    Promise.reject(new TypeError("the method was called on an object without a client")),
  );

/** Returns the `send` of an object. If the object has none, every call rejects. It never throws. */
export const sendOf = (object: unknown): Send => findSend(object) ?? rejectCall;
