// Checks the size budgets in .config/budgets.json, which a person sets. A change that exceeds a budget must raise it in the same
// commit and give the reason.
import { globSync, statSync } from "node:fs";
import { expect, inject, test } from "vitest";
import budgets from "../../.config/budgets.json" with { type: "json" };
import { pages, readPage } from "../docs/pages.ts";
import { exportedNames } from "../tools/exported-names.ts";
import { tokensOfSrc } from "../tools/tokens.ts";

const wordsOfDocs = () =>
  pages
    .filter((page) => page !== "CHANGELOG.md")
    .flatMap((page) => readPage(page).split(/\s+/).filter(Boolean)).length;
/** Returns the size of the installed tarball's files in kilobytes. */
const kilobytesOfPackage = () => {
  const folder = `${inject("application")}/node_modules/messaging-service-client`;
  const files = globSync("**/*", { cwd: folder, exclude: ["node_modules/**"] });
  const bytes = files.map((file) => statSync(`${folder}/${file}`)).filter((file) => file.isFile());
  return Math.round(bytes.reduce((sum, { size }) => sum + size, 0) / 1_000);
};

test.each([
  ["tokensOfSrc", tokensOfSrc],
  ["wordsOfDocs", wordsOfDocs],
  ["kilobytesOfPackage", kilobytesOfPackage],
  ["exportedNames", () => exportedNames().length],
] as const)("%s is within its budget", (name, measure) => {
  expect(measure()).toBeLessThanOrEqual(budgets[name]);
});
