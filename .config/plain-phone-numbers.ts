import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Plugin } from "esbuild";

/**
 * Modules of libphonenumber in the form that the build bundles, by their paths.
 *
 * The parser itself stays as it is. What surrounds it serves every country, every version of the metadata, and the formatting and
 * classification of numbers: two thirds of the code. This package has one numbering plan and needs only digits.
 */
const MODULES: Readonly<Record<string, string | ((code: string) => string)>> = {
  "core/es6/index": `
    export { default as parseIncompletePhoneNumber } from "../../es6-modern/parseIncompletePhoneNumber.js";
    export { default as parsePhoneNumberFromString } from "../../es6-modern/parsePhoneNumber.js";`,

  "es6-modern/parsePhoneNumber": `
    import parse from "./parse.js";
    import ParseError from "./ParseError.js";
    export default (text, options, metadata) => {
      try {
        return parse(text, { ...options, v2: true }, metadata);
      } catch (error) {
        if (!(error instanceof ParseError)) throw error;
      }
    };`,

  // Bundlers then leave out the results of earlier versions, and the search for a number within a text.
  "es6-modern/parse": (code) =>
    code.replaceAll("options.v2", "true").replace("extract === false", "true"),

  "es6-modern/PhoneNumber": `
    export default class {
      constructor(countryCallingCode, nationalNumber) {
        const number = "+" + countryCallingCode + nationalNumber;
        Object.assign(this, { countryCallingCode, nationalNumber, number });
      }
    }`,

  // The metadata of one country, which is also its numbering plan. The indexes are those of version 4 of the metadata.
  "es6-modern/metadata": `
    export default class Metadata {
      constructor(metadata) {
        this.metadata = metadata;
        [this.plan] = Object.values(metadata.countries);
      }
      hasCountry(country) {
        return Object.hasOwn(this.metadata.countries, country);
      }
      getCountryCodesForCallingCode(callingCode) {
        return this.metadata.country_calling_codes[callingCode];
      }
      hasCallingCode(callingCode) {
        return callingCode === this.callingCode();
      }
      selectNumberingPlan() {
        this.numberingPlan = this;
      }
      hasSelectedNumberingPlan() {
        return this.numberingPlan !== undefined;
      }
      callingCode() {
        return this.plan[0];
      }
      IDDPrefix() {
        return this.plan[1];
      }
      nationalNumberPattern() {
        return this.plan[2];
      }
      possibleLengths() {
        return this.plan[3];
      }
      nationalPrefix() {
        return this.plan[5];
      }
    }
    export const getCountryCallingCode = (_, metadata) => new Metadata(metadata).callingCode();`,

  // The national prefix of this plan has no carrier codes.
  "es6-modern/helpers/extractNationalNumberFromPossiblyIncompleteNumber": `
    export default (number, metadata) => {
      const nationalPrefix = metadata.nationalPrefix();
      return number?.startsWith(nationalPrefix)
        ? { nationalNumber: number.slice(nationalPrefix.length), nationalPrefix }
        : { nationalNumber: number };
    };`,

  "es6-modern/helpers/getCountryByCallingCode": `
    export default (callingCode, { metadata }) =>
      metadata.getCountryCodesForCallingCode(callingCode)?.[0];`,

  "es6-modern/helpers/checkNumberLength": `
    export default ({ length }, _, metadata) => {
      const lengths = metadata.possibleLengths();
      if (lengths.includes(length)) return "IS_POSSIBLE";
      if (length < lengths[0]) return "TOO_SHORT";
      return length > lengths.at(-1) ? "TOO_LONG" : "INVALID_LENGTH";
    };`,
};

/**
 * Reduces libphonenumber to its parser and one numbering plan. `test/package/phones.test.ts` compares the result with the
 * complete library.
 */
export const plainPhoneNumbers: Plugin = {
  name: "plain-phone-numbers",
  setup({ onLoad }) {
    const path = Object.keys(MODULES).join("|");
    const filter = new RegExp(`/libphonenumber-js/(${path})\\.js$`.replaceAll("/", "[\\\\/]"));
    onLoad({ filter }, ({ path }) => {
      const [, name = ""] = filter.exec(path) ?? [];
      const contents = MODULES[name.replaceAll("\\", "/")] ?? "";
      return {
        contents: typeof contents === "function" ? contents(readFileSync(path, "utf8")) : contents,
        resolveDir: dirname(path),
      };
    });
  },
};
