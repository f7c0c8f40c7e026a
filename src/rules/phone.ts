import { parsePhoneNumberFromString } from "libphonenumber-js/core/es6";
import { ValidationError } from "../errors/validation-error.ts";
import { otherAreaCodes, phoneMetadata, validDigits } from "./phone-metadata.ts";
import type { Problem } from "./problem.ts";

const DIRECTION_MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Common formats that libphonenumber does not read as they are: `tel:` links, `(+1)`, and `206·555·0123`. */
const toReadable = (text: string): string =>
  text
    .replace(DIRECTION_MARKS, "")
    .trim()
    .replace(/^tel:\s*/i, "")
    .replace(/^\(\s*\+\s*1\s*\)/, "+1 ")
    .replace(/[·•∙]/g, ".");

const problem = (what: string): Problem => ({
  code: "custom",
  validation: "phone",
  message: `must be a valid U.S. or Canadian phone number, in any common format: ${what}`,
});

/** Why libphonenumber does not take it, as far as the text itself tells. */
const whyRefused = (text: string): string => {
  const digits = text.replace(/\D/g, "");
  const national = digits.replace(text.startsWith("+") ? /^1/ : /^1(?=\d{10}$)/, "");
  if (digits === "") return "there is no number in it";
  if (/^\+\s*[^1+]/.test(text)) return "this one is of another country";
  if (/[a-z]/i.test(text)) return "there is more than a number in it";
  if (national.length <= 6 && !text.startsWith("+")) return "a short code is not one";
  if (national.length === 7) return "the area code is missing";
  if (national.length < 10) return "there are too few digits";
  if (national.length > 10) return "there are too many digits";
  if (validDigits.test(national)) return "there is more than a number in it";
  return "no such number is in service";
};

/** The number where it is written plainly; it saves the ten regular expressions that a whole parse compiles. */
const parsePlain = (text: string): string | undefined => {
  if (!/^\+?[\d ().-]+$/.test(text)) return undefined;
  const digits = text.replace(/[ ().-]/g, "").replace(/^(\+?1)?(?=\d{10}$)/, "");
  return validDigits.test(digits) ? `+1${digits}` : undefined;
};

/** A U.S. or Canadian phone number in E.164, or what is wrong with it. */
export const parsePhone = (text: unknown): { readonly e164: string } | Problem => {
  if (typeof text !== "string") {
    return { code: "invalid_type", type: "string", message: "must be a string" };
  }
  const readable = toReadable(text);
  const plain = parsePlain(readable);
  if (plain !== undefined) return { e164: plain };
  const number = parsePhoneNumberFromString(
    readable,
    { defaultCountry: "US", extract: false },
    phoneMetadata,
  );
  if (!number) return problem(whyRefused(readable));
  if (number.ext) return problem("a text cannot reach an extension");
  if (number.country && number.isValid()) return { e164: number.number };
  const foreign = new RegExp(`^\\+1(?:${otherAreaCodes})`).test(number.number);
  return problem(foreign ? "this area code is of another country" : whyRefused(readable));
};

/**
 * A U.S. or Canadian phone number in any common format, as E.164.
 *
 * Accepts numbers of the United States, Canada and the U.S. territories (specification:
 * "Version 3", `phoneNumber`). White space around the number and invisible direction marks are
 * dropped; the rest must be the number and nothing else.
 *
 * @throws {@link ValidationError} that says why: another country, an extension, a short code, …
 * @example
 * toE164("(206) 555-0123"); // "+12065550123"
 */
export function toE164(phoneNumber: string): string {
  const parsed = parsePhone(phoneNumber);
  if ("e164" in parsed) return parsed.e164;
  throw new ValidationError([{ ...parsed, path: ["phoneNumber"] }]);
}

/**
 * Whether {@link toE164} accepts a phone number.
 *
 * @example
 * isUsOrCanadianNumber("+44 20 7946 0958"); // false
 */
export function isUsOrCanadianNumber(phoneNumber: string): boolean {
  return "e164" in parsePhone(phoneNumber);
}
