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

export const isGsm7 = (text: string): boolean => {
  for (const character of text) if (septetsOf(character) === 0) return false;
  return true;
};

/**
 * Runs of substitutes. Each run has a character, then the substitutes of this character and of the characters after it in
 * Unicode, separated by spaces. An empty string means that the character has no substitute.
 */
const RUNS = [
  "` '", // `
  `¢ c    |  " (C)  "   (R) - o +/-   ' u  .    "`, // ¢ ¦ ¨© « ®¯°± ´µ · »
  "Ð D       x       Th                  d       /       th                  D d", // Ð × Þ ð ÷ þ Đđ
  "Ħ H h          i                L l                OE oe", // Ħħ ı Łł Œœ
  "ǃ !", // ǃ
  "ɢ G        I          N            R               Y          B   H   L", // ɢ ɪ ɴ ʀ ʏ ʙ ʜ ʟ
  `ʹ ' " ' ' ' ' '       ^  ' - ' '     :      +    o  ~ "                 "         ~ :`, // ʹʺʻʼʽʾʿ ˆ ˈˉˊˋ ː ˖ ˚ ˜˝ ˮ ˷˸
  "Α A B   E Z H  I K  M N  O  P   T Y  X", // ΑΒ ΕΖΗ ΙΚ ΜΝ Ο Ρ ΤΥ Χ
  "μ u", // μ
  "ᴀ A    C D  E   J K  M  O         P   T U    V W Z", // ᴀ ᴄᴅ ᴇ ᴊᴋ ᴍ ᴏ ᴘ ᴛᴜ ᴠᴡᴢ
  "ẞ SS", // ẞ
  `‗ _ ' ' ' ' " " " "   * *    .           ' "  '    ' '    -     - /          * ;`, // ‗‘’‚‛“”„‟ •‣ ‧ ′″ ‵ ‹› ‾ ⁃⁄ ⁎⁏
  "← <-  ->  <->", // ← → ↔
  "− -   /  *  .          |", // − ∕ ∗ ∙ ∣
  "∼ ~", // ∼
  "≠ !=    <= >=", // ≠ ≤≥
  "⊛ *", // ⊛
  "⎜ |   |", // ⎜ ⎟
  "⎸ | |   - -                   |", // ⎸⎹ ⎼⎽ ⏐
  "▪ *", // ▪
  "● *", // ●
  "◦ *", // ◦
  "★ * *           v", // ★☆ ☑
  `✅ v              v v x x x x          * * * *    *       * * * *       * * * *      *      * * * x  x     ? ? !  !    ' ' " "          ( ) ( ) < > < > < > [ ] { }`, // ✅ ✓✔✕✖✗✘ ✢✣✤✥ ✩ ✰✱✲✳ ✺✻✼✽ ❃ ❉❊❋❌ ❎ ❓❔❕ ❗ ❛❜❝❞ ❨❩❪❫❬❭❮❯❰❱❲❳❴❵
  "➔ -> + - /     ->     ->", // ➔➕➖➗ ➜ ➡
  "⟮ ( )", // ⟮⟯
  "⦂ :   ( )", // ⦂ ⦅⦆
  "⧆ *", // ⧆
  "⧵ \\   / \\", // ⧵ ⧸⧹
  "⬅ <-", // ⬅
  "⭐ *", // ⭐
  '、 , .        " " " " " " [ ]            " " "', // 、。 《》「」『』【】 〝〞〟
  "・ .", // ・
  "ꜰ F S", // ꜰꜱ
  "꞉ : =", // ꞉꞊
  "🆎 AB   CL COOL FREE ID NEW NG OK SOS UP! VS", // 🆎 🆑🆒🆓🆔🆕🆖🆗🆘🆙🆚
  "🌟 *", // 🌟
  "💯 100   $", // 💯 💲
  "🔙 BACK END ON! SOON TOP 18+ 10", // 🔙🔚🔛🔜🔝🔞🔟
  "🟰 =", // 🟰
];

const codePointOf = (text: string): number => text.codePointAt(0) ?? 0;

/** Returns the letter of a character such as 🅐 or 🅰, which Unicode does not decompose. */
const enclosedLetter = (character: string): string | undefined => {
  const offset = codePointOf(character) - 0x1f150;
  const letter = offset % 0x20;
  return offset >= 0 && offset < 0x40 && letter < 26 ? String.fromCharCode(65 + letter) : undefined;
};

const substituteInRuns = (character: string): string | undefined => {
  for (const run of RUNS) {
    const place = codePointOf(character) - codePointOf(run);
    const isNear = place >= 0 && place < run.length;
    const substitute = isNear && run.split(" ")[place + 1];
    if (substitute) return substitute;
  }
  return undefined;
};

const lookUp = (character: string): string | undefined => {
  if (isGsm7(character)) return character;
  if (character === "\t") return " ";
  if (/[\v\u0085\u2028\u2029]/.test(character)) return "\n";
  if (/\p{Pd}/u.test(character)) return "-";
  return substituteInRuns(character) ?? enclosedLetter(character);
};

/**
 * Returns a character without its combining marks. The stroke that negates a sign stays, because "not less than" must not become
 * "less than".
 */
const withoutMarks = (character: string): string =>
  character.normalize("NFKD").replace(/(?!\u0338)\p{M}/gu, "");

/** Returns the GSM 7-bit substitute for a character with its combining marks; `undefined` if it has no substitute. */
const substituteFor = (character: string): string | undefined => {
  const [letter = "", mark] = character.normalize("NFC");
  const composed = mark === undefined ? lookUp(letter) : undefined;
  if (composed !== undefined) return composed;
  const plain = withoutMarks(character);
  // Unicode decomposes a standalone mark, such as ˘, into a space and the mark.
  if (plain === " " && !/\p{Z}/u.test(character)) return undefined;
  const letters = Array.from(plain, lookUp);
  return letters.length === 0 || letters.includes(undefined) ? undefined : letters.join("");
};

/** Matches invisible characters and combining marks on their own, except marks that spell a vowel. */
const INVISIBLE = /^(?!\p{L})[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Mn}\p{Me}]+$/u;

/** Matches emoji, pictographs and the signs of the blocks around them. */
const PICTOGRAPH =
  /\p{Extended_Pictographic}|\p{RI}|\p{Emoji_Modifier}|(?=\p{So})[\u2190-\u23FF\u2500-\u27BF\u2B00-\u2BFF\u{1F000}-\u{1F0FF}\u{1F200}-\u{1FAFF}]/u;

/** Returns whether a character, with its marks, is a picture that does not represent a letter or a digit. */
const isPictograph = (character: string): boolean =>
  PICTOGRAPH.test(character) && !/[\p{L}\p{N}]/u.test(character.normalize("NFKD"));

/** Change to a character that GSM 7-bit lacks. */
export interface Fix {
  /** Substitute; `""` if the character is left out, absent if it stays. */
  readonly suggestion?: string;
  /** Whether the change loses something visible, such as a picture. */
  readonly isLossy?: boolean;
}

/** Matches outlined signs, which differ only in their filling from a sign with the same substitute. */
const OUTLINE = /[☆✩✰◦]/;

export const fixFor = (character: string): Fix => {
  const suggestion = substituteFor(character);
  if (suggestion !== undefined) return { suggestion, isLossy: OUTLINE.test(character) };
  if (isPictograph(character)) return { suggestion: "", isLossy: true };
  return INVISIBLE.test(character) ? { suggestion: "" } : {};
};
