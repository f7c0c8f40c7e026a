import { parseIncompletePhoneNumber, parsePhoneNumberFromString } from "libphonenumber-js/core/es6";
import { type PhoneReason, ValidationError } from "../errors.ts";
import { assertString } from "../options.ts";
import { otherAreaCodes, parsingMetadata, validDigits } from "./phone-metadata.ts";
import type { Problem } from "./problem.ts";

/** Matches invisible characters, such as direction marks and joiners, which contact and chat apps insert. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const OTHER_AREA_CODE = /* @__PURE__ */ new RegExp(`^(?:${otherAreaCodes})`);

/**
 * Area codes in service that the metadata of libphonenumber lacks, as of November 2026. Each comment gives the location of the
 * area code, the area code that it overlays, the date from which its numbers may be assigned, and the authority that announced
 * it.
 *
 * A test fails as soon as the metadata has one of these area codes. Then remove that area code here.
 */
export const newAreaCodes: readonly string[] = [
  "357", // California, with 559: 2025-03-26, California Public Utilities Commission
  "436", // Ohio, with 440: 2024-03-01, Public Utilities Commission of Ohio
  "457", // Louisiana, with 318: 2025-09-25, Louisiana Public Service Commission
  "471", // Mississippi, with 662: 2026-01-30, North American Numbering Plan Administrator
  "483", // Alabama, with 334: 2026-02-23, Alabama Public Service Commission
  "565", // Georgia, with 912: announced 2025-06-10, Georgia Public Service Commission
  "624", // New York, with 716: 2023-09-11, New York State Department of Public Service
  "679", // Michigan, with 313: 2025-11-07, Michigan Public Service Commission
  "729", // Tennessee, with 423: 2025-09-05, Tennessee Public Utility Commission
  "837", // California, with 530: 2025-01-31, North American Numbering Plan Administrator
  "861", // Illinois, with 309: 2023-02-24, North American Numbering Plan Administrator
  "924", // Minnesota, with 507: 2024-08-30, Minnesota Public Utilities Commission
];

const NATIONAL_LENGTH = 10;
/** Maximum length of a string that is parsed as a number, in UTF-16 units; libphonenumber has the same limit. */
const MAX_LENGTH = 250;

/** Number of digits that determine whether a number is in service: the area code and the exchange. */
const ASSIGNED_LENGTH = 6;

/**
 * Matches a decimal number of a spreadsheet, without spaces. In a phone number, a group of one or two digits never follows a
 * group of eight or more.
 */
const DECIMAL = /^\+?(?:[1-9]\d{7,}[.,]\d\d?|\d(?:[.,]\d*)?E\+?\d+)$/i;

/** Matches a digit that no phone format has, such as `𝟐` or `2️⃣`. */
const STYLED_DIGIT = /(?![\d０-９٠-٩۰-۹])\p{N}|\u20E3/gu;

/**
 * Returns whether a string is a decimal number of a spreadsheet, such as `206555012.0`. Its digits may be someone else's number.
 */
const isDecimal = (value: string): boolean => DECIMAL.test(value.replaceAll(" ", ""));

const BEGINNING = /^[( ]*\+?[\p{N}\p{Pd} ()[\]./~−ー]*$/u;

/** Matches a sign that no phone format has. A leading plus has already been removed. */
const FOREIGN_SIGN = /(?![\p{Pd}()[\]（）./．~−·•∙])[\p{P}\p{S}]/u;

/** Matches the cell of a spreadsheet that stores digits as a text: `'2065550123` or `="2065550123"`. */
const CELL = /^(?:'|="(?=[^"]*"$)) *(.*?)"?$/;

const isInService = (digits: string): boolean =>
  validDigits.test(digits) ||
  (newAreaCodes.includes(digits.slice(0, 3)) && /^\d{3}[2-9]\d{6}$/.test(digits));

/**
 * Rewrites common formats that libphonenumber does not read: cells of spreadsheets, `tel:` links, `(+1)`, `001`,
 * `206·555·0123`, and any space. A styled digit becomes a sign that no phone format has.
 */
const toReadable = (value: string): string =>
  value
    .replace(INVISIBLE, "")
    .replace(STYLED_DIGIT, "*")
    .normalize("NFKC")
    .replace(/\s/g, " ")
    .trim()
    .replace(CELL, "$1")
    .replace(/^tel: */i, "")
    .replace(/^00 *(?=[1-9])/, "+")
    .replace(/^\( *\+ *1 *\)/, "+1 ")
    .replace(/[·•∙]/g, ".");

const canBecomeValid = (digits: string): boolean => {
  // Two digits cannot rule out an area code.
  if (digits.length < 3) return /^([2-9]\d?)?$/.test(digits);
  const open = Math.max(0, ASSIGNED_LENGTH - digits.length);
  for (let rest = 10 ** open - 1; rest >= 0; rest -= 1) {
    const begin = digits + String(rest).padStart(open, "0");
    if (isInService(begin.padEnd(NATIONAL_LENGTH, "0"))) return true;
  }
  return false;
};

/** @param isPlain Whether the string has no brackets. A short code is written without them. */
const reasonOfDigits = (digits: string, isPlain: boolean): PhoneReason => {
  // A number is dialed with +1, with 1, or from abroad with 011 1. The prefix may be incomplete, or followed by a second 1.
  const national = digits.replace(/^(?:\+1?|0(?:0|1(?:11?)?)?$|0111|1)1?/, "");
  if (/^(?:\+[^1]|011[^1])/.test(digits) || OTHER_AREA_CODE.test(national)) return "other_country";
  if (national.length > NATIONAL_LENGTH) return "too_long";
  if (national.length === NATIONAL_LENGTH) {
    return isInService(national) ? "symbols" : "not_assigned";
  }
  // Canadians dial 310 and four digits; a text needs an area code before them.
  if (canBecomeValid(national) || /^310\d{1,4}$/.test(national)) return "incomplete";
  return isPlain && /^(?:[2-9]11|[2-9]\d{4,5})$/.test(digits) ? "short_code" : "not_assigned";
};

const reasonOf = (value: string): PhoneReason => {
  if (value === "") return "empty";
  if (/^t(?:el?)?$/i.test(value)) return "incomplete";
  if (isDecimal(value)) return "decimal";
  const digits = parseIncompletePhoneNumber(value);
  if (!/^\+[^1]/.test(digits) && /(?!ー)\p{L}/u.test(value)) return "letters";
  if (value.includes("*")) return "symbols";
  const reason = reasonOfDigits(digits, !/[()[\]]/.test(value));
  const isBeginning = value.length <= MAX_LENGTH && BEGINNING.test(value);
  return reason === "incomplete" && !isBeginning ? "symbols" : reason;
};

const WHY: Readonly<Record<PhoneReason, string>> = {
  empty: "this one is empty",
  incomplete: "this one has too few digits, counting the area code",
  too_long: "this one has too many digits",
  letters: "this one contains letters",
  symbols: "this one contains a character that no format has",
  decimal: "this one is a decimal number of a spreadsheet",
  extension: "a text message cannot reach an extension",
  short_code: "this one is a short code",
  other_country: "this one belongs to another country",
  not_assigned: "this one is not in service",
};

/**
 * Returns the end of a message, which explains why a string is not a phone number. It may name a sign, but no digit or letter.
 */
const whyOf = (reason: PhoneReason, value: string): string => {
  const written = value.replace(INVISIBLE, "").trim().replace(CELL, "$1");
  const unsigned = written.replace(/^([(（]? *)[+＋]/, "$1");
  const sign = reason === "symbols" && FOREIGN_SIGN.exec(unsigned)?.[0];
  return sign ? `this one contains the sign ${sign}, which no format has` : WHY[reason];
};

/** Matches a common format. A point with fewer than three digits after it may be a decimal point. */
const PLAIN = /^\+?[\d ()-]+(?:\.\d{3,}[\d ()-]*)*$/;

/** Parses a number in a common format, without the ten regular expressions that libphonenumber compiles. */
const parsePlain = (value: string): string | undefined => {
  if (value.length > MAX_LENGTH || !PLAIN.test(value)) return undefined;
  const digits = value.replace(/[ ().-]/g, "").replace(/^(\+?1)?(?=\d{10}$)/, "");
  return isInService(digits) ? `+1${digits}` : undefined;
};

/** Returns whether {@link parsePhone} returns a string unchanged. */
export const isE164 = (value: string): boolean =>
  value.length === 12 && value.startsWith("+1") && isInService(value.slice(2));

/** Converts a readable number to E.164. Returns `""` for a number with an extension, `undefined` for an invalid number. */
const parseReadable = (value: string): string | undefined => {
  const plain = parsePlain(value);
  // For a `tel:` link with this parameter, libphonenumber changes its answer from call to call.
  if (plain !== undefined || isDecimal(value) || value.includes(";phone-context=")) return plain;
  const number = parsePhoneNumberFromString(
    value,
    { defaultCountry: "US", extract: false },
    parsingMetadata,
  );
  if (number?.ext) return "";
  const isValid = number?.countryCallingCode === "1" && isInService(number.nationalNumber);
  return isValid ? number.number : undefined;
};

/** Does the same as {@link parseReadable} for a number as the caller wrote it. */
const parseString = (value: string): string | undefined =>
  parsePlain(value) ?? parseReadable(toReadable(value));

/** Converts a U.S. or Canadian phone number to E.164, or returns the problem with it. */
export const parsePhone = (value: unknown): { readonly e164: string } | Problem => {
  if (typeof value !== "string") {
    return { code: "invalid_type", type: "string", message: "must be a string" };
  }
  const e164 = parseString(value);
  if (e164) return { e164 };
  const reason = e164 === undefined ? reasonOf(toReadable(value)) : "extension";
  const message = `must be a valid U.S. or Canadian phone number, in any common format: ${whyOf(reason, value)}`;
  return { code: "custom", validation: "phone", reason, message };
};

/** Returns a phone number in E.164; `undefined` for any other value. */
export const e164Of = (value: unknown): string | undefined =>
  (typeof value === "string" && parseString(value)) || undefined;

/** Result of {@link checkPhone}; `valid` distinguishes a valid number from an invalid or incomplete number. */
export type PhoneCheck =
  | {
      /** Discriminator: the number is valid. */
      readonly valid: true;
      /** Phone number in E.164. */
      readonly e164: string;
      /** Whether more digits are needed; always `false` for a valid number. */
      readonly incomplete: false;
      /** Never present; declared so you can read it before you check `valid`. */
      readonly reason?: undefined;
      /** Never present; declared so you can read it before you check `valid`. */
      readonly message?: undefined;
    }
  | {
      /** Discriminator: the number is invalid or incomplete. */
      readonly valid: false;
      /** Whether more digits can make the number valid. If so, show no error while the user is typing. */
      readonly incomplete: boolean;
      /** Reason why the number is not valid, one of `phoneReasons`. */
      readonly reason: PhoneReason;
      /** English sentence for the person who types the number. It names at most one sign of the number, never a digit. */
      readonly message: string;
      /** Never present; declared so you can read it before you check `valid`. */
      readonly e164?: undefined;
    };

/**
 * Checks a U.S. or Canadian phone number while it is being typed.
 *
 * @param phoneNumber Number as it is typed; `undefined` and `null` count as empty.
 * @returns E.164 form of a valid number, or the reason why the number is invalid, and whether more digits can complete it.
 *
 * @throws TypeError unless the argument is a string, `undefined` or `null`.
 * @example
 * checkPhone("(206) 555-0123"); // { valid: true, e164: "+12065550123", incomplete: false }
 * checkPhone("(206) 55"); // { valid: false, incomplete: true, reason: "incomplete", message: "Enter a valid …" }
 * checkPhone("+44 20 7946 0958"); // { valid: false, incomplete: false, reason: "other_country", message: "Enter a valid …" }
 */
export function checkPhone(phoneNumber: string | null | undefined): PhoneCheck {
  const value = assertString("phoneNumber", phoneNumber ?? "");
  const parsed = parsePhone(value);
  if ("e164" in parsed) return { valid: true, e164: parsed.e164, incomplete: false };
  const { reason = "symbols" } = parsed;
  return {
    valid: false,
    incomplete: reason === "empty" || reason === "incomplete",
    reason,
    message: `Enter a valid U.S. or Canadian phone number: ${whyOf(reason, value)}.`,
  };
}

/**
 * Converts a U.S. or Canadian phone number in any common format to E.164.
 *
 * Accepts numbers of the United States, Canada and the U.S. territories. Ignores white space around the number, invisible
 * characters anywhere, `tel:` before it, and the characters that spreadsheets write around it (`'2065550123`, `="2065550123"`).
 * A number with other words around it is invalid.
 *
 * @returns Phone number in E.164, such as `+12065550123`.
 * @throws A {@link ValidationError} with one issue, whose `reason` is one of {@link phoneReasons}.
 * @example
 * toE164("(206) 555-0123"); // "+12065550123"
 */
export function toE164(phoneNumber: string): string {
  const parsed = parsePhone(phoneNumber);
  if ("e164" in parsed) return parsed.e164;
  throw new ValidationError([{ ...parsed, path: ["phoneNumber"] }]);
}

/**
 * Returns whether {@link toE164} accepts a phone number.
 *
 * @example
 * isUsOrCanadianNumber("+44 20 7946 0958"); // false
 */
export function isUsOrCanadianNumber(phoneNumber: string): boolean;
/** Returns whether a value is a phone number that {@link toE164} accepts. */
export function isUsOrCanadianNumber(phoneNumber: unknown): phoneNumber is string;
// A string is not narrowed, because TypeScript would treat an invalid number as `never`.
export function isUsOrCanadianNumber(phoneNumber: unknown): boolean {
  return typeof phoneNumber === "string" && !!parseString(phoneNumber);
}
