import fc from "fast-check";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { describe, expect, test, vi } from "vitest";
import { newAreaCodes, parsePhone } from "../../../src/core/rules/phone.ts";

// Tens of thousands of runs take a while on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const REGIONS: readonly (string | undefined)[] = ["US", "CA", "PR", "VI", "GU", "AS", "MP"];

/** Returns whether a text is a spreadsheet number with one or two decimal places. */
const isDecimal = (text: string): boolean => {
  const [whole = "", places = "", ...more] = text.normalize("NFKC").replaceAll(" ", "").split(".");
  return more.length === 0 && /^\+?[1-9]\d{7,}$/.test(whole) && /^\d\d?$/.test(places);
};

/**
 * Returns the number according to libphonenumber's full metadata and the list of new area codes, or `undefined` if the rule must
 * refuse it.
 */
const byFullMetadata = (text: string): string | undefined => {
  // Much of the world dials `00` for `+`.
  const read = text.normalize("NFKC").replace(/^00 *(?=[1-9])/, "+");
  const number = parsePhoneNumberFromString(read, { defaultCountry: "US", extract: false });
  if (!number || number.ext || isDecimal(text)) return undefined;
  const { countryCallingCode, nationalNumber } = number;
  const isNew =
    countryCallingCode === "1" && newAreaCodes.some((code) => nationalNumber.startsWith(code));
  if (isNew && /^\d{3}[2-9]\d{6}$/.test(nationalNumber)) return number.number;
  if (!number.isValid()) return undefined;
  // Canadian 310 numbers, which people dial as seven digits, are incomplete.
  if (number.nationalNumber.length === 7) return undefined;
  return REGIONS.includes(number.country) ? number.number : undefined;
};

const byRule = (text: string): string | undefined => {
  const parsed = parsePhone(text);
  return "e164" in parsed ? parsed.e164 : undefined;
};

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: length, maxLength: length });

/** Area codes of the United States, Canada and the territories, of other countries, and unassigned ones. */
const AREA_CODES =
  "201 202 206 212 213 305 310 312 404 415 503 512 617 702 713 808 907 917 971 983 204 236 343 368 416 " +
  "437 506 514 587 604 613 647 709 778 780 807 819 867 879 902 905 787 939 340 671 684 670 800 833 844 " +
  "855 866 877 888 900 500 521 522 600 622 700 710 " +
  "436 565 861 " +
  "242 246 264 268 284 345 441 473 649 658 664 721 758 767 784 809 829 849 868 869 876 " +
  "000 011 100 211 370 411 555 911 960 999";
const areaCode = fc.oneof(
  { arbitrary: fc.constantFrom(...AREA_CODES.split(" ")), weight: 3 },
  { arbitrary: digits(3), weight: 1 },
);
const exchange = fc.oneof(digits(3), fc.constantFrom("555", "310", "911", "011", "200", "633"));

const FORMATS: readonly ((area: string, exchange: string, line: string) => string)[] = [
  (a, e, l) => `${a}${e}${l}`,
  (a, e, l) => `1${a}${e}${l}`,
  (a, e, l) => `+1${a}${e}${l}`,
  (a, e, l) => `+1 ${a} ${e} ${l}`,
  (a, e, l) => `+1-${a}-${e}-${l}`,
  (a, e, l) => `(${a}) ${e}-${l}`,
  (a, e, l) => `1 (${a}) ${e}-${l}`,
  (a, e, l) => `${a}-${e}-${l}`,
  (a, e, l) => `${a}.${e}.${l}`,
  (a, e, l) => `${a}–${e}–${l}`,
  (a, e, l) => `[${a}] ${e}/${l}`,
  (a, e, l) => `+${a}${e}${l}`,
  (a, e, l) => `0${a}${e}${l}`,
  (a, e, l) => `011 1 ${a} ${e} ${l}`,
  (_, e, l) => `${e}-${l}`,
  (a, e, l) => `${a} ${e} ${l} x${e}`,
  (a, e, l) => `${a} ${e} ${l};ext=${a}`,
  (a, e, l) => `call ${a} ${e} ${l}`,
];
const written = fc
  .tuple(fc.constantFrom(...FORMATS), areaCode, exchange, digits(4))
  .map(([format, ...parts]) => format(...parts));

/** Strings that look like phone numbers, in formats that libphonenumber also reads. */
const scrawled = (alphabet: readonly string[]) =>
  fc
    .string({ unit: fc.constantFrom(...alphabet), maxLength: 24 })
    .map((text) => text.trim())
    .filter((text) => !/^\(\s*\+/.test(text));

describe("the phone rule and libphonenumber", () => {
  test("the phone rule agrees with libphonenumber's full metadata on numbers of ten digits", () => {
    let accepted = 0;
    const number = fc.tuple(areaCode, exchange, digits(4)).map((parts) => parts.join(""));
    fc.assert(
      fc.property(number, (text) => {
        const expected = byFullMetadata(text);
        if (expected !== undefined) accepted += 1;
        expect(byRule(text)).toBe(expected);
      }),
      { numRuns: 12_500 },
    );
    // The run must include both accepted and refused numbers.
    expect(accepted).toBeGreaterThan(1_000);
    expect(accepted).toBeLessThan(11_500);
  });

  test("the phone rule agrees with libphonenumber's full metadata on numbers in many formats", () => {
    fc.assert(
      fc.property(written, (text) => {
        expect(byRule(text)).toBe(byFullMetadata(text));
      }),
      { numRuns: 10_000 },
    );
  });

  test("the phone rule agrees with libphonenumber's full metadata on random strings of digits and signs", () => {
    const alphabet = [..."0123456789222555+-./()[] ,;#xX*~–０５", "ext. ", "206", "555", "0123"];
    fc.assert(
      fc.property(scrawled(alphabet), (text) => {
        expect(byRule(text)).toBe(byFullMetadata(text));
      }),
      { numRuns: 10_000 },
    );
  });

  test("the phone rule agrees with libphonenumber's full metadata on plain strings, which never reach the full parser", () => {
    const alphabet = [..."0123456789 ().-+", "206", "684", "555", "0123", "310", "1", "+1"];
    fc.assert(
      fc.property(scrawled(alphabet), (text) => {
        expect(byRule(text)).toBe(byFullMetadata(text));
      }),
      { numRuns: 20_000 },
    );
  });
});

describe("the format of a phone number", () => {
  const plain = scrawled([..."0123456789 ().-", "206", "604", "555", "0123", "1"]);

  test("a number with typographic dashes, which only the full parser reads, has the same result as with plain dashes", () => {
    fc.assert(
      fc.property(plain, (text) => {
        expect(byRule(text.replaceAll("-", "–"))).toBe(byRule(text));
      }),
      { numRuns: 5_000 },
    );
  });

  test("a number as a tel: link, or with white space, direction marks or middle dots, has the same result as without", () => {
    fc.assert(
      fc.property(plain, (text) => {
        const expected = byRule(text);
        expect(byRule(`tel:${text}`)).toBe(expected);
        expect(byRule(`\t ${text}\u00A0\n`)).toBe(expected);
        expect(byRule(`\u2066${text.replaceAll(" ", " \u200E")}\u2069`)).toBe(expected);
        expect(byRule(text.replaceAll(" ", "\u202F").replaceAll("-", "-\u2060"))).toBe(expected);
        expect(byRule(text.replaceAll(".", "·"))).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
  });

  test("a number that was converted to E.164 is accepted unchanged", () => {
    fc.assert(
      fc.property(written, (text) => {
        const e164 = byRule(text);
        if (e164 === undefined) return;
        expect(e164).toMatch(/^\+1\d{10}$/);
        expect(byRule(e164)).toBe(e164);
      }),
      { numRuns: 5_000 },
    );
  });

  test("the message for a refused number contains none of its digits", () => {
    fc.assert(
      fc.property(written, (text) => {
        const parsed = parsePhone(text);
        if ("message" in parsed) expect(parsed.message).not.toMatch(/\d/);
      }),
      { numRuns: 5_000 },
    );
  });
});
