import { join } from "node:path";
import fc from "fast-check";
import { expect, inject, test } from "vitest";
import { parsePhone } from "../../src/rules/phone.ts";

const DIST = join(inject("application"), "node_modules/messaging-service-client/dist");

/** Parts of numbers in formats that only the complete parser reads, or refuses. */
const PARTS =
  "0 1 2 5 8 9 ２ ٣ - . ( ) + / x ~ # , 206 604 876 555 0123 +1 011 (+1) +44 ext. ;ext=5 tel: ;isub=1 ;phone-context=+1";
const text = fc.array(fc.constantFrom(" ", "206-555-0123", ...PARTS.split(" ")), { maxLength: 9 });

test.each(["js", "cjs"])(
  "the parser that is bundled into dist/*.%s reads numbers as the complete one does",
  async (extension) => {
    const { checkPhone } = await import(join(DIST, `transactional.${extension}`));
    let accepted = 0;
    const check = (parts: readonly string[]) => {
      const parsed = parsePhone(parts.join(""));
      const { e164, reason } = checkPhone(parts.join(""));
      if (e164 !== undefined) accepted += 1;
      expect({ e164, reason }).toEqual(
        "e164" in parsed
          ? { e164: parsed.e164, reason: undefined }
          : { e164: undefined, reason: parsed.reason },
      );
    };
    fc.assert(fc.property(text, check), { numRuns: 10_000 });
    expect(accepted).toBeGreaterThan(50);
  },
);
