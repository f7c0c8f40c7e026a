import { CONTROLS, MAX_QUOTE, PHONE_NUMBER, quote } from "../quote.ts";

/** Minimum length of a redacted string, in UTF-16 units. Redacting shorter strings would hide ordinary words. */
const MIN_SECRET = 4;

/** Yields every string within parsed JSON, at any depth. */
export function* stringsWithin(value: unknown): Generator<string> {
  // The set grows during the loop, because recursion would exhaust the stack on a very deep value.
  const parts = new Set([value]);
  for (const part of parts) {
    if (typeof part === "string") yield part;
    else if (typeof part === "object" && part !== null) {
      for (const inner of Object.values(part)) parts.add(inner);
    }
  }
}

/**
 * Returns the forms of a secret: as it is, on one line, and as it appears in JSON, in a form and in a URL. PHP also escapes the
 * slashes in JSON.
 */
const formsOf = (secret: string): string[] => {
  const line = secret.replace(/\s+/g, " ").replace(CONTROLS, "").trim();
  const form = new URLSearchParams([["", secret]]).toString().slice(1);
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, line, json, json.replaceAll("/", "\\/"), form, form.replaceAll("+", "%20")];
};

/** Number of digits that identify a phone number in every format. */
const LOCAL_DIGITS = 10;

const createIndex = (secrets: ReadonlySet<string>) => {
  const forms = new Set<string>();
  /** Lengths of the forms with the same start. */
  const lengths = new Map<string, Set<number>>();
  /** Last ten digits of each phone number that was sent. */
  const numbers = new Set<string>();
  for (const secret of secrets) {
    for (const number of secret.match(PHONE_NUMBER) ?? []) {
      numbers.add(number.replace(/%[\da-f]{2}|\D/gi, "").slice(-LOCAL_DIGITS));
    }
    for (const form of formsOf(secret)) {
      if (form.length < MIN_SECRET || secret.length < MIN_SECRET) continue;
      forms.add(form);
      const start = form.slice(0, MIN_SECRET);
      lengths.set(start, (lengths.get(start) ?? new Set()).add(form.length));
    }
  }
  return {
    /** Returns the length of the longest secret that starts at a position of a string; 0 if no secret starts there. */
    lengthAt(text: string, at: number): number {
      let longest = 0;
      for (const length of lengths.get(text.slice(at, at + MIN_SECRET)) ?? []) {
        if (length > longest && forms.has(text.slice(at, at + length))) longest = length;
      }
      return longest;
    },
    hasNumberIn(digits: string): boolean {
      for (let at = 0; at <= digits.length - LOCAL_DIGITS; at += 1) {
        if (numbers.has(digits.slice(at, at + LOCAL_DIGITS))) return true;
      }
      return false;
    },
  };
};

type SecretIndex = ReturnType<typeof createIndex>;

const MAX_WORD = 40;

/** Removes the strings that the caller sent from quotations of a response. */
export class Redactor {
  readonly #secrets: Iterable<string>;
  readonly #documentedWords: () => ReadonlySet<string>;
  /** Built on first use, because most calls quote nothing. */
  #builtIndex: SecretIndex | undefined;

  /**
   * @param secrets Strings that no quotation may contain. Strings of fewer than four characters are ignored.
   * @param documentedWords Returns names of fields and values of closed sets. These words stay readable even if the caller sent
   * them. Default: none.
   */
  constructor(
    secrets: Iterable<string>,
    documentedWords: () => ReadonlySet<string> = () => new Set(),
  ) {
    this.#secrets = secrets;
    this.#documentedWords = documentedWords;
  }

  /** Returns a quotation of at most `longest` characters, without secrets, phone numbers and control characters. */
  quote(text: string, longest = MAX_QUOTE): string {
    const line = this.withoutSecrets(text).replace(/\s+/g, " ").replace(CONTROLS, "");
    // Invisible characters may have split a secret, so the line is searched again without them.
    return quote(this.withoutSecrets(line), longest);
  }

  /**
   * Returns a token of the service, such as an id, without secrets. Digits stay, unless they contain a phone number that was
   * sent.
   */
  token(text: string): string {
    const token = this.withoutSecrets(this.withoutSecrets(text).replace(CONTROLS, ""));
    const hidesNumber = this.#index.hasNumberIn(token.replace(/\D/g, ""));
    return hidesNumber ? "[redacted]" : token.slice(0, MAX_QUOTE);
  }

  /** Replaces every secret in a string. The time depends on the length of the string, not on the number of secrets. */
  withoutSecrets(text: string): string {
    const index = this.#index;
    let redacted = "";
    let from = 0;
    for (let at = 0; at <= text.length - MIN_SECRET; ) {
      let length = index.lengthAt(text, at);
      if (length > 0 && this.#isDocumented(text, at, length)) length = 0;
      if (length > 0) {
        redacted += `${text.slice(from, at)}[redacted]`;
        from = at + length;
      }
      at += Math.max(length, 1);
    }
    return redacted + text.slice(from);
  }

  /** Returns whether a part of a string is a documented word, or a part of such a word. */
  #isDocumented(text: string, at: number, length: number): boolean {
    const [before = ""] = /\w*$/.exec(text.slice(Math.max(0, at - MAX_WORD), at)) ?? [];
    const [rest = ""] = /^\w*/.exec(text.slice(at, at + MAX_WORD)) ?? [];
    return rest.length >= length && this.#documentedWords().has(before + rest);
  }

  get #index(): SecretIndex {
    this.#builtIndex ??= createIndex(new Set(this.#secrets));
    return this.#builtIndex;
  }
}
