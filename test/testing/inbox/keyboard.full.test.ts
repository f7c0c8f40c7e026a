// Operates the inbox with the keyboard only.
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { CHROMIUM, hasChromium } from "../../support/chromium.ts";
import { createFake } from "../../support/fakes/fake-service.ts";
import { createScene } from "../../support/fakes/inbox-scene.ts";
import { TIMEOUT_MS, test } from "./open-inbox.ts";

/** Returns the accessible name of the focused element. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    const label = element?.id ? document.querySelector(`label[for="${element.id}"]`) : null;
    return element?.getAttribute("aria-label") ?? label?.textContent ?? element?.textContent ?? "";
  });

/** Presses Tab until an element with the given name has the focus. */
const tabTo = async (page: Page, name: RegExp): Promise<void> => {
  const passed: string[] = [];
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press("Tab");
    const here = await focused(page);
    if (name.test(here)) return;
    passed.push(here);
  }
  throw new Error(`${name} is not reached by Tab, which leads to: ${passed.join(" | ")}`);
};

if (!hasChromium) console.warn(`SKIPPED: the inbox by keyboard, for there is no ${CHROMIUM}`);

describe.runIf(hasChromium)("the inbox by keyboard alone", { timeout: TIMEOUT_MS }, () => {
  test("the keyboard alone can open a new phone, text a keyword, and reach the reply", async ({
    page,
    openInbox,
  }) => {
    const service = createFake();
    service.addList({ keyword_names: ["VIP"], first_optin_message: "Welcome!" });
    await openInbox(service);
    await tabTo(page, /^New phone$/);
    await page.keyboard.press("Enter");
    await page.keyboard.type("(206) 555-0123");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "(206) 555-0123" }).waitFor();
    await expect.poll(() => focused(page)).toBe("Text from (206) 555-0123");
    await page.keyboard.type("vip");
    await page.keyboard.press("Enter");
    await page.locator(".bubble").getByText("Welcome!").waitFor();
    expect(await focused(page)).toBe("Text from (206) 555-0123");
  });

  test("the field of a new phone has the focus, the first time and again", async ({
    page,
    openInbox,
  }) => {
    await openInbox(createFake());
    for (const number of ["(206) 555-0123", "(206) 555-0124", "(206) 555-0124"]) {
      await tabTo(page, /^New phone$/);
      await page.keyboard.press("Enter");
      await page.keyboard.type(number);
      await page.keyboard.press("Enter");
      await expect.poll(() => focused(page)).toBe(`Text from ${number}`);
    }
  });

  test("Escape closes the dialog of the inbox and returns the focus to its button", async ({
    page,
    openInbox,
  }) => {
    await openInbox(createFake());
    await tabTo(page, /^New phone$/);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => focused(page)).toBe("New phone");
  });

  test("the keyboard alone can turn a switch, open details, arm a fault and move the clock", async ({
    page,
    openInbox,
  }) => {
    const service = createScene();
    await openInbox(service);
    const before = service.now.getTime();
    await tabTo(page, /^\+1 hour$/);
    await page.keyboard.press("Space");
    await expect.poll(() => service.now.getTime() - before).toBe(3_600_000);
    await tabTo(page, /\(206\) 555-0123/);
    await page.keyboard.press("Enter");
    await tabTo(page, /^RCS reaches this phone$/);
    await page.keyboard.press("Space");
    await expect.poll(() => service.phones[0]?.rcsReachable).toBe(false);
    await tabTo(page, /send_rcs_file/);
    await page.keyboard.press("Enter");
    await page.locator(".message", { hasText: "menu.pdf" }).getByText("Transaction ID").waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Faults" }).press("Enter");
    await tabTo(page, /^Arm$/);
    await page.keyboard.press("Enter");
    await expect.poll(() => service.failures).toHaveLength(3);
    await tabTo(page, /^Disarm all$/);
    await page.keyboard.press("Enter");
    await expect.poll(() => service.failures).toHaveLength(0);
  });

  test("the first Tab in the inbox leads to a link that skips to the content, and the focus is always visible", async ({
    page,
    openInbox,
  }) => {
    await openInbox(createScene());
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip to content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");
    for (let presses = 0; presses < 5; presses += 1) {
      await page.keyboard.press("Tab");
      const outline = await page.evaluate(
        () => document.activeElement && getComputedStyle(document.activeElement).outlineStyle,
      );
      expect(outline, await focused(page)).toBe("solid");
    }
  });
});
