import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pages, ROOT, readPage } from "./pages.ts";

const TIMEOUT_MS = 120_000;
const SITE = mkdtempSync(join(tmpdir(), "site-"));

const typedoc = (...args: string[]) =>
  execFileSync(process.execPath, [join(ROOT, "node_modules/typedoc/bin/typedoc"), ...args], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: "pipe",
  });

const shown = (path: string) => readFileSync(join(SITE, path), "utf8");

/** Returns the links and resources of a page. */
const targetsOf = (html: string) =>
  [...html.matchAll(/<(a|link|script|img|use)\b[^>]*?\s(?:href|src)="([^"]+)"/g)].map(
    ([, element = "", target = ""]) => ({ element, target: target.replaceAll("&amp;", "&") }),
  );

describe(
  "the site of the documentation",
  () => {
    // TypeDoc fails if an export has no comment or a link is dead; see `validation` in typedoc.json.
    beforeAll(() => void typedoc("--out", SITE), TIMEOUT_MS);
    afterAll(() => rmSync(SITE, { recursive: true, force: true }));

    const htmlPages = () => globSync("**/*.html", { cwd: SITE }).toSorted();

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

    test("the site draws every Mermaid diagram", () => {
      const count = (text: string, part: string) => text.split(part).length - 1;
      for (const page of ["docs/fake-inventions.md", "docs/guides/throttle-and-retries.md"]) {
        const source = readFileSync(join(ROOT, page), "utf8");
        const title = /^# (.+)$/m.exec(source)?.[1]?.replaceAll(" ", "_");
        const html = shown(`documents/${title}.html`);
        expect(count(html, '<svg class="diagram"'), page).toBe(count(source, "```mermaid"));
        expect(html).not.toContain("sequenceDiagram");
      }
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
