/**
 * The default alphabet of 3GPP TS 23.038, section 6.2.1: eight characters a row, from septet 0x00 to 0x7F.
 * 0x1B is the escape to the extension table and not a character.
 */
const ROWS = [
  "@\u00a3$\u00a5\u00e8\u00e9\u00f9\u00ec", // @ £ $ ¥ è é ù ì
  "\u00f2\u00c7\n\u00d8\u00f8\r\u00c5\u00e5", // ò Ç LF Ø ø CR Å å
  "\u0394_\u03a6\u0393\u039b\u03a9\u03a0\u03a8", // Δ _ Φ Γ Λ Ω Π Ψ
  "\u03a3\u0398\u039e\u001b\u00c6\u00e6\u00df\u00c9", // Σ Θ Ξ ESC Æ æ ß É
  " !\"#\u00a4%&'", // space ! " # ¤ % & '
  "()*+,-./",
  "01234567",
  "89:;<=>?",
  "\u00a1ABCDEFG", // ¡ A B C D E F G
  "HIJKLMNO",
  "PQRSTUVW",
  "XYZ\u00c4\u00d6\u00d1\u00dc\u00a7", // X Y Z Ä Ö Ñ Ü §
  "\u00bfabcdefg", // ¿ a b c d e f g
  "hijklmno",
  "pqrstuvw",
  "xyz\u00e4\u00f6\u00f1\u00fc\u00e0", // x y z ä ö ñ ü à
];
export const DEFAULT_ALPHABET = [...ROWS.join("")];

export const BASIC_CHARACTERS = DEFAULT_ALPHABET.filter((character) => character !== "\u001b");

/** The extension table (section 6.2.1.1), by the septet after the escape: form feed ^ { } \ [ ~ ] | and the euro sign. */
export const EXTENSION_CHARACTERS = [..."\f^{}\\[~]|\u20ac"];
