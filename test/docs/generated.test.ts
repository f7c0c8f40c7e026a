import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generated } from "../tools/generate/generated.ts";

test("every generated file is up to date: `npm run generate` changes none", async () => {
  for (const { path, text } of await generated()) {
    const there = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
    expect(there, path).toBe(text);
  }
});
