/** The longest quotation in an error's message. */
const MAX_QUOTE = 300;
/** A secret or a text of fewer characters is not looked for: it would hide ordinary words. */
const MIN_SECRET = 4;

/** Every text within a value, at any depth; parts that lead in a circle are seen once. */
export function* textsWithin(value: unknown): Generator<string> {
  // A set that grows while it is walked: what is very deep would exhaust the stack of a recursion.
  const parts = new Set([value]);
  for (const part of parts) {
    if (typeof part === "string") yield part;
    else if (typeof part === "object" && part !== null) {
      for (const inner of Object.values(part)) parts.add(inner);
    }
  }
}

/** A secret as it is, and as it stands in JSON, in a form and in a URL. */
const formsOf = (secret: string): string[] => {
  const form = new URLSearchParams([["", secret]]).toString().slice(1);
  return [secret, JSON.stringify(secret).slice(1, -1), form, form.replaceAll("+", "%20")];
};

/** A quotation of what the service said, without what the caller sent, and without phone numbers. */
export const redact = (quote: string, secrets: Iterable<string>, longest = MAX_QUOTE): string => {
  let redacted = quote;
  const longestFirst = [...secrets].flatMap(formsOf).sort((a, b) => b.length - a.length);
  for (const secret of longestFirst) {
    if (secret.length >= MIN_SECRET) redacted = redacted.replaceAll(secret, "[redacted]");
  }
  redacted = redacted
    .replace(/\s+/g, " ")
    // Without a bound on what parts two digits, a long row of escapes takes a second.
    .replace(/\+?\(?\d(?:(?:[ ().·-]|%[\da-f]{2}){0,5}\d){9,14}/gi, "[number]")
    .trim();
  return redacted.length > longest ? `${redacted.slice(0, longest)}…` : redacted;
};
