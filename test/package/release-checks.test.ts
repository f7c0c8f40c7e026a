import { describe, expect, test } from "vitest";
import {
  changelogProblem,
  licenseProblem,
  metadataProblem,
  repositoryProblem,
  versionProblem,
} from "../tools/release/checks.ts";

describe("the changelog of 1.2.0", () => {
  test.each([
    ["tells of it", "# Changes\n\n## 1.2.0 (2026-11-20)\n\n- New.\n", undefined],
    ["does not", "# Changes\n\n## 1.1.0 (2026-11-20)\n\n- New.\n", /does not tell of 1\.2\.0/],
    ["has no date", "## 1.2.0 (not released)\n\n- New.\n", /must give 1\.2\.0 its date/],
    ["is empty", "## 1.2.0 (2026-11-20)\n\n## 1.1.0 (2026-11-01)\n\n- Old.\n", /says nothing/],
  ])("%s", (_, changelog, problem) => {
    const told = changelogProblem(changelog, "1.2.0");
    if (problem) expect(told).toMatch(problem);
    else expect(told).toBeUndefined();
  });
});

test.each([
  ["1.2.0", ["v1.1.0"], undefined],
  ["1.2.0-beta.1", [], undefined],
  ["1.2.0", ["v1.1.0", "v1.2.0"], "the tag v1.2.0 is there already"],
  ["1.2", [], "1.2 is no version"],
])("version %s beside the tags %j: %s", (version, tags, problem) => {
  expect(versionProblem(version, tags)).toBe(problem);
});

test("a license that leaves a package out", () => {
  const license = "MIT\n\nzod (https://github.com/colinhacks/zod)\n";
  expect(licenseProblem(license, ["zod"])).toBeUndefined();
  expect(licenseProblem(license, ["zod", "ky"])).toBe("LICENSE does not name ky");
});

test("the phone metadata must be of the newest libphonenumber-js", () => {
  expect(metadataProblem("1.13.16", "1.13.16")).toBeUndefined();
  expect(metadataProblem("1.13.16", "1.14.0")).toBe(
    "libphonenumber-js is 1.13.16, the newest is 1.14.0: npm install -D libphonenumber-js@1.14.0 && npm run generate",
  );
});

test("a package without a repository cannot be released, because the links of its README would be dead", () => {
  expect(repositoryProblem(undefined)).toContain("repository.url");
  expect(repositoryProblem({ type: "git", url: "" })).toContain("repository.url");
  const url = "git+https://example.com/owner/messaging-service-client.git";
  expect(repositoryProblem({ type: "git", url })).toBeUndefined();
});
