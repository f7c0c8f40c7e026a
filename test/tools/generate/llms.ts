import { readFileSync } from "node:fs";
import { REFERENCE, SECTIONS } from "../site/sections.ts";
import { capabilities } from "./methods.ts";

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

/** Returns the first TypeScript block below a heading of a page. The tests compile and run each of these blocks. */
const exampleOf = (path: string, heading: RegExp): string => {
  const section = read(path)
    .split(/^(?=#+ )/m)
    .find((part) => heading.test(part));
  const [block] = section?.match(/```ts\n[\s\S]*?```/) ?? [];
  if (block === undefined) throw new Error(`${path} has no block of code below ${heading}`);
  return block;
};

/** Returns the list below a heading of the page for assistants. */
const rulesOf = (heading: string): string => {
  const [, section = ""] = read("docs/agents.md").split(`## ${heading}\n\n`);
  const [list = ""] = section.split("\n\n");
  if (!list.startsWith("- ")) throw new Error(`docs/agents.md has no list below "${heading}"`);
  return list;
};

const EXAMPLES: readonly (readonly [title: string, page: string, heading: RegExp])[] = [
  ["Send a message", "docs/guides/getting-started.md", /^## Send a first message/],
  ["Send many, safely", "docs/guides/send-many.md", /^# /],
  ["Iterate over lists", "docs/guides/lists-and-pages.md", /^# /],
  ["Handle errors", "docs/guides/errors.md", /^## Catch an error/],
  ["Send from a request handler", "docs/guides/web-services.md", /^## Send within a request/],
  ["Test without texting anyone", "docs/testing.md", /^## Write a first test/],
];

/** Files that are not pages of the site. */
const FILES: readonly (readonly [path: string, about: string])[] = [
  ["docs/openapi/v2.json", "OpenAPI document of version 2."],
  ["docs/openapi/transactional.json", "OpenAPI document of the transactional API."],
  ["docs/openapi/control.json", "OpenAPI document of the control API of the fake."],
];

/** Returns the heading and the first sentence of a page. */
const aboutPage = (path: string): string => {
  const [, heading, start = ""] = /^# (.+)\n+([\s\S]+?)\n\n/m.exec(read(path)) ?? [];
  const text = start
    .replace(/\s+/g, " ")
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replaceAll("**", "");
  // A period or a colon in code does not end a sentence.
  const [sentence = ""] = /^(?:`[^`]*`|[^`])*?[.:](?= |$)/.exec(text) ?? [];
  if (sentence === "") throw new Error(`${path} does not begin with a sentence`);
  return `${heading}. ${sentence.replace(/:$/, ".")}`;
};

/** Returns the pages of the site by section, each with its subject. */
const pageList = (): readonly string[] =>
  SECTIONS.flatMap(([title, pages]) => [
    `### ${title}`,
    "",
    ...pages
      .filter((path) => path !== "CHANGELOG.md")
      .map((path) => `- ${path}: ${aboutPage(path)}`),
    ...(title === REFERENCE ? FILES.map(([path, about]) => `- ${path}: ${about}`) : []),
    "",
  ]);

/** Returns the page for code assistants, which explains how to use the package and what never to do. */
export const llmsText = (): string =>
  [
    "# messaging-service-client",
    "",
    "> Typed TypeScript client of a messaging service for U.S. and Canadian phones: subscriber lists (version 2 API, HTTP Basic, 1200 calls an hour), and RCS texts and files with an SMS fallback (transactional API, `x-api-key`).",
    "",
    ...["Rules", "What must never be generated"].flatMap((heading) => [
      `## ${heading}`,
      "",
      rulesOf(heading),
      "",
    ]),
    "Code blocks that import from `./setup.ts` use examples/guides/setup.ts, a fake service with some values for trying the code. In an application, create the clients from its own settings.",
    ...EXAMPLES.flatMap(([title, page, heading]) => [
      "",
      `## ${title}`,
      "",
      exampleOf(page, heading),
    ]),
    "",
    ...[
      "## What the service can do",
      "",
      capabilities().replaceAll("](", "](guides/"),
      "",
      "## Pages",
      "",
    ],
    "Files of the package or of its repository:",
    "",
    ...pageList(),
  ].join("\n");
