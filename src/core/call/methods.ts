import { orUndefined } from "../options.ts";
import type { Endpoint, EndpointInput } from "../wire/endpoint.ts";
import type { CallSettings, RequestOptions } from "./settings.ts";

/** Result of `withResponse()`: the data of a call, the whole body, and the response. */
export interface ApiResponse<T> {
  /** Data that the call itself resolves to, such as a list. */
  readonly data: T;
  /** Whole body: parsed JSON; `undefined` if it was empty. */
  readonly body: unknown;
  /** `Response` with the status and the headers. Its body has already been read. */
  readonly response: Response;
}

/** Promise of a call's data. The call has already started. */
export interface ApiPromise<T> extends Promise<T> {
  /** Returns a promise of the data, the whole body and the response. It sends no second request. */
  withResponse(): Promise<ApiResponse<T>>;
}

export const toApiPromise = <T>(call: Promise<ApiResponse<T>>): ApiPromise<T> => {
  const data = call.then((result) => result.data);
  return Object.assign(data, {
    // Follows `data`, which is then observed, and whose stack leads on to who awaits this promise.
    withResponse: () => data.then(() => call),
  });
};

/** Function that calls an endpoint. Resources receive it instead of the client. */
export type Send = <Input, Data>(
  endpoint: Endpoint<Input, never, Data>,
  input: CallInput<NoInfer<Input>>,
  options?: RequestOptions,
) => ApiPromise<Data>;

/** Input of a call, or a function that returns it at once. If it throws, the call rejects with its error. */
export type CallInput<Input = unknown> = (Input & EndpointInput) | (() => Input & EndpointInput);

export interface ClientSend extends Send {
  /** Completes the options of a call with the client's. Settings hold credentials: only these leave the client. */
  limitsOf(
    options: RequestOptions,
  ): Pick<CallSettings, "timeoutMs" | "totalTimeoutMs" | "validateRequests">;
}

/** Key of a `send`, the same in the ESM and the CommonJS copy. A private field could not be read through a proxy. */
const SEND: unique symbol = /* @__PURE__ */ Symbol.for("messaging-service-client.send");

/** Returns whether `items.map(method)` made a call: nothing but its arguments shows it. Options are no index. */
const isCalledByMap = ([item, index, items]: readonly unknown[]): boolean =>
  Array.isArray(items) && typeof index === "number" && items[index] === item;

/**
 * Binds the methods of a class to an object: they work if they are destructured, called through a proxy such as Vue's `reactive`, or
 * passed to `items.map`. Each call looks up the method anew, so a subclass, a spy or a test can replace it.
 */
export const bindMethods = (object: object, prototype = Object.getPrototypeOf(object)): void => {
  // A class that names itself within its body is renamed by bundlers, and `console.log` then shows `_TransactionalClient`.
  const parent = Object.getPrototypeOf(prototype);
  if (!parent) return;
  bindMethods(object, parent);
  for (const name of Reflect.ownKeys(prototype)) {
    const method = Object.getOwnPropertyDescriptor(prototype, name)?.value;
    if (name === "constructor" || typeof method !== "function") continue;
    const value = (...args: unknown[]): unknown =>
      Object.getPrototypeOf(object)[name].apply(object, isCalledByMap(args) ? [args[0]] : args);
    // A proxy may return something else only for a property that can change.
    Object.defineProperty(object, name, { value, configurable: true, writable: true });
  }
};

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

/** Returns the `send` of a client or a resource, if the object is one of this package. */
export const findSend = (object: unknown): ClientSend | undefined =>
  // A proxy that has been revoked cannot be read.
  orUndefined(() => Object(object)[SEND]);

const rejectCall: Send = () =>
  toApiPromise(
    Promise.reject(new TypeError("the method was called on an object without a client")),
  );

/** Returns the `send` of an object. If the object has none, every call rejects. It never throws. */
export const sendOf = (object: unknown): Send => findSend(object) ?? rejectCall;
