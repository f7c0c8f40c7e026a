// The page as vite builds it for production.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { build } from "vite";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** Builds the page that lies in a folder; what it returns finds the files of it by their paths. */
export const buildPage = async (root: string) => {
  const outDir = mkdtempSync(join(tmpdir(), "page-"));
  process.once("exit", () => rmSync(outDir, { recursive: true }));
  // A policy of `default-src 'self'` allows no `data:` URL.
  await build({
    root,
    logLevel: "warn",
    build: { outDir, emptyOutDir: true, assetsInlineLimit: 0 },
  });
  return (pathname: string) => {
    const file = join(outDir, pathname === "/" ? "index.html" : pathname);
    if (!existsSync(file)) return undefined;
    return { type: TYPES[extname(file)] ?? "text/plain", content: readFileSync(file) };
  };
};
