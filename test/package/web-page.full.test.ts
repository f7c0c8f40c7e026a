import type { Browser } from "playwright";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { CHROMIUM, hasChromium, launchChromium } from "../support/chromium.ts";
import { start } from "../support/run-example.ts";
import { askFor, breakPolicy, openFake, openPage, usePage } from "../support/servers/web-page.ts";

if (!hasChromium) console.warn(`SKIPPED: the web page, for there is no ${CHROMIUM}`);

/** If set to a path, the test saves a picture of the page for the docs there. */
const { SCREENSHOT } = process.env;

const shown = {
  names: ["VIP", "Staff", "Guests"],
  wrong: [expect.stringMatching(/valid U\.S\. or Canadian phone number/)],
  focused: true,
  stillWrong: 0,
};

describe.runIf(hasChromium)("production bundle in a page with a strict policy", () => {
  let browser: Browser;
  let url = "";
  const service = openFake();
  const ends: (() => unknown)[] = [];
  // All tests share one server between the page and a fake service. The server builds the page when it starts.
  beforeAll(async () => {
    browser = await launchChromium();
    const { shown } = await start("browser/server.ts", [], service, {}, (end) => ends.push(end));
    await vi.waitFor(() => expect(shown.stdout).toMatch(/Open http/), 60_000);
    [url = ""] = /http:\S+/.exec(shown.stdout) ?? [];
  });
  beforeEach(() => service.reset());
  afterAll(async () => {
    await browser.close();
    for (const end of ends) await end();
  });

  test("the page calls its own server, which keeps the key", async () => {
    const { page, policy, complaints, violations } = await openPage(browser, url);
    expect(await usePage(page)).toEqual(shown);
    expect({ policy, complaints }).toEqual({ policy: "default-src 'self'", complaints: [] });
    expect(await violations()).toEqual([]);
    expect(service.sends).toHaveLength(1);
    await breakPolicy(page);
    expect(await violations()).toEqual(["script-src-elem inline"]);
    if (SCREENSHOT) await page.screenshot({ path: SCREENSHOT, fullPage: true });

    const sources = await page.evaluate(async () => {
      const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
      const files = [location.href, ...loaded].map(async (name) => (await fetch(name)).text());
      return (await Promise.all(files)).join();
    });
    expect(sources).toContain("held-by-the-server");
    expect(sources).not.toContain(service.account.apiKey);
  });

  test("the page reports a lost response and missing lists", async () => {
    service.failNext({ status: 403, endpoint: "GET /api/v2/lists" });
    const { page } = await openPage(browser, url);
    await page.getByText("Only 0 lists could be loaded (permission_denied).").waitFor();

    service.failNext({ fault: "dropped" });
    await page.getByLabel("Phone").fill("(206) 555-0123");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("It may have been sent.").waitFor();
    expect(service.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  test("the page fits a narrow window in light and in dark mode", async () => {
    const { page } = await openPage(browser, url);
    await page.setViewportSize({ width: 320, height: 640 });
    await page.getByLabel("SMS").fill(`’${"x".repeat(60)}`);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("It was not sent.").waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    }
  });

  test("the server of the page forwards no other request and survives any request", async () => {
    const status = async (path: string, init?: RequestInit) =>
      (await fetch(url + path, init)).status;
    const sending = "transactional_messages/send_rcs_text";
    const fromElsewhere = { method: "POST", headers: { "sec-fetch-site": "cross-site" } };
    const cases = await Promise.all([
      status("api/v2/accounts/me"),
      status("api/v2/lists/1/subscribers/2065550123", { method: "DELETE" }),
      status(sending, fromElsewhere),
      status(sending, { method: "POST" }),
      status("assets"),
      status("..%2fpackage.json"),
    ]);
    expect(cases).toEqual([404, 404, 403, 403, 404, 404]);
    for (const path of ["http://elsewhere.example/", "*", "//"]) await askFor(url, path);
    expect(await status("")).toBe(200);
    expect(service.requests).toEqual([]);
  });
});
