/// <reference path="./virtual-inbox-page.d.ts" />
import { files } from "virtual:inbox-page";

/** A file of the page, as it is served. */
export interface PageFile {
  readonly contentType: string;
  readonly text: string;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** Returns a file of the page by its name; the empty name is the page itself. */
export const findPageFile = (name: string): PageFile | undefined => {
  const file = name === "" ? "index.html" : name;
  const text = Object.hasOwn(files, file) ? files[file] : undefined;
  if (text === undefined) return undefined;
  return { contentType: CONTENT_TYPES[file.split(".").at(-1) ?? ""] ?? "text/plain", text };
};
