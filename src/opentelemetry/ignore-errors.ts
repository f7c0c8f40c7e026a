/** Runs foreign code whose failure must not reach a call; `undefined` if it throws. A promise that it returns is not awaited. */
export const ignoreErrors = <T>(work: () => T): T | undefined => {
  try {
    const result = work();
    // The rejection of a promise that nobody handles would end the process.
    if (isThenable(result)) Promise.resolve(result).catch(() => {});
    return result;
  } catch {
    return undefined;
  }
};

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";
