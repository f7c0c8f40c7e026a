import { expect, test } from "vitest";
import { pages, readPage } from "./pages.ts";

// remark-validate-links, in `npm run check`, checks the links between the pages.

/** Returns a page without its code, where brackets have a different meaning. */
const proseOf = (page: string) =>
  readPage(page)
    .replace(/```[\s\S]*?```/g, "")
    .replace(/`[^`\n]*`/g, "code");

test("every link to another site uses https and has a known host", () => {
  const known = ["hono.dev", "getpino.io", "opentelemetry.io", "undici.nodejs.org"];
  for (const page of pages) {
    for (const [url] of proseOf(page).matchAll(/(?<=\]\()[a-z]+:[^)\s]+/g)) {
      expect(new URL(url).protocol, `${page}: ${url}`).toBe("https:");
      expect(known, `${page}: ${url}`).toContain(new URL(url).hostname);
    }
  }
});
