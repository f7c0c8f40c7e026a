import { existsSync } from "node:fs";
import { chromium } from "playwright";

/** Path of Chromium. */
export const CHROMIUM = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

export const hasChromium = existsSync(CHROMIUM);

/** Arguments of Chromium, which turn off everything that would access the internet. */
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
    // Replaces Playwright's own list. Without the last two, each window loads two hidden pages for its address bar.
    "--disable-features=AimEnabled,HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,LensOverlay,MediaRouter,NetworkTimeServiceQuerying,OptimizationHints,PaintHolding,PreconnectToSearch,ThirdPartyStoragePartitioning,WebUIOmniboxAimPopup,WebUIOmniboxPopup",
  ],
};

export const launchChromium = () => chromium.launch(launchOptions);
