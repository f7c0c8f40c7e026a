import { fileError } from "./download-errors.ts";

/** Longest field in UTF-16 code units: 16 MiB of ASCII. */
const MAX_FIELD = 16 * 1024 * 1024;
/** Longest row in UTF-16 code units. Each field adds `FIELD_OVERHEAD`, because even an empty field takes memory. */
const MAX_ROW = 4 * MAX_FIELD;
const FIELD_OVERHEAD = 16;

/** Returns the position of the quote that may end a quoted field; the length of the text if there is none. */
const closingQuote = (text: string, from: number): number => {
  let at = text.indexOf('"', from);
  // Two quotes stand for one.
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at < 0 ? text.length : at;
};

/**
 * Splits CSV text (RFC 4180) into rows of fields, in bounded memory. Line ends may be CRLF, LF or CR; empty lines are left
 * out.
 *
 * @throws {@link ResponseValidationError} when a field or a row is too long, or a quote is never closed.
 */
export class CsvParser {
  /** Matches the next token of a field that has not begun. */
  readonly #first = /[^",\r\n]+|[",\r\n]/y;
  /** Matches the next token of a field that has begun without a quote: a later quote is an ordinary character. */
  readonly #further = /[^,\r\n]+|[,\r\n]/y;
  #field = "";
  #row: string[] = [];
  #rowLength = 0;
  #rows = 0;
  /**
   * State of the quotes: `open` inside a quoted field; `maybe closed` after a quote inside it, which ends the quoted field
   * unless a second quote follows.
   */
  #quotes: "none" | "open" | "maybe closed" = "none";
  /** Whether the field is quoted, and therefore counts even if it is empty. */
  #isQuoted = false;
  #afterReturn = false;

  /** Yields the rows that a piece of text completes. */
  *push(text: string): Generator<string[]> {
    for (let at = 0; at < text.length; ) {
      if (this.#quotes === "open") {
        const end = closingQuote(text, at);
        // In V8, the result of `replaceAll` would keep a separate string for each match.
        this.#append(text.slice(at, end).split('""').join('"'));
        if (end < text.length) this.#quotes = "maybe closed";
        at = end + 1;
        continue;
      }
      const isBegun = this.#field !== "" && this.#quotes === "none";
      const pattern = isBegun ? this.#further : this.#first;
      pattern.lastIndex = at;
      const [token = ""] = pattern.exec(text) ?? [];
      at += token.length;
      if (token === '"' && !isBegun) this.#openQuotes();
      else {
        this.#quotes = "none";
        if (token === ",") this.#endField();
        else if (token === "\r" || (token === "\n" && !this.#afterReturn)) yield* this.#endRow();
        else if (token !== "\n") this.#append(token);
      }
      this.#afterReturn = token === "\r";
    }
  }

  /** Yields the last row, if no line end follows it. */
  *end(): Generator<string[]> {
    if (this.#quotes === "open") throw this.#error("has a quote that is never closed");
    yield* this.#endRow();
  }

  #openQuotes(): void {
    if (this.#quotes === "maybe closed") this.#append('"');
    this.#quotes = "open";
    this.#isQuoted = true;
  }

  #append(text: string): void {
    this.#field += text;
    if (this.#field.length > MAX_FIELD) throw this.#error("has a field of more than 16 MiB");
  }

  #endField(): void {
    this.#rowLength += this.#field.length + FIELD_OVERHEAD;
    if (this.#rowLength > MAX_ROW) throw this.#error("has more than 64 MiB");
    this.#row.push(this.#field);
    this.#field = "";
    this.#isQuoted = false;
  }

  *#endRow(): Generator<string[]> {
    if (this.#row.length === 0 && this.#field === "" && !this.#isQuoted) return;
    this.#endField();
    yield this.#row;
    this.#rows += 1;
    this.#row = [];
    this.#rowLength = 0;
  }

  #error(problem: string): Error {
    return fileError(`the file cannot be read as CSV: row ${this.#rows + 1} ${problem}`);
  }
}

/** Yields the rows of a CSV file as its text arrives. Leaving the loop early ends the download. */
export async function* csvRows(text: AsyncIterable<string>): AsyncGenerator<string[]> {
  const parser = new CsvParser();
  for await (const piece of text) yield* parser.push(piece);
  yield* parser.end();
}
