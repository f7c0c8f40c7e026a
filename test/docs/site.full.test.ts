// The site of the documentation: its pages and links, and its layout in Chromium, wide and narrow.
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join } from "node:path";
import type { Browser, Locator } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, hasChromium, launchChromium } from "../support/chromium.ts";
import { pages, ROOT, readPage } from "./pages.ts";

const TIMEOUT_MS = 300_000;
const SITE = mkdtempSync(join(tmpdir(), "site-"));
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
};

const FOLDERS = [".", "documents", "modules", "classes", "functions"];
/** Windows, and the folders whose pages they show. */
const WINDOWS = [
  { width: 1280, height: 900, folders: FOLDERS.slice(0, 3) },
  { width: 768, height: 1024, folders: FOLDERS.slice(0, 3) },
  { width: 390, height: 844, folders: FOLDERS },
] as const;

/** Returns what is wrong with the layout of the page in which it runs. */
const findProblems = (): string[] => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const tooWide = scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px too wide`] : [];
  const cutOff = [...document.querySelectorAll(".col-content table, .col-content pre")]
    .filter((element) => element.scrollWidth > element.clientWidth + 1)
    // Only in a wide window may tables scroll. Code may scroll in none.
    .filter((element) => element.tagName !== "TABLE" || innerWidth < 700)
    .map((element) => `cuts off ${(element.textContent ?? "").trim().slice(0, 40)}`);
  const heading = document.querySelector("h1")?.textContent?.trim() ?? "";
  const isNameless = heading === "" && !location.pathname.endsWith("/hierarchy.html");
  return [...tooWide, ...cutOff, ...(isNameless ? ["has no heading"] : [])];
};

if (!hasChromium) console.warn(`SKIPPED: the look of the site, because ${CHROMIUM} does not exist`);

const typedoc = (...args: string[]) =>
  execFileSync(process.execPath, [join(ROOT, "node_modules/typedoc/bin/typedoc"), ...args], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: "pipe",
  });

const htmlPages = () => globSync("**/*.html", { cwd: SITE }).toSorted();

const shown = (path: string) => readFileSync(join(SITE, path), "utf8");

/** Returns the links and resources of a page. */
const targetsOf = (html: string) =>
  [...html.matchAll(/<(a|link|script|img|use)\b[^>]*?\s(?:href|src)="([^"]+)"/g)].map(
    ([, element = "", target = ""]) => ({ element, target: target.replaceAll("&amp;", "&") }),
  );

// TypeDoc fails if an export has no comment or a link is dead; see `validation` in typedoc.json.
beforeAll(() => void typedoc("--out", SITE), TIMEOUT_MS);
afterAll(() => rmSync(SITE, { recursive: true, force: true }));

describe(
  "the site of the documentation",
  () => {
    test("the site has every page of docs and a reference for every entry point", () => {
      for (const page of pages.filter((path) => path !== "README.md")) {
        const [heading = ""] = readPage(page).match(/(?<=^# ).+/m) ?? [];
        expect(htmlPages(), page).toContain(`documents/${heading.replaceAll(/[ :]/g, "_")}.html`);
      }
      const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
      const entries = Object.keys(exports).filter((entry) => entry !== "./package.json");
      const modules = entries.map((entry) => `messaging-service-client${entry.slice(1)}`);
      const files = modules.map((name) => `modules/${name.replaceAll("/", "_")}.html`);
      expect(htmlPages().filter((page) => page.startsWith("modules/"))).toEqual(files.toSorted());
    });

    test("every link of the site leads to an existing page and anchor", () => {
      const ids = new Map(
        htmlPages().map((page) => [
          page,
          [...shown(page).matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id),
        ]),
      );
      const broken = htmlPages().flatMap((page) =>
        targetsOf(shown(page)).flatMap(({ target }) => {
          if (/^[a-z]+:/.test(target)) return [];
          const [path = "", anchor] = target.split("#").map(decodeURIComponent);
          const file = path === "" ? page : join(dirname(page), path);
          const isThere = existsSync(join(SITE, file));
          const hasAnchor = !anchor || !file.endsWith(".html") || ids.get(file)?.includes(anchor);
          return isThere && hasAnchor ? [] : [`${page}: ${target}`];
        }),
      );
      expect(broken).toEqual([]);
    });

    test("the site loads nothing from another origin", () => {
      const loaded = htmlPages().flatMap((page) =>
        targetsOf(shown(page)).filter(
          ({ element, target }) => element !== "a" && /^(https?:)?\/\//.test(target),
        ),
      );
      expect(loaded).toEqual([]);
      expect(
        htmlPages().flatMap((page) => shown(page).match(/@import|url\(['"]?https?:/g) ?? []),
      ).toEqual([]);
    });

    test("the name of an export in a guide links to its reference", () => {
      expect(shown("documents/Throttle_and_retries.html")).toContain(
        '<a href="../functions/messaging-service-client.throttleFrom.html"><code>throttleFrom</code></a>',
      );
    });
  },
  TIMEOUT_MS,
);

test(
  "an export without a comment is reported",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "undocumented-"));
    const args = ["--entryPoints", join(ROOT, "test/tools/site/undocumented.ts"), "--emit", "none"];
    expect(() => typedoc(...args, "--out", folder)).toThrow(/does not have any documentation/);
    rmSync(folder, { recursive: true });
  },
  TIMEOUT_MS,
);

describe.runIf(hasChromium)("the site in Chromium", () => {
  let server: Server;
  let browser: Browser;
  let baseUrl: string;
  /** Whether pages show the list of all pages and exports. It is the same on every page, and takes most of the time to draw. */
  let hasNavigation = false;

  beforeAll(async () => {
    server = createServer(({ url = "/" }, response) => {
      const path = join(SITE, decodeURIComponent(new URL(url, "http://localhost").pathname));
      const found = existsSync(path);
      const type = TYPES[extname(path)] ?? "text/plain";
      const isNavigation = basename(path) === "navigation.js";
      // Every page loads the same scripts, which the browser keeps.
      const cacheControl = isNavigation ? "no-store" : "max-age=3600";
      response.writeHead(found ? 200 : 404, {
        "content-type": type,
        "cache-control": cacheControl,
      });
      response.end(found && (hasNavigation || !isNavigation) ? readFileSync(path) : "");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    browser = await launchChromium();
  }, TIMEOUT_MS);

  afterAll(async () => {
    await browser.close();
    server.close();
  });

  test(
    "every page of the site fits a wide, a medium and a narrow window",
    async () => {
      const page = await browser.newPage({ colorScheme: "dark" });
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
      const shownPages = htmlPages().filter((file) => FOLDERS.includes(dirname(file)));
      const foldersSeen = new Set<string>();
      for (path of shownPages) {
        hasNavigation = !foldersSeen.has(dirname(path));
        foldersSeen.add(dirname(path));
        await page.goto(baseUrl + encodeURI(path));
        // Resizing a page takes less time than loading it again.
        for (const { folders, ...size } of WINDOWS) {
          if (!folders.includes(dirname(path))) continue;
          await page.setViewportSize(size);
          const found = await page.evaluate(findProblems);
          problems.push(...found.map((problem) => `${path}, ${size.width} px wide: ${problem}`));
        }
      }
      expect(shownPages.length).toBeGreaterThan(20);
      expect(problems).toEqual([]);
      await page.close();
    },
    TIMEOUT_MS,
  );

  let search: Promise<{ input: Locator; results: Locator }> | undefined;
  /** Opens the search of one page, which all tests use. */
  const openSearch = () => {
    search ??= (async () => {
      const page = await browser.newPage();
      hasNavigation = false;
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
    "a search of the site for %j finds %j first, and each name once",
    async (words, expected) => {
      const { input, results } = await openSearch();
      await input.fill("");
      await results.first().waitFor({ state: "detached" });
      await input.fill(words);
      await results.filter({ hasText: expected }).first().waitFor();
      const found = (await results.allTextContents()).map((text) => text.trim());
      expect(new Set(found).size).toBe(found.length);
      // A class that overrides a member is no further result.
      const members = found.filter((text) => /Error\.\w+$/.test(text));
      const names = members.map((text) => text.replace(/^.*\./, ""));
      expect(new Set(names).size, members.join(", ")).toBe(names.length);
      expect(found[0]).toBe(expected);
    },
    TIMEOUT_MS,
  );
});
