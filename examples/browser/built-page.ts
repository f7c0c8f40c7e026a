// Builds the page for production with Vite.
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { build } from "vite";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** Builds the page in a folder. Returns a function that looks up the built files by path. */
export const buildPage = async (root: string) => {
  const outDir = mkdtempSync(join(tmpdir(), "page-"));
  try {
    // The policy `default-src 'self'` allows no `data:` URLs.
    await build({
      root,
      logLevel: "warn",
      build: { outDir, emptyOutDir: true, assetsInlineLimit: 0 },
    });
    const files = new Map(
      globSync("**/*.*", { cwd: outDir }).map((path) => [
        `/${path}`,
        { type: TYPES[extname(path)] ?? "text/plain", content: readFileSync(join(outDir, path)) },
      ]),
    );
    return (path: string) => files.get(path === "/" ? "/index.html" : path);
  } finally {
    rmSync(outDir, { recursive: true });
  }
};
