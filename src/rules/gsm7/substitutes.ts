import { isGsm7 } from "./alphabet.ts";

/** Substitutes and the characters that each replaces. Unicode's own decomposition covers the others. */
const SUBSTITUTES: readonly (readonly [substitute: string, characters: string])[] = [
  ["'", "‘’‚‛‹›′´`ʹʻʼʽˈ"],
  ['"', "“”„‟«»″〝〞"],
  ["-", "‐‑‒–—―−⁃〜〰"],
  ["*", "•◦▪●★☆"],
  [".", "·∙。"],
  [" ", "\t"],
  ["\n", "\v\u0085\u2028\u2029"],
  ["x", "×"],
  ["o", "°"],
  ["/", "÷⁄∕"],
  ["|", "¦"],
  ["c", "¢"],
  ["(C)", "©"],
  ["(R)", "®"],
  ["+/-", "±"],
  ["!=", "≠"],
  ["u", "µμ"],
  ["<=", "≤"],
  [">=", "≥"],
  ["->", "→"],
  ["<-", "←"],
  ["oe", "œ"],
  ["OE", "Œ"],
  ["SS", "ẞ"],
  ["l", "ł"],
  ["L", "Ł"],
  ["d", "đð"],
  ["D", "ĐÐ"],
  ["th", "þ"],
  ["Th", "Þ"],
  ["i", "ı"],
  ["h", "ħ"],
  ["H", "Ħ"],
  ["A", "Α"],
  ["B", "Β"],
  ["E", "Ε"],
  ["Z", "Ζ"],
  ["H", "Η"],
  ["I", "Ι"],
  ["K", "Κ"],
  ["M", "Μ"],
  ["N", "Ν"],
  ["O", "Ο"],
  ["P", "Ρ"],
  ["T", "Τ"],
  ["Y", "Υ"],
  ["X", "Χ"],
  // Emoji that are words or numbers, which Unicode does not decompose.
  ["10", "🔟"],
  ["AB", "🆎"],
  ["CL", "🆑"],
  ["COOL", "🆒"],
  ["FREE", "🆓"],
  ["ID", "🆔"],
  ["NEW", "🆕"],
  ["NG", "🆖"],
  ["OK", "🆗"],
  ["SOS", "🆘"],
  ["UP!", "🆙"],
  ["VS", "🆚"],
];

/** Returns the letter in a black circle or square, such as 🅐 or 🅰, which Unicode does not decompose. */
const enclosedLetter = (character: string): string | undefined => {
  const offset = (character.codePointAt(0) ?? 0) - 0x1f150;
  const letter = offset % 0x20;
  return offset >= 0 && offset < 0x40 && letter < 26 ? String.fromCharCode(65 + letter) : undefined;
};

const lookUp = (character: string): string | undefined =>
  isGsm7(character)
    ? character
    : (SUBSTITUTES.find(([, characters]) => characters.includes(character))?.[0] ??
      enclosedLetter(character));

/** Returns the substitute in GSM 7-bit for a character with its combining marks, if there is one. */
export const substituteFor = (character: string): string | undefined => {
  // Half of a surrogate pair would match the halves of other characters.
  if (/\p{Cs}/u.test(character)) return undefined;
  const composed = lookUp(character.normalize("NFC"));
  if (composed !== undefined) return composed;
  // The stroke that negates a sign stays: without it, "not less than" would become "less than".
  const letters = [...character.normalize("NFKD").replace(/(?!\u0338)\p{M}/gu, "")].map(lookUp);
  return letters.length === 0 || letters.includes(undefined) ? undefined : letters.join("");
};
