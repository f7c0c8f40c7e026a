/** Way in which a fake service generates ids. */
export type IdMode = "sequential" | "random";

/** Ids in a saved state. */
export interface SavedIds {
  readonly last: number;
  readonly lastSend: number;
  readonly chosen: readonly number[];
}

/** Generator of the ids of resources and the transaction ids of sends. */
export class Ids {
  readonly #mode: IdMode;
  readonly #chosen = new Set<number>();
  #last = 0;
  #lastSend = 0;

  constructor(mode: IdMode) {
    this.#mode = mode;
  }

  /** Continues from a random number if ids are random, so that they differ from those of another run. */
  shuffle(): void {
    if (this.#mode === "random") this.#last = 1_000_000 + Math.floor(Math.random() * 999_000_000);
  }

  /** Returns the id that the user of the fake chose, or a generated one that no other resource has. */
  idOf(chosen: number | undefined): number {
    if (chosen !== undefined) {
      this.#chosen.add(chosen);
      return chosen;
    }
    do this.#last += 1;
    while (this.#chosen.has(this.#last));
    return this.#last;
  }

  /** Returns the transaction id of a new send, a UUID of version 4. */
  transactionId(): string {
    this.#lastSend += 1;
    if (this.#mode === "sequential") {
      return `00000000-0000-4000-8000-${String(this.#lastSend).padStart(12, "0")}`;
    }
    // Not `crypto.randomUUID()`: a page that is not served over HTTPS lacks it.
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const variant = "89ab"[(bytes[8] ?? 0) % 4];
    return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, `$1-$2-4$3-${variant}$4-$5`);
  }

  save(): SavedIds {
    return { last: this.#last, lastSend: this.#lastSend, chosen: [...this.#chosen] };
  }

  restore({ last, lastSend, chosen }: SavedIds): void {
    this.#last = last;
    this.#lastSend = lastSend;
    for (const id of chosen) this.#chosen.add(id);
  }
}
