// Chromium, driven by Playwright, for tests that run in every browser.
import { CHROMIUM, hasChromium, launchChromium } from "../chromium.ts";
import type { Tab } from "./tab.ts";

/** Returns what is missing to drive Chromium. */
export const missingForChromium = (): string | undefined =>
  hasChromium ? undefined : `${CHROMIUM} does not exist; set CHROMIUM_PATH`;

export const launchChromiumTab = async (): Promise<Tab> => {
  const browser = await launchChromium();
  const page = await browser.newPage();
  let lines: Promise<string>[] = [];
  page.on("console", (line) => {
    const values = line.args().map((argument) => argument.jsonValue().catch(() => ""));
    lines.push(Promise.all(values).then((all) => `${line.text()} ${JSON.stringify(all)}`));
  });
  return {
    async open(url) {
      lines = [];
      await page.goto(url);
    },
    evaluate: page.evaluate.bind(page) as Tab["evaluate"],
    press: (key) => page.keyboard.press(key),
    log: () => Promise.all(lines),
    close: () => browser.close(),
  };
};
