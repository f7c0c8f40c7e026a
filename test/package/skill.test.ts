import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { readPage } from "../docs/pages.ts";

const NAME = "messaging-service-client";
const folder = join(inject("application"), "node_modules", NAME);
const skill = readFileSync(join(folder, "skills", NAME, "SKILL.md"), "utf8");
const [, frontmatter = "", body = ""] = /^---\n([\s\S]+?)\n---\n([\s\S]+)$/.exec(skill) ?? [];

test("the skill of the package starts with the fields of agent skills, within their limits", () => {
  const fields = frontmatter.split("\n").map((line) => line.split(": "));
  // A value with a second ": " in its line would not be a plain YAML value.
  expect(fields.map((field) => field.length)).toEqual([2, 2]);
  const { name = "", description = "" } = Object.fromEntries(fields);
  expect(name).toBe(NAME);
  expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  expect(name.length).toBeLessThanOrEqual(64);
  expect(description).toMatch(/^[A-Z].{100,1022}\.$/);
  expect(skill.split("\n").length).toBeLessThan(500);
});

test("the skill of the package has every section of the page for assistants", () => {
  const headingsOf = (text: string) => text.match(/^## .+$/gm);
  expect(headingsOf(body)).toEqual(headingsOf(readPage("docs/agents.md")));
  expect(headingsOf(body)).toEqual(
    expect.arrayContaining([
      "## Rules",
      "## Which calls are safe to repeat",
      "## What must never be generated",
    ]),
  );
});

test("the skill of the package names pages by paths that work wherever it is copied", () => {
  expect(body).not.toMatch(/\]\((?!https:)/);
  const paths = [...body.matchAll(/`node_modules\/messaging-service-client\/([^`]+)`/g)];
  expect(paths.length).toBeGreaterThan(2);
  for (const [, path = ""] of paths) {
    expect(readFileSync(join(folder, path), "utf8"), path).toMatch(/^(# |\/\/ )/);
  }
});
