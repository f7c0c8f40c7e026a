import { globSync, readFileSync } from "node:fs";

export const ROOT = new URL("../../", import.meta.url).pathname;

/** Paths of all documentation pages, relative to the root. */
export const pages: readonly string[] = [
  "README.md",
  ...globSync("docs/**/*.md", { cwd: ROOT, exclude: ["docs/site/**"] }).toSorted(),
  "CHANGELOG.md",
];

export const readPage = (path: string): string => readFileSync(`${ROOT}${path}`, "utf8");

/** TypeScript block of a page. */
export interface CodeBlock {
  readonly page: string;
  /** Line of the page with the block's first line of code, starting at 1. */
  readonly line: number;
  readonly code: string;
  /** Comment before the block, such as `file: PATH` or `not checked: WHY`; empty if there is none. */
  readonly mark: string;
  /** Checks that skip this block: all after `<!-- not checked: WHY -->`, running after `<!-- not run: WHY -->`. */
  readonly leftOut: "nothing" | "run" | "all";
}

const BLOCK = /(?:<!-- ((file|not run|not checked): [^>]*?) -->\n+)?```ts\n([\s\S]*?)```/g;

const LEFT_OUT: Readonly<Record<string, CodeBlock["leftOut"]>> = {
  file: "all", // `examples/` has its own checks that compile and run the file.
  "not checked": "all",
  "not run": "run",
};

/** Returns the TypeScript blocks of a page. */
export const codeBlocksOf = (page: string): readonly CodeBlock[] => {
  const text = readPage(page);
  return [...text.matchAll(BLOCK)].map((match) => {
    const [all, mark = "", kind = "", code = ""] = match;
    const before = text.slice(0, match.index + all.indexOf("```ts\n"));
    return {
      page,
      line: before.split("\n").length + 1,
      code,
      mark,
      leftOut: LEFT_OUT[kind] ?? "nothing",
    };
  });
};

/** Code of `setup.ts`, which the code blocks of the guides import from. */
export const SETUP: string = readFileSync(`${ROOT}examples/guides/setup.ts`, "utf8");

/** Code of the file from which guides import `statusOf`. */
export const STATUS_OF: string = readFileSync(`${ROOT}examples/web/status-of.ts`, "utf8");
