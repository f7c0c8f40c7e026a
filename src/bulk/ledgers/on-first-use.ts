/** Returns a function that prepares something at its first call and shares it later. After a failure, the next call tries again. */
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
