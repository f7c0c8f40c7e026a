/** Maximum time in milliseconds between two turns. It is less than the promised 10, because no step is interrupted. */
const MAX_MS = 4;
/** Maximum number of steps between two turns, for runtimes and tests whose clock does not advance. */
const MAX_STEPS = 1000;

/** Resolves after a turn of the event loop. A message is faster than a timer, and fake timers do not delay it. */
const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof MessageChannel !== "function") {
      setTimeout(resolve, 0);
      return;
    }
    // Each turn has a new channel, because on an open channel, Node delivers a message that is posted meanwhile in the same turn.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });

/** Lets the event loop run during a long series of steps that never wait. */
export class Yielder {
  #turnAt = performance.now();
  #steps = 0;

  /** Call this before each step. Resolves after a turn of the event loop, or at once if the latest turn was a moment ago. */
  async turn(): Promise<void> {
    this.#steps += 1;
    if (this.#steps <= MAX_STEPS && performance.now() - this.#turnAt <= MAX_MS) return;
    await nextTurn();
    this.#turnAt = performance.now();
    this.#steps = 0;
  }
}
