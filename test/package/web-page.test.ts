import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { createFakeService } from "messaging-service-client/testing";
import { listen } from "messaging-service-client/testing/node";
import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { buildPage } from "../../examples/browser/built-page.ts";
import { start } from "../examples/run-example.ts";
import { CHROMIUM, launch, serve, servePreflightWatch, usePage } from "./web-page.ts";

const hasChromium = existsSync(CHROMIUM);
if (!hasChromium) console.warn(`SKIPPED: the web page, for there is no ${CHROMIUM}`);

/** Set to a path, it takes a picture of the page for the docs. */
const { SCREENSHOT } = process.env;

const openFake = () => {
  const service = createFakeService();
  for (const name of ["VIP", "Staff", "Guests"]) service.addList({ name, keyword_names: [name] });
  return service;
};

const expected = {
  names: ["VIP", "Staff", "Guests"],
  refused: expect.stringMatching(/valid U\.S\. or Canadian phone number/),
  stillWrong: 0,
  violations: [],
  complaints: [],
};

describe.runIf(hasChromium)("a production bundle in a page under a strict policy", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  test("calls another origin, and preflights ask for no more than they must", async () => {
    const folder = join(inject("application"), "browser");
    cpSync(new URL("../../examples/browser", import.meta.url).pathname, folder, {
      recursive: true,
    });
    const fileOf = await buildPage(folder);
    const service = openFake();
    const server = await listen(service);
    onTestFinished(() => server.close());
    const watch = await servePreflightWatch(server.v2BaseUrl);
    const { email, apiKey } = service.account;
    const settings = { v2BaseUrl: watch.url, transactionalBaseUrl: watch.url, email, apiKey };
    const url = await serve((request, response) => {
      const file = fileOf(request.url ?? "/");
      response.setHeader("content-type", file?.type ?? "application/json");
      response.setHeader(
        "content-security-policy",
        `default-src 'self'; connect-src 'self' ${watch.url}`,
      );
      response.end(file?.content ?? JSON.stringify(settings));
    });

    expect(await usePage(browser, url)).toMatchObject(expected);
    expect(service.sends).toHaveLength(1);
    // The refused message never left the page.
    expect(service.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
    expect(new Set(watch.asked)).toEqual(
      new Set(["authorization,content-type", "content-type,x-api-key"]),
    );
  });

  test("calls the server of the page, which keeps the key", async () => {
    const service = openFake();
    const { shown } = await start("browser/server.ts", [], service);
    await expect.poll(() => shown.stdout, { timeout: 60_000 }).toMatch(/open http/);
    const [url = ""] = /http:\S+/.exec(shown.stdout) ?? [];

    const { page, ...told } = await usePage(browser, url);
    expect(told).toMatchObject(expected);
    expect(service.sends).toHaveLength(1);
    if (SCREENSHOT) await page.screenshot({ path: SCREENSHOT, fullPage: true });

    const sources = await page.evaluate(async () => {
      const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
      const files = [location.href, ...loaded].map(async (name) => (await fetch(name)).text());
      return (await Promise.all(files)).join();
    });
    expect(sources).toContain("held-by-the-server");
    expect(sources).not.toContain(service.account.apiKey);

    // Nothing but the two calls goes through.
    const status = async (path: string, init?: RequestInit) =>
      (await fetch(url + path, init)).status;
    expect(await status("api/v2/accounts/me")).toBe(404);
    expect(await status("api/v2/lists/1/subscribers/2065550123", { method: "DELETE" })).toBe(404);
  });
});
