// Runs code blocks, one file after another, in a folder where the package is installed: `node run-blocks.ts FILE …`.
// Each is beside a `setup.ts` of its own. Prints the failures as JSON: { [file]: message }.
import assert from "node:assert/strict";
import { join } from "node:path";

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
  const folder = join(import.meta.dirname, file, "..");
  // Its side effects also serve a block that imports nothing from it: the fake service responds, whatever URL a block names.
  const { service } = await import(join(folder, "setup.ts"));
  const shows = (value: unknown, comment: string) => {
    const expected = parseExpected(comment);
    if (expected) assert.deepEqual(structuredClone(value), expected.value);
  };
  Object.assign(globalThis, { shows });
  process.env.API_KEY = service.account.apiKey;
  try {
    await import(join(import.meta.dirname, file));
  } catch (error) {
    failures[file] = String((error instanceof Error && error.stack) || error);
  }
}

process.stdout.write(`\n${JSON.stringify(failures)}`);
process.exit();
