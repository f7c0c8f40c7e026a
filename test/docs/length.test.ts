import { expect, test } from "vitest";
import { pages, readPage } from "./pages.ts";

const MAX_LINES = 300;

/** Returns a page without what programs write into it. */
const writtenByHand = (page: string): string =>
  readPage(page).replace(/<!-- (generated|file): [\s\S]*?<!-- \/\1 -->/g, "");

test.each(pages)("%s has at most 300 lines, generated parts apart", (page) => {
  expect(writtenByHand(page).split("\n").length).toBeLessThanOrEqual(MAX_LINES);
});
