// The documentation site: its pages and links, and its layout in wide and narrow windows of Chromium.
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
/** Window sizes, and the folders whose pages are checked in each of them. */
const WINDOWS = [
  { width: 1280, height: 900, folders: FOLDERS.slice(0, 3) },
  { width: 390, height: 844, folders: FOLDERS },
] as const;

/** Replaces the content of a page with that of another page. Loading that page with its scripts would take twice as long. */
const showContentOf = async (url: string): Promise<void> => {
  const html = await (await fetch(url)).text();
  const content = new DOMParser()
    .parseFromString(html, "text/html")
    .querySelector(".container-main");
  history.replaceState(null, "", url);
  document.querySelector(".container-main")?.replaceWith(content ?? "no content");
};

/** Returns the layout problems of the page in which it runs. */
const findProblems = (): string[] => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const tooWide = scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px too wide`] : [];
  const cutOff = [...document.querySelectorAll(".col-content table, .col-content pre")]
    .filter((element) => element.scrollWidth > element.clientWidth + 1)
    // Tables may scroll in wide windows only. Code may never scroll.
    .filter((element) => element.tagName !== "TABLE" || innerWidth < 700)
    .map((element) => `cuts off ${(element.textContent ?? "").trim().slice(0, 40)}`);
  const heading = document.querySelector("h1")?.textContent?.trim() ?? "";
  const isNameless = heading === "" && !location.pathname.endsWith("/hierarchy.html");
  return [...tooWide, ...cutOff, ...(isNameless ? ["has no heading"] : [])];
};

if (!hasChromium) console.warn(`SKIPPED: the look of the site, because ${CHROMIUM} does not exist`);

const typedoc = (...args: string[]) =>
  // The first ring checks the types.
  execFileSync("node_modules/.bin/typedoc", ["--skipErrorChecking", ...args], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: "pipe",
  });

/** Search terms, and the section that must be found. */
const QUESTIONS: readonly (readonly [words: string, section: string])[] = [
  ["in doubt", "Operate durable sends › Settle doubt by hand"],
  ["excel", "From a spreadsheet › Files that the job reads"],
  ["schedule message", "Lists and pages › List scheduled messages"],
  ["list of subscribers", "Lists and pages › What the service can do"],
  ["base url", "Getting started › Find the base URLs"],
  ["next.js", "Quickstarts › A Next.js page that shows your lists"],
  ["retry", "Throttle and retries › Retries"],
  ["webhook", "Sending from a web service › Receive the webhook"],
  ["exactly once", "Send many, safely › Send a single message once"],
  ["idempotency", "Errors and when to send again › When a send is unknown"],
  ["opt out", "Only the right people › Opt-outs, also while a job runs"],
  ["sqlite", "All options › sqliteLedger"],
  ["prisma", "Databases with Prisma, Drizzle and Kysely › Prisma"],
  ["bullmq", "Queues with BullMQ, pg-boss, Graphile Worker and DBOS › BullMQ"],
  ["inbox", "The fake as a command › The inbox"],
  ["curl", "The control API › A session with curl"],
  ["lambda", "Quickstarts › AWS Lambda"],
  ["proxy", "Proxies, TLS and throughput › Choose a dispatcher"],
  ["jest", "Test runners, msw and fake timers › Jest"],
  ["fake timers", "Test runners, msw and fake timers › Fake timers"],
  ["429", "Throttle and retries › Retries"],
  ["how long can a call wait", "Throttle and retries › How long a call can wait"],
  ["phone number format", "Sending RCS with SMS fallback › Check a phone number"],
  ["quiet hours", "Only the right people › Quiet hours"],
  ["staging", "Only the right people › Staging: an empty setting means nobody"],
  ["api key", "Getting started › Get a key"],
  ["pagination", "Lists and pages"],
  ["resume after a crash", "Lists and pages › Resume after a crash"],
  ["csv report", "Reports › Read the rows"],
  ["opentelemetry", "Tracing and privacy › OpenTelemetry"],
  ["log", "Tracing and privacy › Log and debug"],
  ["debug", "Tracing and privacy › Log and debug"],
  ["several accounts", "Getting started › Use several accounts"],
  ["user-agent", "Getting started › Name your application"],
  ["no webhook endpoint", "Sending RCS with SMS fallback › Send without a webhook endpoint"],
  ["no connection was made (ECONNREFUSED)", "Error messages › When a call fails"],
  ["mcp", "For coding assistants and agents › Give an agent a tool that is safe to repeat"],
  ["throttleFrom", "throttleFrom"],
];

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
    const file = join(ROOT, "test/tools/site/undocumented.ts");
    const [tsconfig, options] = [join(folder, "tsconfig.json"), join(folder, "typedoc.json")];
    // TypeDoc takes half the time without the types of Node and the DOM.
    const compilerOptions = { lib: ["es2022"], types: [] };
    writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files: [file] }));
    const changed = { tsconfig, entryPoints: [file], emit: "none", out: folder };
    writeFileSync(options, JSON.stringify({ extends: [join(ROOT, "typedoc.json")], ...changed }));
    expect(() => typedoc("--options", options)).toThrow(/does not have any documentation/);
    rmSync(folder, { recursive: true });
  },
  TIMEOUT_MS,
);

describe.runIf(hasChromium)("the site in Chromium", () => {
  let server: Server;
  let browser: Browser;
  let baseUrl: string;
  /** Whether pages show the list of all pages and exports. It is the same on every page and takes most of the rendering time. */
  let hasNavigation = false;

  beforeAll(async () => {
    server = createServer(({ url = "/" }, response) => {
      const path = join(SITE, decodeURIComponent(new URL(url, "http://localhost").pathname));
      const found = existsSync(path);
      const type = TYPES[extname(path)] ?? "text/plain";
      const isNavigation = basename(path) === "navigation.js";
      // The browser caches the scripts, which are the same on every page.
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
    "every page of the site fits a wide and a narrow window",
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
        const url = baseUrl + encodeURI(path);
        // The first page of each folder is loaded, with its navigation and scripts.
        hasNavigation = !foldersSeen.has(dirname(path));
        foldersSeen.add(dirname(path));
        if (hasNavigation) await page.goto(url);
        else await page.evaluate(showContentOf, url);
        // The page is hidden until its scripts run.
        await page.locator(".col-content").waitFor();
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
  /** Opens the search on a page that all tests share. */
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

  test.each(QUESTIONS)(
    "a search of the site for %j finds %j among the first three",
    async (words, expected) => {
      const { input, results } = await openSearch();
      await input.fill(words);
      const found = (await results.allTextContents()).map((text) => text.trim());
      expect(found.slice(0, 3)).toContain(expected);
      expect(new Set(found).size, "each result is there once").toBe(found.length);
    },
    TIMEOUT_MS,
  );

  test("a search without a result shows a message", async () => {
    const { input, results } = await openSearch();
    await input.fill("987654321");
    await input.page().getByText("No results found for").waitFor();
    expect(await results.count()).toBe(0);
  });

  test("a result of a search leads to its section", async () => {
    const { input, results } = await openSearch();
    await input.fill("in doubt");
    const url = await results.first().locator("a").getAttribute("href");
    expect(url).toMatch(/documents\/\w+\.html#[\w-]+$/);
    await input.press("ArrowDown");
    await input.press("Enter");
    await input.page().waitForURL((to) => to.href.endsWith(url?.replace(/^\.\//, "") ?? "?"));
  });
});
