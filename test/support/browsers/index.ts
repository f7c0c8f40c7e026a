// The browsers that tests run in.
import { launchChromiumTab, missingForChromium } from "./chromium.ts";
import { launchFirefox, missingForFirefox } from "./firefox.ts";
import type { Tab } from "./tab.ts";
import { launchWebKit, missingForWebKit } from "./webkit.ts";

export type { Tab } from "./tab.ts";

export interface TestedBrowser {
  readonly name: string;
  /** Pattern of the browser's user agent. */
  readonly userAgent: RegExp;
  /** What this machine lacks to start the browser. */
  readonly missing: string | undefined;
  readonly launch: () => Promise<Tab>;
}

export const chromium: TestedBrowser = {
  name: "Chromium",
  userAgent: / HeadlessChrome\//,
  missing: missingForChromium(),
  launch: launchChromiumTab,
};

export const firefox: TestedBrowser = {
  name: "Firefox",
  userAgent: / Firefox\//,
  missing: missingForFirefox(),
  launch: launchFirefox,
};

export const webkit: TestedBrowser = {
  name: "WebKit",
  userAgent: / AppleWebKit\/.* Version\/.* Safari\//,
  missing: missingForWebKit(),
  launch: launchWebKit,
};
