import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { describe, expect, test } from "vitest";
import { newAreaCodes, toE164 } from "../../../src/core/rules/phone.ts";

describe("the area codes that libphonenumber lacks", () => {
  test.each(newAreaCodes)("the area code %s is accepted", (code) => {
    expect(toE164(`(${code}) 555-0123`)).toBe(`+1${code}5550123`);
    expect(() => toE164(`(${code}) 155-0123`)).toThrow("not in service");
  });

  test.each(newAreaCodes)(
    "the metadata of libphonenumber still lacks the area code %s (if not, remove it from phone.ts)",
    (code) => {
      expect(parsePhoneNumberFromString(`+1${code}5550123`)?.isValid()).toBe(false);
    },
  );

  // The metadata may have them by now.
  test.each(["436", "565"])("the area code %s, which the metadata lacked, is accepted", (code) => {
    expect(toE164(`(${code}) 555-0123`)).toBe(`+1${code}5550123`);
  });

  test("the list is in order", () => {
    expect(newAreaCodes).toEqual(newAreaCodes.toSorted());
  });
});
