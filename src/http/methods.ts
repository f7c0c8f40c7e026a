import { toApiPromise } from "./api-promise.ts";
import type { ClientSend, Send } from "./send.ts";

/**
 * Key of the `send` of a client or a resource, the same in the ESM and the CommonJS copy. A private field could not be read
 * through a proxy, and would not fit its type.
 */
const SEND: unique symbol = /* @__PURE__ */ Symbol.for("messaging-service-client.send");

/**
 * Returns whether a method was called by `items.map(method)`, with an item, its index and the array. Nothing but its arguments
 * shows that. Options never look like this: they are no index.
 */
const isCalledByMap = ([item, index, items]: readonly unknown[]): boolean =>
  Array.isArray(items) && typeof index === "number" && items[index] === item;

/**
 * Binds the methods of a class to an object. They then work if they are destructured, called through a proxy such as Vue's
 * `reactive`, or passed to `items.map`, whose index and array they ignore.
 *
 * Each call looks up the method anew, so a subclass, a spy or a test can replace it on the object or on a prototype.
 */
export const bindMethods = (object: object): void => {
  // A class that names itself within its body is renamed by bundlers, and `console.log` then shows `_TransactionalClient`.
  let prototype = Object.getPrototypeOf(object);
  for (let parent = prototype; parent; prototype = parent) {
    parent = Object.getPrototypeOf(prototype);
    if (parent) bindOwnMethods(object, prototype);
  }
};

const bindOwnMethods = (object: object, prototype: object): void => {
  for (const name of Reflect.ownKeys(prototype)) {
    const method = Object.getOwnPropertyDescriptor(prototype, name)?.value;
    if (name === "constructor" || typeof method !== "function") continue;
    const value = (...args: unknown[]): unknown =>
      Object.getPrototypeOf(object)[name].apply(object, isCalledByMap(args) ? [args[0]] : args);
    // A proxy may return something else only for a property that can change.
    Object.defineProperty(object, name, { value, configurable: true, writable: true });
  }
};

/** Gives an object of a class its `send`, and binds its methods. */
export const attachSend = (object: object, send: Send): void => {
  Object.defineProperty(object, SEND, { value: send, configurable: true });
  bindMethods(object);
};

/** Returns the `send` of a client or a resource, if the object is one of this package. */
export const findSend = (object: unknown): ClientSend | undefined => {
  try {
    return Object(object)[SEND];
  } catch {
    // A proxy that has been revoked cannot be read.
    return undefined;
  }
};

const rejectCall: Send = () =>
  toApiPromise(
    Promise.reject(new TypeError("the method was called on an object without a client")),
  );

/** Returns the `send` of an object. If the object has none, every call rejects. It never throws. */
export const sendOf = (object: unknown): Send => findSend(object) ?? rejectCall;
