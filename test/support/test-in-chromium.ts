import { test as base } from "vitest";
import { launchChromium } from "./chromium.ts";

/** `test` with a Chromium that the tests of a file share. */
export const test = base.extend(
  "browser",
  { scope: "file" },
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures a function uses.
  async ({}, { onCleanup }) => {
    const browser = await launchChromium();
    onCleanup(() => browser.close());
    return browser;
  },
);
