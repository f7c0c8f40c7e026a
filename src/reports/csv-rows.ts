/** Splits CSV text (RFC 4180) into rows of fields. Line ends may be CRLF, LF or CR; empty lines are left out. */
export class CsvParser {
  #field = "";
  #row: string[] = [];
  /**
   * State of the quotes: `open` within them, `maybe closed` after a quote within them, which ends them unless another
   * one follows.
   */
  #quotes: "none" | "open" | "maybe closed" = "none";
  /** Whether the field is quoted, and therefore counts even if it is empty. */
  #isQuoted = false;
  #afterReturn = false;

  /** Yields the rows that a piece of text completes. */
  *push(text: string): Generator<string[]> {
    // Runs of ordinary characters, and each character that may mean something.
    for (const [token] of text.matchAll(/[^",\r\n]+|["\r\n,]/g)) {
      if (this.#quotes === "open") {
        if (token === '"') this.#quotes = "maybe closed";
        else this.#field += token;
      } else if (token === '"' && (this.#quotes === "maybe closed" || this.#field === "")) {
        if (this.#quotes === "maybe closed") this.#field += token;
        this.#quotes = "open";
        this.#isQuoted = true;
      } else {
        this.#quotes = "none";
        if (token === ",") this.#endField();
        else if (token === "\r" || (token === "\n" && !this.#afterReturn)) yield* this.#endRow();
        else if (token !== "\n") this.#field += token;
      }
      this.#afterReturn = token === "\r";
    }
  }

  /** Yields the last row, if no line end follows it. */
  *end(): Generator<string[]> {
    yield* this.#endRow();
  }

  #endField(): void {
    this.#row.push(this.#field);
    this.#field = "";
    this.#isQuoted = false;
  }

  *#endRow(): Generator<string[]> {
    if (this.#row.length === 0 && this.#field === "" && !this.#isQuoted) return;
    this.#endField();
    yield this.#row;
    this.#row = [];
  }
}

/** Yields the rows of a CSV file as they arrive. Leaving the loop early ends the download. */
export async function* csvRows(body: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new CsvParser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
    yield* parser.push(decoder.decode());
    yield* parser.end();
  } finally {
    await reader.cancel().catch(() => {});
  }
}
