/**
 * Binds the methods of a class to an object. They then also work if they are destructured, passed on, or called through a proxy
 * such as Vue's `reactive`. Each call looks the method up again, so a subclass, a spy or a test can replace it.
 */
export const bindMethods = (object: object, prototype = Object.getPrototypeOf(object)): void => {
  // Callers do not name their class, because bundlers rename a class that refers to itself within its body, and `console.log`
  // then shows `_TransactionalClient`.
  const parent = Object.getPrototypeOf(prototype);
  if (!parent) return;
  bindMethods(object, parent);
  for (const name of Reflect.ownKeys(prototype)) {
    const method = Object.getOwnPropertyDescriptor(prototype, name)?.value;
    if (name === "constructor" || typeof method !== "function") continue;
    const value = (...args: unknown[]): unknown =>
      Object.getPrototypeOf(object)[name].apply(object, args);
    // Configurable and writable, because a proxy may return a different value only for such a property.
    Object.defineProperty(object, name, { value, configurable: true, writable: true });
  }
};
