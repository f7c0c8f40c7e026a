/** The default alphabet of GSM 03.38 (3GPP TS 23.038), without the escape character. */
const BASIC =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
  "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

/** The extension table; each of its characters is sent as the escape character and one more. */
const EXTENSION = "\f^{}\\[~]|€";

/** Returns the number of septets that a character takes on the air; 0 if GSM 7-bit lacks it. */
export const septetsOf = (character: string): 0 | 1 | 2 => {
  if (BASIC.includes(character)) return 1;
  return EXTENSION.includes(character) ? 2 : 0;
};

/** Returns whether GSM 7-bit has every character of a text. */
export const isGsm7 = (text: string): boolean => {
  for (const character of text) if (septetsOf(character) === 0) return false;
  return true;
};
