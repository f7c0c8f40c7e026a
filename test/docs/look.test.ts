// Checks the look of the site in Chromium: wide and narrow, light and dark.
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import type { Browser, Locator } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, hasChromium, launchChromium } from "../support/chromium.ts";
import { ROOT } from "./pages.ts";

const TIMEOUT_MS = 180_000;
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
};

const SCREENS = [
  { width: 1280, height: 900, colorScheme: "light", folders: "documents,modules" },
  { width: 768, height: 1024, colorScheme: "dark", folders: "documents,modules" },
  { width: 390, height: 844, colorScheme: "dark", folders: "documents,modules,classes,functions" },
] as const;

if (!hasChromium) console.warn(`SKIPPED: the look of the site, because ${CHROMIUM} does not exist`);

describe.runIf(hasChromium)("the site in Chromium", () => {
  const site = mkdtempSync(join(tmpdir(), "site-"));
  let server: Server;
  let browser: Browser;
  let baseUrl: string;

  beforeAll(async () => {
    const typedoc = join(ROOT, "node_modules/typedoc/bin/typedoc");
    execFileSync(process.execPath, [typedoc, "--out", site], { cwd: ROOT, stdio: "pipe" });
    server = createServer(({ url = "/" }, response) => {
      const path = join(site, decodeURIComponent(new URL(url, "http://localhost").pathname));
      const found = existsSync(path);
      const type = TYPES[extname(path)] ?? "text/plain";
      // Every page loads the same scripts, which the browser keeps.
      const headers = { "content-type": type, "cache-control": "max-age=3600" };
      response.writeHead(found ? 200 : 404, headers);
      response.end(found ? readFileSync(path) : "");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    browser = await launchChromium();
  }, TIMEOUT_MS);

  afterAll(async () => {
    await browser.close();
    server.close();
    rmSync(site, { recursive: true, force: true });
  });

  test.concurrent.each(SCREENS)(
    "every page of the site fits a $colorScheme window of $width px",
    async ({ colorScheme, folders, ...viewport }) => {
      const context = await browser.newContext({ viewport, colorScheme });
      const page = await context.newPage();
      const problems: string[] = [];
      let path = "";
      page.on("request", (request) => {
        if (!request.url().startsWith(baseUrl)) problems.push(`${path} requests ${request.url()}`);
      });
      page.on("response", (response) => {
        if (response.status() >= 400 && !response.url().endsWith("favicon.ico")) {
          problems.push(`${path} misses ${response.url()}`);
        }
      });
      page.on("pageerror", (error) => problems.push(`${path}: ${error.message}`));
      const paths = globSync(["*.html", `{${folders}}/*.html`], { cwd: site });
      for (path of paths.toSorted()) {
        await page.goto(baseUrl + encodeURI(path));
        const { tooWide, cutOff, heading } = await page.evaluate(() => ({
          tooWide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          cutOff: [...document.querySelectorAll(".col-content table, .col-content pre")]
            .filter((element) => element.scrollWidth > element.clientWidth + 1)
            .map((element) => ({
              isTable: element.tagName === "TABLE",
              start: (element.textContent ?? "").trim().slice(0, 40),
            })),
          heading: document.querySelector("h1")?.textContent ?? "",
        }));
        if (tooWide > 0) problems.push(`${path} is ${tooWide} px wider than the screen`);
        // No table and no code is cut off. Tables may scroll only in a wide window.
        problems.push(
          ...cutOff
            .filter(({ isTable }) => !isTable || viewport.width < 700)
            .map(({ start }) => `${path} cuts off: ${start}`),
        );
        if (heading.trim() === "" && path !== "hierarchy.html")
          problems.push(`${path} has no heading`);
      }
      expect(paths.length).toBeGreaterThan(20);
      expect(problems).toEqual([]);
      await context.close();
    },
    TIMEOUT_MS,
  );

  let search: Promise<{ input: Locator; results: Locator }> | undefined;
  /** Opens the search of one page, which all tests use. */
  const openSearch = () => {
    search ??= (async () => {
      const page = await browser.newPage();
      await page.goto(`${baseUrl}index.html`);
      await page.locator("#tsd-search-trigger").click();
      return {
        input: page.locator("#tsd-search-input"),
        results: page.locator("#tsd-search-results li"),
      };
    })();
    return search;
  };

  test.each([
    ["retry", "Throttle and retries"],
    ["throttle", "Throttle and retries"],
    ["webhook", "Sending from a web service"],
    ["duplicate", "Send many, safely"],
    ["idempotency", "Send many, safely"],
    ["idempotent", "Errors and when to send again"],
    ["Opt-in settings", "Opt-in settings"],
    ["opt-out", "Opt-in settings"],
    ["sqlite", "Send many, safely"],
    ["throttleFrom", "Throttle and retries"],
    ["CommonJS", "Runtimes"],
    ["agent", "For coding assistants and agents"],
    ["doubt", "Operate durable sends"],
    ["exactly once", "Send many, safely"],
    ["opt out", "Opt-in settings"],
    ["queue", "Queues with BullMQ, pg-boss, Graphile Worker and DBOS"],
    ["graphile", "Queues with BullMQ, pg-boss, Graphile Worker and DBOS"],
    ["outbox", "Queues with BullMQ, pg-boss, Graphile Worker and DBOS"],
    ["Prisma", "Databases with Prisma, Drizzle and Kysely"],
    ["inbox", "The fake as a command"],
    ["curl", "The control API"],
    ["default", "All options"],
    ["Next", "Quickstarts with Next.js, Workers and AWS Lambda"],
    ["Lambda", "Quickstarts with Next.js, Workers and AWS Lambda"],
    ["proxy", "Proxies, TLS and throughput"],
    ["mTLS", "Proxies, TLS and throughput"],
    ["HTTP/2", "Proxies, TLS and throughput"],
    ["throughput", "Proxies, TLS and throughput"],
    ["Jest", "Test runners, msw and fake timers"],
    ["example", "Examples"],
  ])(
    "a search of the site for %j finds %j first, and each result once",
    async (words, expected) => {
      const { input, results } = await openSearch();
      await input.fill("");
      await results.first().waitFor({ state: "detached" });
      await input.fill(words);
      await results.filter({ hasText: expected }).first().waitFor();
      const found = (await results.allTextContents()).map((text) => text.trim());
      expect(new Set(found).size).toBe(found.length);
      expect(found[0]).toBe(expected);
    },
    TIMEOUT_MS,
  );
});
