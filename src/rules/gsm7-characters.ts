/** Matches a character together with its combining marks. */
export const CHARACTERS = /\P{M}\p{M}*|\p{M}+/gu;

/** The default alphabet of GSM 03.38 (3GPP TS 23.038), without the escape character. */
const BASIC =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
  "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

/** The extension table of GSM 03.38. Each of its characters takes two septets: the escape character and its own code. */
const EXTENSION = "\f^{}\\[~]|€";

/** Returns the number of septets that a character takes; 0 if GSM 7-bit lacks it. */
export const septetsOf = (character: string): 0 | 1 | 2 => {
  if (BASIC.includes(character)) return 1;
  return EXTENSION.includes(character) ? 2 : 0;
};

/** Returns whether GSM 7-bit has every character of a text. */
export const isGsm7 = (text: string): boolean => {
  for (const character of text) if (septetsOf(character) === 0) return false;
  return true;
};

/** Substitutes for characters that Unicode does not decompose, or not into GSM 7-bit characters. */
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
  // Emoji that are words or numbers.
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

/** Returns the letter of a character such as 🅐 or 🅰, which Unicode does not decompose. */
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

/** Returns the GSM 7-bit substitute for a character with its combining marks, if there is one. */
const substituteFor = (character: string): string | undefined => {
  // Half of a surrogate pair would match half of an emoji in the table.
  if (/\p{Cs}/u.test(character)) return undefined;
  const composed = lookUp(character.normalize("NFC"));
  if (composed !== undefined) return composed;
  // Keeps the stroke that negates a sign: without it, "not less than" would become "less than".
  const letters = [...character.normalize("NFKD").replace(/(?!\u0338)\p{M}/gu, "")].map(lookUp);
  return letters.length === 0 || letters.includes(undefined) ? undefined : letters.join("");
};

/** Matches invisible characters and combining marks on their own, except marks that spell a vowel. */
const INVISIBLE = /^(?!\p{L})[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Mn}\p{Me}]+$/u;

/** Matches emoji, pictographs and the signs of the blocks around them. */
const PICTOGRAPH =
  /\p{Extended_Pictographic}|\p{RI}|\p{Emoji_Modifier}|(?=\p{So})[\u2190-\u23FF\u2500-\u27BF\u2B00-\u2BFF\u{1F000}-\u{1F0FF}\u{1F200}-\u{1FAFF}]/u;

/** Returns whether a character, with its marks, cannot be seen. */
const isInvisible = (character: string): boolean => INVISIBLE.test(character);

/** Returns whether a character, with its marks, is a picture that does not stand for a letter or a digit. */
const isPictograph = (character: string): boolean =>
  PICTOGRAPH.test(character) && !/[\p{L}\p{N}]/u.test(character.normalize("NFKD"));

/** Change to a character that GSM 7-bit lacks. */
export interface Fix {
  /** Substitute; `""` if the character is left out, absent if it stays. */
  readonly suggestion?: string;
  /** Whether the character is a picture: leaving it out loses something visible. */
  readonly isPicture?: boolean;
}

/** Returns the fix for a character that GSM 7-bit lacks. */
export const fixFor = (character: string): Fix => {
  const suggestion = substituteFor(character);
  if (suggestion !== undefined) return { suggestion };
  if (isPictograph(character)) return { suggestion: "", isPicture: true };
  return isInvisible(character) ? { suggestion: "" } : {};
};
