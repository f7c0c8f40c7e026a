import { expect, test } from "vitest";
import { pages, readPage } from "./pages.ts";

const MAX_LINES = 300;

/** Returns a page without its generated parts. */
const writtenByHand = (page: string): string =>
  readPage(page)
    .replace(/<!-- (generated|file): [\s\S]*?<!-- \/\1 -->/g, "")
    // Measured results are enclosed in two identical comments.
    .replace(/<!-- (\w+) -->[\s\S]*?<!-- \1 -->/g, "");

test.each(pages)("the page %s has at most 300 lines without its generated parts", (page) => {
  expect(writtenByHand(page).split("\n").length).toBeLessThanOrEqual(MAX_LINES);
});
