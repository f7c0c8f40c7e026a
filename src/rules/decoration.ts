/** Matches characters that cannot be seen, or only combine with others, but not marks that spell a vowel. */
const INVISIBLE = /^(?!\p{L})[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Mn}\p{Me}]+$/u;

/** Matches emoji, pictographs and the signs of the blocks around them, with their marks. */
const PICTOGRAPH =
  /^(?:\p{Extended_Pictographic}|\p{RI}|\p{Emoji_Modifier}|(?=\p{So})[\u2190-\u23FF\u2500-\u27BF\u2B00-\u2BFF\u{1F000}-\u{1F0FF}\u{1F200}-\u{1FAFF}])\p{M}*$/u;

/** Returns whether a character, with its marks, cannot be seen. */
export const isInvisible = (character: string): boolean => INVISIBLE.test(character);

/** Returns whether a character, with its marks, is a picture that does not stand for a letter or a digit. */
export const isPictograph = (character: string): boolean =>
  PICTOGRAPH.test(character) && !/[\p{L}\p{N}]/u.test(character.normalize("NFKD"));
