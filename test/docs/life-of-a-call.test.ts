// The tables of "The life of a call" in docs/CONTRIBUTING.md must name existing files and functions.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT, readPage } from "./pages.ts";

const [, section = ""] =
  /^## The life of a call\n([\s\S]+?)^## /m.exec(readPage("docs/CONTRIBUTING.md")) ?? [];
const codeOf = (cell: string): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
const rows = [...section.matchAll(/^\| \d+ \| ([^|]+) \| ([^|]+) \|/gm)].map(
  ([, files = "", functions = ""]) => ({ files: codeOf(files), functions: codeOf(functions) }),
);

test('"The life of a call" has three paths', () => {
  expect(section.match(/^\| 1 \|/gm)).toHaveLength(3);
});

test.each(rows)(
  '"The life of a call" names functions that exist in $files',
  ({ files, functions }) => {
    const code = files.map((file) => readFileSync(`${ROOT}src/${file}`, "utf8")).join("\n");
    expect(functions).not.toEqual([]);
    for (const name of functions.flatMap((path) =>
      path.replace(/\[Symbol\.(\w+)\]/, ".$1").split("."),
    )) {
      expect(code).toMatch(new RegExp(`(^|\\W)${name}\\b`));
    }
  },
);
