/** Blocks the event loop. */
export const keepTickBusy = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};
