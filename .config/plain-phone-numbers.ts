import type { Plugin } from "esbuild";

/**
 * Reduces the result of libphonenumber's parser to its digits. The methods that format and classify a number, which this
 * package does not call, are a third of the parser.
 */
export const plainPhoneNumbers: Plugin = {
  name: "plain-phone-numbers",
  setup({ onLoad }) {
    const contents = `export default class {
      constructor(countryCallingCode, nationalNumber) {
        const number = "+" + countryCallingCode + nationalNumber;
        Object.assign(this, { countryCallingCode, nationalNumber, number });
      }
    }`;
    onLoad({ filter: /[\\/]es6-modern[\\/]PhoneNumber\.js$/ }, () => ({ contents }));
  },
};
