/** The longest quotation in an error's message. */
const MAX_QUOTE = 300;
/** A secret or a text of fewer characters is not looked for: it would hide ordinary words. */
const MIN_SECRET = 4;

/** Every text within a value, at any depth; parts that lead in a circle are seen once. */
export function* textsWithin(value: unknown, seen = new Set<unknown>()): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null && !seen.has(value)) {
    seen.add(value);
    for (const part of Object.values(value)) yield* textsWithin(part, seen);
  }
}

/** A secret as it is, and as it stands in JSON. */
const formsOf = (secret: string): string[] => [secret, JSON.stringify(secret).slice(1, -1)];

/** A quotation of what the service said, without what the caller sent, and without phone numbers. */
export const redact = (quote: string, secrets: Iterable<string>): string => {
  let redacted = quote;
  const longestFirst = [...secrets].flatMap(formsOf).sort((a, b) => b.length - a.length);
  for (const secret of longestFirst) {
    if (secret.length >= MIN_SECRET) redacted = redacted.replaceAll(secret, "[redacted]");
  }
  redacted = redacted
    .replace(/\+?\(?\d(?:(?:[\s().·-]|%[\da-f]{2})*\d){9,14}/gi, "[number]")
    .replace(/\s+/g, " ")
    .trim();
  return redacted.length > MAX_QUOTE ? `${redacted.slice(0, MAX_QUOTE)}…` : redacted;
};
