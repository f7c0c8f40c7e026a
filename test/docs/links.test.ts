import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { pages, ROOT, readPage } from "./pages.ts";

/** The page without its code, in which brackets mean something else. */
const proseOf = (page: string) =>
  readPage(page)
    .replace(/```[\s\S]*?```/g, "")
    .replace(/`[^`\n]*`/g, "code");

/** What a heading is called in a link: as GitHub does it. */
const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");

const anchorsOf = (page: string): readonly string[] =>
  [
    ...readPage(page)
      .replace(/```[\s\S]*?```/g, "")
      .matchAll(/^#+ (.+)$/gm),
  ].map(([, heading = ""]) => slug(heading));

/** Why a link of a page leads nowhere. */
const problemOf = (page: string, target: string): string | undefined => {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : normalize(join(dirname(page), path));
  if (file.startsWith("..")) return "leaves the repository";
  if (!existsSync(join(ROOT, file))) return `there is no ${file}`;
  if (anchor === undefined || !file.endsWith(".md")) return undefined;
  return anchorsOf(file).includes(anchor) ? undefined : `${file} has no heading #${anchor}`;
};

test("every link between the pages leads somewhere", () => {
  const links = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => ({ page, target })),
  );
  const own = links.filter(({ target }) => !/^[a-z]+:/.test(target));
  expect(own.length).toBeGreaterThan(20);
  const broken = own.flatMap(({ page, target }) => {
    const problem = problemOf(page, target);
    return problem ? [`${page}: (${target}): ${problem}`] : [];
  });
  expect(broken).toEqual([]);
});

test("links to elsewhere are https, and their hosts are known", () => {
  const known = ["hono.dev", "getpino.io", "opentelemetry.io"];
  for (const page of pages) {
    for (const [url] of proseOf(page).matchAll(/(?<=\]\()[a-z]+:[^)\s]+/g)) {
      expect(new URL(url).protocol, `${page}: ${url}`).toBe("https:");
      expect(known, `${page}: ${url}`).toContain(new URL(url).hostname);
    }
  }
});

test("a broken link, and a heading that is not there, are found", () => {
  expect(problemOf("README.md", "docs/no-such-page.md")).toContain("there is no");
  expect(problemOf("README.md", "docs/testing.md#no-such-heading")).toContain("no heading");
  expect(problemOf("README.md", "docs/testing.md#when-the-service-fails")).toBeUndefined();
});
