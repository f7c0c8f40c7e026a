import { existsSync } from "node:fs";
import { chromium } from "playwright";

/** Where Chromium is. */
export const CHROMIUM = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

export const hasChromium = existsSync(CHROMIUM);

/** How it is started, with all off that would ask the internet for something. */
export const launchOptions = {
  executablePath: CHROMIUM,
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};

export const launchChromium = () => chromium.launch(launchOptions);
