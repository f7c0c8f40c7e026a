/** Placeholder. */
export const run = async (_: readonly string[]): Promise<number> => 0;
