// Bundles the inbox page into the files that the fake serves.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { build } from "esbuild";

const PAGE = new URL("../src/testing/inbox/", import.meta.url);
const MODULE_NAME = "virtual:inbox-page";

/** Bundles the page. Returns the text of each file by name. */
export const bundlePage = async (): Promise<Readonly<Record<string, string>>> => {
  const { outputFiles } = await build({
    entryPoints: [new URL("inbox.tsx", PAGE).pathname, new URL("inbox.css", PAGE).pathname],
    outdir: "page",
    bundle: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    format: "esm",
    target: ["es2022", "chrome123", "firefox128", "safari17.5"],
    write: false,
  });
  const bundled = outputFiles.map(({ path, text }) => [basename(path), text] as const);
  const copied = ["index.html", "icon.svg"].map(
    (name) => [name, readFileSync(new URL(name, PAGE), "utf8")] as const,
  );
  return Object.fromEntries([...copied, ...bundled]);
};

const toModule = async (): Promise<string> =>
  `export const files = ${JSON.stringify(await bundlePage())};`;

/** Provides `virtual:inbox-page` to the build and to Vite, which runs the tests of the source. */
export const inboxPage = () => ({
  name: "inbox-page",
  resolveId: (id: string) => (id === MODULE_NAME ? `\0${MODULE_NAME}` : undefined),
  load: (id: string) => (id === `\0${MODULE_NAME}` ? toModule() : undefined),
});
