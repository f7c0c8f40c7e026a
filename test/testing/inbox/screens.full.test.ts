// The look of the inbox in Chromium: narrow and wide, light and dark, accessible.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { CHROMIUM, hasChromium } from "../../support/chromium.ts";
import { createFake } from "../../support/fakes/fake-service.ts";
import { createScene, GUEST } from "../../support/fakes/inbox-scene.ts";
import { TIMEOUT_MS, test } from "./open-inbox.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const FRAGMENTS = [
  "#/conversations",
  `#/conversations/${GUEST}`,
  "#/lists",
  "#/faults",
  "#/requests",
  "#/webhooks",
];

/** The axe-core rules that depend on colors and sizes. */
const LOOK = [
  "color-contrast",
  "link-in-text-block",
  "scrollable-region-focusable",
  "target-size",
] as const;

/**
 * Every width, and both color schemes in the narrow layout and in the wider layouts, which show the same elements. Animations are
 * off, because the contrast is lower while colors change.
 */
const SCREENS = [
  { width: 360, colorScheme: "light", rules: undefined },
  { width: 360, colorScheme: "dark", rules: LOOK },
  { width: 768, colorScheme: "dark", rules: undefined },
  { width: 1280, colorScheme: "light", rules: LOOK },
  { width: 2560, colorScheme: "dark", rules: LOOK },
] as const;

/** Returns the violations that axe-core finds in a page, of all rules or of the given ones. */
const violationsOf = async (page: Page, rules?: typeof LOOK): Promise<readonly string[]> => {
  // The debugger evaluates this code, so the policy of the page does not block it.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  return page.evaluate(
    async (options) => {
      const { axe } = globalThis as unknown as {
        axe: { run(options: object): Promise<AxeResults> };
      };
      const { violations } = await axe.run(options);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    },
    { resultTypes: ["violations"], preload: false, ...(rules && { runOnly: rules }) },
  );
};

/** Opens every disclosure element, so that its content is also checked. */
const openAll = (page: Page) =>
  page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });

if (!hasChromium) console.warn(`SKIPPED: the look of the inbox, for there is no ${CHROMIUM}`);

describe.runIf(hasChromium)("the inbox on a screen", { timeout: TIMEOUT_MS }, () => {
  test.for([
    { name: "many messages", create: createScene, screens: SCREENS },
    { name: "nothing to show", create: createFake, screens: SCREENS.slice(0, 3) },
  ])(
    "the inbox with $name fits every screen, and violates neither axe-core's rules nor its own policy",
    // Testing every width and color scheme takes a while.
    { timeout: 3 * TIMEOUT_MS },
    async ({ create, screens }, { page, openInbox }) => {
      const problems = await openInbox(create());
      for (const fragment of FRAGMENTS) {
        await page.evaluate((hash) => {
          location.hash = hash;
        }, fragment);
        await expect.poll(() => page.evaluate(() => location.hash)).toBe(fragment);
        await openAll(page);
        for (const { width, colorScheme, rules } of screens) {
          const place = `${fragment}, ${colorScheme}, ${width} px wide`;
          await page.setViewportSize({ width, height: 800 });
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          expect(await violationsOf(page, rules), place).toEqual([]);
          const excess = await page.evaluate(() => {
            const { scrollWidth, clientWidth } = document.documentElement;
            return scrollWidth - clientWidth;
          });
          expect(excess, `${place}: too wide`).toBe(0);
        }
      }
      const link = page.getByRole("navigation").getByRole("link", { name: "Conversations" });
      for (const { width } of screens) {
        await page.setViewportSize({ width, height: 800 });
        await link.click();
      }
      expect(problems).toEqual([]);
    },
  );

  test("the dialog for a new phone in the inbox violates no rule of axe-core", async ({
    page,
    openInbox,
  }) => {
    await openInbox(createFake());
    await page.getByRole("button", { name: "New phone" }).click();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect(await violationsOf(page), colorScheme).toEqual([]);
    }
  });

  test("the inbox shows everything without motion, and with forced colors", async ({
    page,
    openInbox,
  }) => {
    await page.emulateMedia({ reducedMotion: "reduce", forcedColors: "active" });
    const problems = await openInbox(createScene(), FRAGMENTS[1]);
    await page.getByRole("switch", { name: "RCS reaches this phone" }).waitFor();
    expect(problems).toEqual([]);
  });
});
