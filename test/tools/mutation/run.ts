// `npm run bench mutation AREA [FILE …] [options of stryker]`: breaks the code in many small ways, and counts the changes
// that the tests detect. Writes the counts to scores.json, from which `npm run generate` updates docs/contributing.md.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installIn } from "../../support/fixture.ts";
import { AREAS } from "./areas.ts";
import { countMutants, type Report, type Scores } from "./scores.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const HERE = fileURLToPath(new URL(".", import.meta.url));
const SCORES = join(HERE, "scores.json");
const STRYKER = join(HERE, "node_modules/@stryker-mutator/core/bin/stryker.js");

const [name = "", ...rest] = process.argv.slice(2);
const area = AREAS[name];
if (!area) throw new Error(`unknown area: name one of ${Object.keys(AREAS).join(", ")}`);
const files = rest.filter((argument) => argument.endsWith(".ts"));
const options = rest.filter((argument) => !argument.endsWith(".ts"));

installIn(HERE);

// The copies of the tests are outside the repository, where no other test run finds them.
const workplace = mkdtempSync(join(tmpdir(), "mutation-"));
const reportFile = join(workplace, "report.json");
const config = {
  mutate: files.length > 0 ? files : area.mutate,
  testRunner: "vitest",
  vitest: { configFile: "test/tools/mutation/vitest.config.ts", related: false },
  coverageAnalysis: "perTest",
  concurrency: 1,
  disableTypeChecks: false,
  // A mutant that does not compile never reaches the tests.
  checkers: ["typescript"],
  tsconfigFile: "src/tsconfig.json",
  // High enough that a busy machine does not look like an endless loop.
  timeoutMS: 12_000,
  ignorePatterns: ["/dist", "/docs/site", "/test/fixtures/*/node_modules"],
  tempDirName: join(workplace, "copy"),
  reporters: ["clear-text", "json", "progress-append-only"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: reportFile },
};
const configFile = join(workplace, "stryker.config.json");
writeFileSync(configFile, JSON.stringify(config));
const { status } = spawnSync(process.execPath, [STRYKER, "run", configFile, ...options], {
  cwd: ROOT,
  stdio: "inherit",
  env: { ...process.env, MUTATION_TESTS: JSON.stringify(area.tests) },
});
if (status === 0) {
  const report: Report = JSON.parse(readFileSync(reportFile, "utf8"));
  const known: Scores = existsSync(SCORES) ? JSON.parse(readFileSync(SCORES, "utf8")) : {};
  const scores = Object.entries({ ...known, ...countMutants(report) }).filter(([file]) =>
    existsSync(join(ROOT, file)),
  );
  scores.sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(SCORES, `${JSON.stringify(Object.fromEntries(scores), undefined, 2)}\n`);
}
rmSync(workplace, { recursive: true, force: true });
process.exitCode = status ?? 1;
