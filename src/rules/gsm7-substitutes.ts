import { isGsm7 } from "./gsm7-alphabet.ts";

/** A substitute, and the characters that it stands for. Unicode's own decomposition answers for the others. */
const SUBSTITUTES: readonly (readonly [substitute: string, characters: string])[] = [
  ["'", "‘’‚‛‹›′´`ʹʻʼʽˈ"],
  ['"', "“”„‟«»″〝〞"],
  ["-", "‐‑‒–—―−⁃"],
  ["*", "•◦▪●★☆"],
  [".", "·∙。"],
  [" ", "\t"],
  ["\n", "\v\u0085\u2028\u2029"],
  ["", "\u00AD\u061C\u200B\u200C\u200D\u200E\u200F\u2060\uFEFF"],
  ["", "\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069"],
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
];

const lookUp = (character: string): string | undefined =>
  isGsm7(character)
    ? character
    : SUBSTITUTES.find(([, characters]) => characters.includes(character))?.[0];

/** What stands for a character (with the marks that combine with it) in GSM 7-bit, if anything does. */
export const substituteFor = (character: string): string | undefined => {
  const composed = lookUp(character.normalize("NFC"));
  if (composed !== undefined) return composed;
  // The stroke that denies a sign stays: without it, "not less than" would become "less than".
  const letters = [...character.normalize("NFKD").replace(/(?!\u0338)\p{M}/gu, "")].map(lookUp);
  return letters.includes(undefined) ? undefined : letters.join("");
};
