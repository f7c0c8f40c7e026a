/** Longest time in milliseconds between two turns: less than the promised 10, because no step is interrupted. */
const MAX_MS = 4;
/** Largest number of steps between two turns, for runtimes and tests whose clock stands still. */
const MAX_STEPS = 1000;

/** Resolves after a turn of the event loop. A message is faster than a timer, and fake timers do not hold it back. */
const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof MessageChannel !== "function") {
      setTimeout(resolve, 0);
      return;
    }
    // A new channel for each turn: Node delivers a message that is posted meanwhile in the same turn.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });

/** Lets the event loop have its turns during many steps that wait for nothing. */
export class Yielder {
  #turnAt = performance.now();
  #steps = 0;

  shouldYield(): boolean {
    this.#steps += 1;
    return this.#steps > MAX_STEPS || performance.now() - this.#turnAt > MAX_MS;
  }

  async yield(): Promise<void> {
    await nextTurn();
    this.#turnAt = performance.now();
    this.#steps = 0;
  }
}
