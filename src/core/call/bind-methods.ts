/**
 * Binds the methods of a class to an object: they work if they are destructured, called through a proxy such as Vue's `reactive`, or
 * passed on. Each call looks up the method anew, so a subclass, a spy or a test can replace it.
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
      Object.getPrototypeOf(object)[name].apply(object, args);
    // A proxy may return something else only for a property that can change.
    Object.defineProperty(object, name, { value, configurable: true, writable: true });
  }
};
