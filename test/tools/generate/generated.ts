import { readFileSync } from "node:fs";
import { defineTable } from "../../../src/bulk/ledgers/postgres-ledger.ts";
import { checkOutput } from "./check-output.ts";
import { ledgerCommands } from "./command-flags.ts";
import { controlCalls } from "./control-calls.ts";
import { exampleList } from "./example-list.ts";
import { faultList } from "./fault-list.ts";
import { faultMatrix } from "./fault-matrix.ts";
import { llmsText } from "./llms.ts";
import { capabilities, repeats } from "./methods.ts";
import { optInTable } from "./opt-in-table.ts";
import { optionsTable } from "./options-table.ts";
import { phoneMetadataSource } from "./phone-metadata.ts";
import { runtimesTable } from "./runtimes-table.ts";

/** File that a program writes completely or in part, and its up-to-date content. */
export interface Generated {
  readonly path: string;
  readonly text: string;
}

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: "ts",
  cjs: "js",
  mjs: "js",
  html: "html",
};

/** Returns a file of the repository as a code block. */
const codeBlock = (path: string): string =>
  `\`\`\`${LANGUAGES[path.split(".").at(-1) ?? ""] ?? ""}\n${read(path)}\`\`\``;

/** Returns a page with new text between `<!-- generated: NAME -->` or `<!-- file: PATH -->` and `<!-- /NAME -->`. */
const page = async (
  path: string,
  parts: Readonly<Record<string, () => string | Promise<string>>> = {},
): Promise<Generated> => {
  let text = read(path);
  for (const [marker, kind, name = ""] of text.matchAll(/<!-- (generated|file): (\S+) -->/g)) {
    const make = kind === "file" ? () => codeBlock(name) : parts[name];
    if (!make) throw new Error(`${path}: nothing makes ${name}`);
    const from = text.indexOf(marker) + marker.length;
    const end = `<!-- /${kind} -->`;
    const to = text.indexOf(end, from);
    if (to < 0) throw new Error(`${path}: ${marker} has no ${end}`);
    text = `${text.slice(0, from)}\n\n${await make()}\n\n${text.slice(to)}`;
  }
  return { path, text };
};

/** Everything in the repository that `npm run generate` writes. */
export const generated = async (): Promise<readonly Generated[]> => [
  { path: "src/core/rules/phone-metadata.ts", text: phoneMetadataSource() },
  { path: "docs/llms.txt", text: llmsText() },
  await page("docs/guides/examples.md", { examples: exampleList }),
  await page("docs/agents.md", { repeats }),
  await page("docs/guides/lists-and-pages.md", { capabilities }),
  await page("docs/options.md", { options: optionsTable }),
  await page("docs/guides/operate-durable-sends.md", {
    "ledger-commands": ledgerCommands,
    "ledger-table": () => `\`\`\`sql\n${defineTable("messaging_sends")}\n\`\`\``,
  }),
  await page("docs/guides/check.md", { "check-output": checkOutput }),
  await page("docs/control-api.md", { "control-calls": controlCalls }),
  await page("docs/testing.md", { faults: faultList }),
  await page("docs/test-runners.md"),
  await page("docs/fake-inventions.md", { "opt-in-table": optInTable }),
  await page("docs/runtimes.md", { runtimes: runtimesTable }),
  await page("docs/proofs.md", { "fault-matrix": faultMatrix }),
];
