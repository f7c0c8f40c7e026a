import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compileBlocks } from "./compile-blocks.ts";
import { codeBlocksOf, pages, ROOT, readPage, SETUP, STATUS_OF } from "./pages.ts";

const TIMEOUT_MS = 120_000;

const blocks = pages
  .flatMap(codeBlocksOf)
  .filter(({ leftOut }) => leftOut !== "all")
  .map((block, index) => ({ ...block, file: `block-${index}.ts` }));

/** Matches `console.log(EXPRESSION); // VALUE`. The test checks the value. */
const SHOWS = /^(\s*)console\.log\((.+)\);\s+\/\/ (.+)$/gm;

const toRun = (code: string): string =>
  code.replace(
    SHOWS,
    (_, indent, shown, comment) => `${indent}shows(${shown}, ${JSON.stringify(comment)});`,
  );

/** Folder in which the built package is installed. */
const newApplication = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "code-blocks-"));
  mkdirSync(join(folder, "node_modules"));
  for (const name of ["zod", "rate-limiter-flexible", "p-throttle", "ky", "undici"]) {
    symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
  }
  symlinkSync(ROOT, join(folder, "node_modules/messaging-service-client"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  copyFileSync(join(import.meta.dirname, "run-blocks.ts"), join(folder, "run-blocks.ts"));
  return folder;
};

const runBlocks = (codes: ReadonlyMap<string, string>): Record<string, string> => {
  const folder = newApplication();
  // Each block has its own folder and therefore its own fake service.
  const paths = new Map([...codes.keys()].map((file) => [join(`of-${file}`, file), file]));
  for (const [path, file] of paths) {
    mkdirSync(join(folder, `of-${file}`));
    writeFileSync(join(folder, path), `${codes.get(file)}\nexport {};\n`);
    writeFileSync(join(folder, `of-${file}`, "setup.ts"), SETUP);
    writeFileSync(join(folder, `of-${file}`, "status-of.ts"), STATUS_OF);
  }
  const args = [join(folder, "run-blocks.ts"), ...paths.keys()];
  const shown = execFileSync(process.execPath, args, {
    cwd: folder,
    encoding: "utf8",
    stdio: "pipe",
  });
  rmSync(folder, { recursive: true });
  const failures: Record<string, string> = JSON.parse(shown.trimEnd().split("\n").at(-1) ?? "");
  return Object.fromEntries(
    Object.entries(failures).map(([path, problem]) => [paths.get(path) ?? path, problem]),
  );
};

/** Code blocks with one mistake each. The check must report it. */
const WRONG = {
  "type.ts": "import { v2 } from './setup.ts';\nawait v2.lists.retrieve('seventeen');",
  "comment.ts": "console.log(1 + 1); // 3",
  "throws.ts": 'throw new Error("broken");',
};

describe("code blocks of README and docs", () => {
  test("every guide has code blocks", () => {
    // The excluded guides contain no code blocks of their own: they link to examples, describe a command or list messages.
    const guides = pages.filter(
      (page) =>
        /^(README|docs\/guides\/.*)\.md$/.test(page) &&
        !/\/(examples|quickstarts|check|error-messages|browsers-and-workers)\.md$/.test(page),
    );
    expect(guides.length).toBeGreaterThan(8);
    for (const guide of guides) {
      expect(codeBlocksOf(guide), guide).not.toEqual([]);
    }
  });

  test("every page whose code blocks import from setup.ts links to that file", () => {
    const users = pages.filter((page) =>
      codeBlocksOf(page).some(({ code }) => code.includes('"./setup.ts"')),
    );
    expect(users.length).toBeGreaterThan(8);
    for (const page of users) {
      expect(readPage(page), page).toMatch(
        /\]\((\S*\/)?(getting-started\.md)?#run-the-code-of-the-guides\)/,
      );
    }
  });

  test(
    "code blocks compile with the settings of this project, and a wrong one is reported with its line",
    () => {
      const codes = blocks.map(({ file, code }) => [file, code] as const);
      const found = compileBlocks(new Map([...codes, ["type.ts", WRONG["type.ts"]]]));
      const reported = { line: 1, message: expect.stringContaining("'string'") };
      expect(found.get("type.ts")).toMatchObject([reported]);
      const problems = blocks.flatMap(({ file, page, line }) =>
        (found.get(file) ?? []).map(
          (problem) => `${page}:${line + problem.line}: ${problem.message}`,
        ),
      );
      expect(problems).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    "code blocks run and print the values in their comments, and a wrong one is reported",
    () => {
      const run = blocks.filter(({ leftOut }) => leftOut === "nothing");
      const codes = [
        ...run.map(({ file, code }) => [file, code]),
        ...Object.entries(WRONG).slice(1),
      ];
      const failures = runBlocks(
        new Map(codes.map(([file = "", code = ""]) => [file, toRun(code)])),
      );
      expect(failures["comment.ts"]).toBeDefined();
      expect(failures["throws.ts"]).toContain("broken");
      const problems = run.flatMap(({ file, page, line }) =>
        file in failures ? [`${page}:${line}: ${failures[file]}`] : [],
      );
      expect(problems).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
