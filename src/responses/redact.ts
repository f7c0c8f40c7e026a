/** Longest quotation in an error's message, in characters. */
const MAX_QUOTE = 300;
/** Shortest string that is redacted, in characters: a shorter one would hide ordinary words. */
const MIN_SECRET = 4;

/** Yields every string within a value, at any depth; cyclic parts are visited once. */
export function* stringsWithin(value: unknown): Generator<string> {
  // A set that grows during the loop: recursion would exhaust the stack on a very deep value.
  const parts = new Set([value]);
  for (const part of parts) {
    if (typeof part === "string") yield part;
    else if (typeof part === "object" && part !== null) {
      for (const inner of Object.values(part)) parts.add(inner);
    }
  }
}

/** Returns a secret as it is, and as it appears in JSON, in a form and in a URL. */
const formsOf = (secret: string): string[] => {
  const form = new URLSearchParams([["", secret]]).toString().slice(1);
  return [secret, JSON.stringify(secret).slice(1, -1), form, form.replaceAll("+", "%20")];
};

/** Matches control characters and the marks that reverse the direction of text: both can forge a log line. */
const CONTROLS = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
// The separators between two digits are bounded: a long row of escapes would take a second otherwise.
const PHONE_NUMBER = /\+?\(?\d(?:(?:[ ().·-]|%[\da-f]{2}){0,5}\d){9,14}/gi;

/** Index of every form of every secret by the characters that it starts with. */
class SecretIndex {
  readonly #forms = new Set<string>();
  /** Lengths of the forms with the same start, longest first. */
  readonly #lengths = new Map<string, readonly number[]>();

  constructor(secrets: Iterable<string>) {
    const lengths = new Map<string, Set<number>>();
    for (const secret of new Set(secrets)) {
      if (secret.length < MIN_SECRET) continue;
      for (const form of formsOf(secret)) {
        this.#forms.add(form);
        const start = form.slice(0, MIN_SECRET);
        lengths.set(start, (lengths.get(start) ?? new Set()).add(form.length));
      }
    }
    for (const [start, known] of lengths) {
      this.#lengths.set(
        start,
        [...known].sort((a, b) => b - a),
      );
    }
  }

  /** Returns the length of the longest secret at a position of a string; 0 if there is none. */
  lengthAt(text: string, at: number): number {
    const lengths = this.#lengths.get(text.slice(at, at + MIN_SECRET));
    return lengths?.find((length) => this.#forms.has(text.slice(at, at + length))) ?? 0;
  }
}

/** Quotes the words of the service without the strings that the caller sent. */
export class Redactor {
  readonly #secrets: Iterable<string>;
  /** Built on first use: most calls quote nothing. */
  #index: SecretIndex | undefined;

  /** @param secrets Strings that no quotation may contain; those of fewer than four characters are ignored. */
  constructor(secrets: Iterable<string>) {
    this.#secrets = secrets;
  }

  /** Returns a quotation without secrets, phone numbers and control characters, shortened to a length. */
  quote(text: string, longest = MAX_QUOTE): string {
    const quotation = this.withoutSecrets(text)
      .replace(/\s+/g, " ")
      .replace(CONTROLS, "")
      .replace(PHONE_NUMBER, "[number]")
      .trim();
    return quotation.length > longest ? `${quotation.slice(0, longest)}…` : quotation;
  }

  /** Returns a token of the service, such as an id, without secrets and control characters. */
  token(text: string): string {
    return this.withoutSecrets(text).replace(CONTROLS, "").slice(0, MAX_QUOTE);
  }

  /** Returns a string with every secret replaced. The time grows with its length, not with the number of secrets. */
  withoutSecrets(text: string): string {
    this.#index ??= new SecretIndex(this.#secrets);
    let redacted = "";
    let from = 0;
    for (let at = 0; at <= text.length - MIN_SECRET; ) {
      const length = this.#index.lengthAt(text, at);
      if (length > 0) {
        redacted += `${text.slice(from, at)}[redacted]`;
        from = at + length;
      }
      at += Math.max(length, 1);
    }
    return redacted + text.slice(from);
  }
}
