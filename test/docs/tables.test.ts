import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const ROOT = new URL("../../", import.meta.url).pathname;
const pages = globSync(["*.md", "docs/**/*.md", "src/README.md", "test/README.md"], { cwd: ROOT });

/** Returns the first row of each table that lacks a delimiter row. Markdown renders such a table as text. */
const headlessTables = (text: string): string[] => {
  const lines = text.replaceAll(/^```[\s\S]*?^```/gm, "").split("\n");
  const isRow = (line: string | undefined) => line?.startsWith("|") === true;
  return lines.filter(
    (line, at) =>
      isRow(line) && !isRow(lines[at - 1]) && !/^\|[\s:|-]+\|$/.test(lines[at + 1] ?? ""),
  );
};

test("the check for headless tables finds rows after a blank line", () => {
  const table = "| a | b |\n|---|---|\n| 1 | 2 |\n";
  expect(headlessTables(table)).toEqual([]);
  expect(headlessTables(`${table}\n| 3 | 4 |\n`)).toEqual(["| 3 | 4 |"]);
});

test.each(pages)("each table of %s has a head", (page) => {
  expect(headlessTables(readFileSync(ROOT + page, "utf8"))).toEqual([]);
});
