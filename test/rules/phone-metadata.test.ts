import { readFileSync } from "node:fs";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { describe, expect, test } from "vitest";
import { newAreaCodes, toE164 } from "../../src/rules/phone.ts";
import { otherAreaCodes, validDigits } from "../../src/rules/phone-metadata.ts";
import { phoneMetadataSource } from "../tools/generate/phone-metadata.ts";

test("phone-metadata.ts is generated from the installed libphonenumber-js", () => {
  const url = new URL("../../src/rules/phone-metadata.ts", import.meta.url);
  expect(readFileSync(url, "utf8")).toBe(phoneMetadataSource());
});

describe("the generated metadata", () => {
  test.each(["2065550123", "6045550123", "7875550123", "8005550199"])(
    "the number %s has valid digits",
    (d) => {
      expect(d).toMatch(validDigits);
    },
  );

  test.each(["206555012", "3101234", "20655501234", "5551234567", "8765550123", "x2065550123", ""])(
    "the number %j does not have valid digits",
    (d) => {
      expect(d).not.toMatch(validDigits);
    },
  );

  test.each(["876", "242", "809", "441"])("the number %s belongs to another country", (area) => {
    expect(`${area}5550123`).toMatch(new RegExp(`^(?:${otherAreaCodes})`));
  });

  test.each(["206", "604", "787", "340", "671", "684", "670"])(
    "the number %s does not belong to another country",
    (area) => {
      expect(`${area}5550123`).not.toMatch(new RegExp(`^(?:${otherAreaCodes})`));
    },
  );
});

describe("the area codes that libphonenumber lacks", () => {
  test.each(newAreaCodes)("the area code %s is accepted", (code) => {
    expect(toE164(`(${code}) 555-0123`)).toBe(`+1${code}5550123`);
    expect(() => toE164(`(${code}) 155-0123`)).toThrow("not in service");
  });

  test.each(newAreaCodes)(
    "the metadata of libphonenumber still lacks the area code %s: if not, remove it from phone.ts",
    (code) => {
      expect(parsePhoneNumberFromString(`+1${code}5550123`)?.isValid()).toBe(false);
    },
  );

  test("the list has the area codes that are known to be missing, in order", () => {
    expect(newAreaCodes).toEqual(expect.arrayContaining(["436", "565"]));
    expect(newAreaCodes).toEqual(newAreaCodes.toSorted());
  });
});
