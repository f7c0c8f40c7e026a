import { readFileSync, writeFileSync } from "node:fs";
import { markdownTable } from "markdown-table";

/** Converts rows to a Markdown table. The first row is the head. */
export const toTable = (rows: readonly (readonly string[])[]): string =>
  markdownTable(rows, { alignDelimiters: false });

/** Replaces the text between two comments `<!-- MARK -->` on a page of the docs. */
export const writeReport = (page: string, mark: string, report: string): void => {
  const path = new URL(`../../docs/${page}`, import.meta.url);
  const comment = `<!-- ${mark} -->`;
  const [before, , after] = readFileSync(path, "utf8").split(comment);
  if (after === undefined) throw new Error(`docs/${page} has no two comments ${comment}`);
  writeFileSync(path, `${before}${comment}\n\n${report.trim()}\n\n${comment}${after}`);
};
