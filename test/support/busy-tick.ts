/** Blocks the event loop for a while. */
export const keepTickBusy = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};
