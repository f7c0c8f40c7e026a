/** Result of an iterator that has ended. */
export const DONE = { done: true, value: undefined } as const;

/** Runs the steps of an iterator one after another, in the order of the `next()` calls, until the iterator is left. */
export class Steps<T> {
  #last: Promise<unknown> | undefined;
  #isLeft = false;

  /** Whether the next step would run at once. */
  get isIdle(): boolean {
    return this.#last === undefined;
  }

  get isLeft(): boolean {
    return this.#isLeft;
  }

  /** Ends the iterator: pending steps, and all later ones, yield nothing more. */
  leave(): void {
    this.#isLeft = true;
  }

  run(step: () => Promise<IteratorResult<T, undefined>>): Promise<IteratorResult<T, undefined>> {
    const started = this.#last === undefined ? step() : this.#last.then(step);
    const result = started.then(
      (given) => (this.#isLeft ? DONE : given),
      (error: unknown) => {
        if (this.#isLeft) return DONE;
        throw error;
      },
    );
    const settled = result
      .catch(() => {})
      .then(() => {
        if (this.#last === settled) this.#last = undefined;
      });
    this.#last = settled;
    return result;
  }
}
