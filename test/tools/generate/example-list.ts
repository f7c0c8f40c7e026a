import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { SECTIONS } from "../site/sections.ts";

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

/** Heading of a section of a page, and the example that it shows whole. */
const SHOWN = /^## (?<heading>.+)\n(?:(?!## ).*\n)*?<!-- file: (?<path>\S+) -->/gm;

/** First comment of an example of the runner: what the program does, and its command. */
const FIRST_COMMENT = /^\/\/ (?<about>.+?): `(?<command>npm run example (?<name>[a-z-]+)[^`]*)`/;

/** Returns a section for each example of the runner: what it does, its command, and the page that shows the whole file. */
export const exampleList = (): string =>
  SECTIONS.flatMap(([, pages]) => pages)
    .flatMap((page) => [...read(page).matchAll(SHOWN)].map(({ groups }) => ({ page, ...groups })))
    .flatMap(({ page, heading = "", path = "" }: Record<string, string | undefined>) => {
      const { about, command, name } = FIRST_COMMENT.exec(read(path))?.groups ?? {};
      const link = `${basename(page ?? "")}#${heading.toLowerCase().replaceAll(" ", "-")}`;
      return name
        ? [`## ${name}`, `${about}. Whole file: [${basename(path)}](${link}).`, `\`${command}\``]
        : [];
    })
    .join("\n\n");
