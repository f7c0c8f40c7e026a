import { test as base } from "vitest";
import { launchChromium } from "./chromium.ts";

/** `test` with a Chromium page that the tests of a file share, because opening a page takes seconds of processor time. */
export const test = base.extend(
  "page",
  { scope: "file" },
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures a function uses.
  async ({}, { onCleanup }) => {
    const browser = await launchChromium();
    onCleanup(() => browser.close());
    return browser.newPage();
  },
);
