/**
 * Returns a function that prepares something on its first call and shares it afterwards. After a failure, the next call
 * tries again.
 */
export const onFirstUse = <T>(prepare: () => Promise<T>): (() => Promise<T>) => {
  let prepared: Promise<T> | undefined;
  return () => {
    prepared ??= prepare().catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
    return prepared;
  };
};
