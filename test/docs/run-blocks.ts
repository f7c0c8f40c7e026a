// Runs code blocks in sequence, in a folder where the package is installed: `node run-blocks.ts FILE …`.
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
  // Each block must run as if it were pasted on its own, so this removes the effects of earlier blocks.
  globalThis.fetch = fetch;
  for (const name of Object.keys(process.env))
    if (/^MESSAGING_/.test(name)) delete process.env[name];
  // Blocks are written for the reader's account. Here, the fake service responds to every URL.
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
