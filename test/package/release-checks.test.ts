import { describe, expect, test } from "vitest";
import {
  changelogProblem,
  figuresProblem,
  identityProblem,
  unpublishedProblem,
  versionProblem,
} from "../tools/release/checks.ts";

describe("the release check of the changelog", () => {
  test.each([
    ["accepts a dated list of changes", "## 1.2.0 (2026-11-20)\n\n- New.\n", undefined],
    ["accepts changes in groups", "## 1.2.0 (2026-11-20)\n\n### Clients\n\n- New.\n", undefined],
    [
      "refuses a missing version",
      "## 1.1.0 (2026-11-20)\n\n- New.\n",
      /has no heading "## 1\.2\.0"/,
    ],
    ["refuses a version without a date", "## 1.2.0 (not released)\n\n- New.\n", /its date/],
    [
      "refuses a version without changes",
      "## 1.2.0 (2026-11-20)\n\n## 1.1.0 (2026-11-01)\n\n- Old.\n",
      /lists no changes below/,
    ],
  ])("the release check of the changelog %s", (_, changelog, expected) => {
    const problem = changelogProblem(`# Changes\n\n${changelog}`, "1.2.0");
    if (expected) expect(problem).toMatch(expected);
    else expect(problem).toBeUndefined();
  });
});

test.each([
  ["1.2.0", ["v1.1.0"], undefined],
  ["1.2.0-beta.1", [], undefined],
  ["1.2.0", ["v1.1.0", "v1.2.0"], "the tag v1.2.0 already exists"],
  ["1.2", [], "1.2 is not a version: it must look like 1.2.3"],
])("the release check of version %s beside the tags %j finds: %s", (version, tags, problem) => {
  expect(versionProblem(version, tags)).toBe(problem);
});

test("the release check of figures names each part that was measured with other code", () => {
  const part = (name: string, digest: string) =>
    `<!-- ${name} -->\n\n| 1.00 |\n\n<!-- of src: ${digest} -->\n\n<!-- ${name} -->\n`;
  expect(figuresProblem(part("sizes", "a1") + part("bench", "a1"), "a1")).toBeUndefined();
  expect(figuresProblem(part("sizes", "a1") + part("bench", "b2"), "a1")).toBe(
    "bench of docs/performance.md were measured before the latest change of src: npm run bench",
  );
});

const URL = "https://example.com/client";

test.each([
  [{}, "package.json lacks `repository`, `homepage`, `bugs`, `author`"],
  [
    { repository: { type: "git" }, homepage: "", bugs: {}, author: { name: " " } },
    "package.json lacks `repository`, `homepage`, `bugs`, `author`",
  ],
  [{ repository: URL, homepage: URL, bugs: URL }, "package.json lacks `author`"],
  [
    { repository: { url: `git+${URL}` }, homepage: URL, bugs: { url: URL }, author: "A. Owner" },
    undefined,
  ],
])("the release check of the identity in %j finds: %s", (manifest, problem) => {
  expect(identityProblem(manifest)).toBe(problem);
});

test("the release check names every page that says that the package is not published", () => {
  const pages = { "a.md": "It is not\non npm yet.", "b.md": "It is on npm." };
  expect(unpublishedProblem(pages)).toBe("these pages say that the package is not published: a.md");
  expect(unpublishedProblem({ "b.md": pages["b.md"] })).toBeUndefined();
});
