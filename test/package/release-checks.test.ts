import { describe, expect, test } from "vitest";
import { lossesBetween } from "../tools/bench/losses.ts";
import {
  changelogProblem,
  licenseProblem,
  lossProblem,
  metadataProblem,
  mutantsProblem,
  repositoryProblem,
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

test("the release check refuses a LICENSE without a bundled package", () => {
  const license = "MIT\n\nzod (https://github.com/colinhacks/zod)\n";
  expect(licenseProblem(license, ["zod"])).toBeUndefined();
  expect(licenseProblem(license, ["zod", "ky"])).toBe("LICENSE does not name ky");
});

test("the release check requires phone metadata of the newest libphonenumber-js", () => {
  expect(metadataProblem("1.13.16", "1.13.16")).toBeUndefined();
  expect(metadataProblem("1.13.16", "1.14.0")).toBe(
    "libphonenumber-js is 1.13.16, the newest is 1.14.0: npm install -D libphonenumber-js@1.14.0 && npm run generate",
  );
});

test("the release check refuses a package without a repository, because the links of its README would be dead", () => {
  expect(repositoryProblem(undefined)).toContain("repository.url");
  expect(repositoryProblem({ type: "git", url: "" })).toContain("repository.url");
  const url = "git+https://example.com/owner/messaging-service-client.git";
  expect(repositoryProblem({ type: "git", url })).toBeUndefined();
});

test("the release check of mutants names each file that has changed since its count", () => {
  expect(mutantsProblem([])).toBeUndefined();
  expect(mutantsProblem(["src/http/send.ts", "src/rules/phone.ts"])).toBe(
    "the mutants of src/http/send.ts, src/rules/phone.ts were counted before the latest change: " +
      "npm run bench mutation && npm run generate",
  );
});

describe("the release check of losses", () => {
  const page = (size: string, ratio: string) => `
<!-- sizes -->

| an application that uses | min + gzip | budget |
| - | - | - |
| \`V2Client\` | ${size} | 26 |

<!-- sizes -->
<!-- bench -->

| | raw fetch | this package | target |
| - | - | - | - |
| GET of an account | 1.00 | ${ratio} | ≤ 1.6 |

<!-- bench -->
`;
  const before = page("20.0", "1.20");

  test.each([
    ["the same", "20.0", "1.20", []],
    ["less", "19.0", "1.00", []],
    ["noise", "20.0", "1.25", []],
    ["a loss", "20.5", "1.30", ["20.5 kB, was 20 (+2.5 %)", "1.3 times, was 1.2 (+8.3 %)"]],
    ["a large loss", "21.5", "1.40", ["21.5 kB, was 20 (+7.5 %)", "1.4 times, was 1.2 (+16.7 %)"]],
  ])("the release check of losses reports both figures: %s", (_, size, ratio, told) => {
    const losses = lossesBetween(before, page(size, ratio));
    expect(losses.map(({ text }) => text.slice(text.indexOf(": ") + 2))).toEqual(told);
  });

  test("the release check of losses ignores a new figure", () => {
    expect(lossesBetween("", before)).toEqual([]);
  });

  test.each([
    ["nothing", "20.5", "- New.", undefined],
    ["a large loss that no line names", "21.5", "- New.", /`V2Client`, min \+ gzip: 21\.5 kB/],
    ["a large loss that a line names", "21.5", "- `V2Client` is 1.5 kB larger.", undefined],
  ])("the release check of losses has the right result for %s", (_, size, change, expected) => {
    const changelog = `# Changes\n\n## 1.2.0 (2026-11-20)\n\n${change}\n\n## 1.1.0 (2026-11-01)\n\n- \`V2Client\` is larger.\n`;
    const problem = lossProblem(changelog, "1.2.0", lossesBetween(before, page(size, "1.20")));
    if (expected) expect(problem).toMatch(expected);
    else expect(problem).toBeUndefined();
  });
});
