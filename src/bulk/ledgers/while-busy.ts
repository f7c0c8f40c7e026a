/** Number of tries, and the longest pause between two in milliseconds. */
const MAX_TRIES = 100;
const MAX_PAUSE_MS = 100;

/** Repeats a step while the database refuses it, without having done anything, because another connection is at work. */
export const whileBusy = async <T>(
  step: () => T | Promise<T>,
  isBusy: (error: unknown) => boolean,
): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await step();
    } catch (error) {
      if (tries === MAX_TRIES || !isBusy(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_PAUSE_MS));
  }
};
