interface Taker<T> {
  resolve(result: IteratorResult<T, undefined>): void;
  reject(error: unknown): void;
}

/** Results that wait for their consumer, or a consumer that waits for results. */
export class ResultQueue<T> {
  readonly #ready: T[] = [];
  readonly #takers: Taker<T>[] = [];
  readonly #onTake: () => void;
  #end: { readonly error?: unknown } | undefined;

  /** @param onTake Called when a result is taken from the queue. */
  constructor(onTake: () => void) {
    this.#onTake = onTake;
  }

  /** Number of results in the queue. */
  get length(): number {
    return this.#ready.length;
  }

  push(value: T): void {
    const taker = this.#takers.shift();
    if (taker) taker.resolve({ done: false, value });
    else this.#ready.push(value);
  }

  /** Ends the queue. Remaining results can still be taken; after them, the error is thrown once, or the iteration ends. */
  end(end: { readonly error?: unknown }): void {
    this.#end = end;
    for (const taker of this.#takers.splice(0)) this.#give(taker);
  }

  /** Drops the results in the queue. */
  clear(): void {
    this.#ready.length = 0;
  }

  take(): Promise<IteratorResult<T, undefined>> {
    return new Promise((resolve, reject) => this.#give({ resolve, reject }));
  }

  #give(taker: Taker<T>): void {
    if (this.#ready.length > 0) {
      taker.resolve({ done: false, value: this.#ready.shift() as T });
      this.#onTake();
    } else if (!this.#end) {
      this.#takers.push(taker);
    } else if ("error" in this.#end) {
      const { error } = this.#end;
      this.#end = {};
      taker.reject(error);
    } else {
      taker.resolve({ done: true, value: undefined });
    }
  }
}
