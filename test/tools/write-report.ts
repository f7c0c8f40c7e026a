import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { markdownTable } from "markdown-table";

/** Converts rows to a Markdown table. The first row is the header. */
export const toTable = (rows: readonly (readonly string[])[]): string =>
  markdownTable(rows, { alignDelimiters: false });

/** Returns the digest of the code that a measurement describes. */
export const digestOfSrc = (): string => {
  const src = new URL("../../src", import.meta.url).pathname;
  const hash = createHash("sha256");
  for (const path of globSync("**/*.{ts,tsx,css}", { cwd: src }).toSorted()) {
    hash.update(path).update(readFileSync(`${src}/${path}`));
  }
  return hash.digest("hex").slice(0, 12);
};

/** Replaces the text between two comments `<!-- MARK -->` on a page of the docs, and records the digest of the code. */
export const writeReport = (page: string, mark: string, report: string): void => {
  const path = new URL(`../../docs/${page}`, import.meta.url);
  const comment = `<!-- ${mark} -->`;
  const [before, , after] = readFileSync(path, "utf8").split(comment);
  if (after === undefined) throw new Error(`docs/${page} has no two comments ${comment}`);
  writeFileSync(
    path,
    `${before}${comment}\n\n${report.trim()}\n\n<!-- of src: ${digestOfSrc()} -->\n\n${comment}${after}`,
  );
};
