// Runs code blocks one after another, in a folder where the package is installed: `node run-blocks.ts FILE …`.
// Each block has its own `setup.ts` beside it. Prints the failures as JSON: { [file]: message }.
import assert from "node:assert/strict";
import { join } from "node:path";

const failures: Record<string, string> = {};

/** Returns the value in the comment after `console.log(…);`, or `undefined` if the comment is not a value. */
const parseExpected = (comment: string): { value: unknown } | undefined => {
  try {
    return { value: new Function(`return (${comment});`)() };
  } catch {
    return undefined;
  }
};

const { fetch } = globalThis;

for (const file of process.argv.slice(2)) {
  const path = join(import.meta.dirname, file);
  // Each block runs as if it were pasted alone, so nothing may remain of an earlier block.
  globalThis.fetch = fetch;
  for (const name of Object.keys(process.env))
    if (/^MESSAGING_/.test(name)) delete process.env[name];
  // A block for an account of the reader: the fake service responds, whatever URL the block names.
  await import(join(path, "../setup.ts"));
  const shows = (value: unknown, comment: string) => {
    const expected = parseExpected(comment);
    if (expected) assert.deepEqual(structuredClone(value), expected.value);
  };
  Object.assign(globalThis, { shows });
  try {
    await import(path);
  } catch (error) {
    failures[file] = String((error instanceof Error && error.stack) || error);
  }
}

process.stdout.write(`\n${JSON.stringify(failures)}`);
process.exit();
