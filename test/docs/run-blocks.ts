// Runs code blocks, one file after another, in a folder where the package is installed: `node run-blocks.ts FILE …`.
// The fake service responds, whatever URL a block names. Prints the failures as JSON: { [file]: message }.
import assert from "node:assert/strict";
import { join } from "node:path";
import { preamble } from "./preamble.ts";

const failures: Record<string, string> = {};

/** Returns the value in the comment after `console.log(…);`, or `undefined` if it is not a value. */
const parseExpected = (comment: string): { value: unknown } | undefined => {
  try {
    return { value: new Function(`return (${comment});`)() };
  } catch {
    return undefined;
  }
};

for (const file of process.argv.slice(2)) {
  const world = preamble();
  const { email, apiKey } = world.service.account;
  const shows = (value: unknown, comment: string) => {
    const expected = parseExpected(comment);
    if (expected) assert.deepEqual(structuredClone(value), expected.value);
  };
  Object.assign(globalThis, world, { shows, fetch: world.service.fetch });
  Object.assign(process.env, {
    MESSAGING_V2_BASE_URL: "https://app.example.com",
    MESSAGING_V2_EMAIL: email,
    MESSAGING_V2_API_KEY: apiKey,
    MESSAGING_TRANSACTIONAL_BASE_URL: "https://rcs.example.com",
    MESSAGING_TRANSACTIONAL_API_KEY: apiKey,
    API_KEY: apiKey,
  });
  try {
    await import(join(import.meta.dirname, file));
  } catch (error) {
    failures[file] = String((error instanceof Error && error.stack) || error);
  }
}

process.stdout.write(`\n${JSON.stringify(failures)}`);
process.exit();
