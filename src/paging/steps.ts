/** Result of an iterator that has ended. */
export const DONE = { done: true, value: undefined } as const;

const ignore = () => {};

/** Runs the steps of an iterator one after another, in the order of the `next()` calls, until the iterator is left. */
export class Steps<T> {
  #pending = 0;
  #last: Promise<void> = Promise.resolve();
  #isLeft = false;

  /** Whether the next step would run at once. */
  get isIdle(): boolean {
    return this.#pending === 0;
  }

  get isLeft(): boolean {
    return this.#isLeft;
  }

  /** Ends the iterator: pending steps, and all later ones, yield nothing more. */
  leave(): void {
    this.#isLeft = true;
  }

  run(step: () => Promise<IteratorResult<T, undefined>>): Promise<IteratorResult<T, undefined>> {
    const result = this.#settle(this.isIdle ? step() : this.#last.then(step));
    this.#last = result.then(ignore, ignore);
    return result;
  }

  async #settle(
    started: Promise<IteratorResult<T, undefined>>,
  ): Promise<IteratorResult<T, undefined>> {
    this.#pending += 1;
    try {
      const given = await started;
      return this.#isLeft ? DONE : given;
    } catch (error) {
      if (this.#isLeft) return DONE;
      throw error;
    } finally {
      // Before the consumer receives the result: its next call finds the iterator idle.
      this.#pending -= 1;
    }
  }
}
