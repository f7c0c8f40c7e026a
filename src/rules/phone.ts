import { parseIncompletePhoneNumber, parsePhoneNumberFromString } from "libphonenumber-js/core/es6";
import { type PhoneReason, ValidationError } from "../errors.ts";
import { otherAreaCodes, parsingMetadata, validDigits } from "./phone-metadata.ts";
import type { Problem } from "./problem.ts";

const DIRECTION_MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
const OTHER_AREA_CODE = /* @__PURE__ */ new RegExp(`^(?:${otherAreaCodes})`);

/** Number of digits after the country code 1. */
const NATIONAL_LENGTH = 10;
/** Length of the longest string that is read as a number, in UTF-16 units; libphonenumber has the same limit. */
const MAX_LENGTH = 250;

/** Number of digits that decide whether a number is in service: the area code and the exchange. */
const ASSIGNED_LENGTH = 6;

/** Rewrites common formats that libphonenumber does not read: `tel:` links, `(+1)` and `206·555·0123`. */
const toReadable = (value: string): string =>
  value
    .replace(DIRECTION_MARKS, "")
    .replace("\uFF0B", "+")
    .trim()
    .replace(/^tel:\s*/i, "")
    .replace(/^\(\s*\+\s*1\s*\)/, "+1 ")
    .replace(/[·•∙]/g, ".");

/** Returns whether a valid number can begin with these digits, or consist of them. */
const canBecomeValid = (digits: string): boolean => {
  // The first two digits of an area code are too few to rule it out.
  if (digits.length < 3) return /^([2-9]\d?)?$/.test(digits);
  const open = Math.max(0, ASSIGNED_LENGTH - digits.length);
  for (let rest = 10 ** open - 1; rest >= 0; rest -= 1) {
    const begin = open > 0 ? digits + String(rest).padStart(open, "0") : digits;
    if (validDigits.test(begin.padEnd(NATIONAL_LENGTH, "0"))) return true;
  }
  return false;
};

/** Returns the reason why the digits of a string, which may begin with a plus, are not a valid number. */
const reasonOfDigits = (digits: string, isPlain: boolean): PhoneReason => {
  // A number is dialed with +1, with 1, or from abroad with 011 1.
  const national = digits.replace(/^(?:\+1?|0(?:1(?:11?)?)?$|0111|1)/, "");
  if (/^(?:\+[^1]|011[^1])/.test(digits) || OTHER_AREA_CODE.test(national)) return "other_country";
  if (national.length > NATIONAL_LENGTH) return "too_long";
  if (national.length === NATIONAL_LENGTH) {
    return validDigits.test(national) ? "symbols" : "not_assigned";
  }
  // Canadians dial 310 and four digits, which a text does not reach.
  if (canBecomeValid(national) || /^310\d{1,4}$/.test(national)) return "incomplete";
  return isPlain && /^(?:[2-9]11|[2-9]\d{4,5})$/.test(digits) ? "short_code" : "not_assigned";
};

/** Returns the reason why a string that libphonenumber does not accept is not a valid number. */
const reasonOf = (value: string): PhoneReason => {
  if (value.length > MAX_LENGTH) {
    const reason = reasonOf(value.slice(0, MAX_LENGTH));
    return reason === "incomplete" ? "symbols" : reason;
  }
  if (value === "") return "empty";
  if (/^t(?:el?)?$/i.test(value)) return "incomplete";
  const digits = parseIncompletePhoneNumber(value);
  const isForeign = /^\+\d/.test(digits) && !digits.startsWith("+1");
  if (!isForeign && /\p{L}/u.test(value)) return "letters";
  return reasonOfDigits(digits, !/[()[\]]/.test(value));
};

const WHY: Readonly<Record<PhoneReason, string>> = {
  empty: "this one is empty",
  incomplete: "this one has too few digits, counting the area code",
  too_long: "this one has too many digits",
  letters: "this one contains letters",
  symbols: "this one contains a character that no format has",
  extension: "a text message cannot reach an extension",
  short_code: "this one is a short code",
  other_country: "this one belongs to another country",
  not_assigned: "this one is not in service",
};

const refused = (reason: PhoneReason): Problem => ({
  code: "custom",
  validation: "phone",
  reason,
  message: `must be a valid U.S. or Canadian phone number, in any common format: ${WHY[reason]}`,
});

/** Parses a plainly written number, without the ten regular expressions that a full parse compiles. */
const parsePlain = (value: string): string | undefined => {
  if (value.length > MAX_LENGTH || !/^\+?[\d ().-]+$/.test(value)) return undefined;
  const digits = value.replace(/[ ().-]/g, "").replace(/^(\+?1)?(?=\d{10}$)/, "");
  return validDigits.test(digits) ? `+1${digits}` : undefined;
};

/** Converts a readable number to E.164. Returns `""` if it has an extension, `undefined` if it is not valid. */
const parseReadable = (value: string): string | undefined => {
  const plain = parsePlain(value);
  if (plain !== undefined) return plain;
  const number = parsePhoneNumberFromString(
    value,
    { defaultCountry: "US", extract: false },
    parsingMetadata,
  );
  if (number?.ext) return "";
  const isValid = number?.countryCallingCode === "1" && validDigits.test(number.nationalNumber);
  return isValid ? number.number : undefined;
};

/** Converts a U.S. or Canadian phone number to E.164, or returns the problem with it. */
export const parsePhone = (value: unknown): { readonly e164: string } | Problem => {
  if (typeof value !== "string") {
    return { code: "invalid_type", type: "string", message: "must be a string" };
  }
  const readable = toReadable(value);
  const e164 = parseReadable(readable);
  if (e164) return { e164 };
  return refused(e164 === undefined ? reasonOf(readable) : "extension");
};

/** A phone number that the service accepts. */
export interface ValidPhone {
  /** `true`: the service would accept the number. */
  readonly valid: true;
  /** Phone number in E.164. */
  readonly e164: string;
  /** `false`: no more characters are needed. */
  readonly incomplete: false;
  /** Absent. Declared so that it can be read before `valid` is. */
  readonly reason?: undefined;
  /** Absent. Declared so that it can be read before `valid` is. */
  readonly message?: undefined;
}

/** A phone number that the service would reject, and the reason. */
export interface InvalidPhone {
  /** `false`: the service would reject the number. */
  readonly valid: false;
  /** Whether more characters can make the number valid. If so, do not show an error while the user is typing. */
  readonly incomplete: boolean;
  /** Reason why the number is not valid, one of `phoneReasons`. */
  readonly reason: PhoneReason;
  /** Reason as an English sentence for the person who types the number. It does not quote the number. */
  readonly message: string;
  /** Absent. Declared so that it can be read before `valid` is. */
  readonly e164?: undefined;
}

/** Result of {@link checkPhone}; `valid` discriminates the two. */
export type PhoneCheck = ValidPhone | InvalidPhone;

/**
 * Checks a phone number while it is being typed.
 *
 * @example
 * checkPhone("(206) 555-0123"); // { valid: true, e164: "+12065550123", incomplete: false }
 * checkPhone("(206) 55"); // { valid: false, incomplete: true, reason: "incomplete", message: "Enter a valid …" }
 * checkPhone("+44 20 7946 0958"); // { valid: false, incomplete: false, reason: "other_country", message: "Enter a valid …" }
 */
export function checkPhone(value: string): PhoneCheck {
  const parsed = parsePhone(value);
  if ("e164" in parsed) return { valid: true, e164: parsed.e164, incomplete: false };
  const { reason = "symbols" } = parsed;
  return {
    valid: false,
    incomplete: reason === "empty" || reason === "incomplete",
    reason,
    message: `Enter a valid U.S. or Canadian phone number: ${WHY[reason]}.`,
  };
}

/**
 * Converts a U.S. or Canadian phone number in any common format to E.164.
 *
 * Accepts numbers of the United States, Canada and the U.S. territories (specification:
 * "Version 3", `phoneNumber`). Drops white space around the number and invisible direction marks;
 * the rest must be the number and nothing else.
 *
 * @throws {@link ValidationError} whose only issue has the `reason`: another country, an extension, a short code, …
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
// A string is not narrowed, because TypeScript would take one that is refused for `never`.
export function isUsOrCanadianNumber(phoneNumber: unknown): boolean {
  return typeof phoneNumber === "string" && !!parseReadable(toReadable(phoneNumber));
}
