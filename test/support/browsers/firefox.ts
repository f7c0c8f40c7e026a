// Firefox, driven over WebDriver BiDi by puppeteer.
import { existsSync } from "node:fs";
import { importFrom, installFixture } from "../fixture.ts";
import { logOf, type Tab, watch } from "./tab.ts";

/** The parts of puppeteer that this driver uses. Its own types are installed with it. */
interface Page extends Pick<Tab, "evaluate"> {
  readonly keyboard: Pick<Tab, "press">;
  goto(url: string): Promise<unknown>;
  evaluateOnNewDocument(run: () => void): Promise<unknown>;
}
interface Puppeteer {
  launch(options: object): Promise<{ newPage(): Promise<Page>; close(): Promise<void> }>;
}

const FIREFOX = process.env.FIREFOX_PATH ?? "/usr/bin/firefox-esr";

/** Returns what is missing to drive Firefox. */
export const missingForFirefox = (): string | undefined =>
  existsSync(FIREFOX) ? undefined : `${FIREFOX} does not exist; set FIREFOX_PATH`;

export const launchFirefox = async (): Promise<Tab> => {
  const { launch } = await importFrom<Puppeteer>(installFixture("second-ring"), "puppeteer-core");
  const browser = await launch({ browser: "firefox", executablePath: FIREFOX, headless: true });
  // The page that Firefox starts with never receives the focus.
  const page = await browser.newPage();
  await page.evaluateOnNewDocument(watch);
  const tab: Tab = {
    open: async (url) => void (await page.goto(url)),
    evaluate: (run, argument) => page.evaluate(run, argument),
    press: (key) => page.keyboard.press(key),
    log: () => logOf(tab),
    close: () => browser.close(),
  };
  return tab;
};
