// `npm run bench mutation [AREA [FILE …] [options of stryker]]`: breaks the code in many small ways, and counts the changes
// that the tests detect. Without an area, it does so in the files that have changed since their last run. Writes the counts
// to scores.json, from which `npm run generate` updates README.md of this folder.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installIn } from "../../support/fixture.ts";
import { AREAS } from "./areas.ts";
import { changedFiles, countMutants, digestOf, filesOf, writeScores } from "./scores.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const HERE = fileURLToPath(new URL(".", import.meta.url));
const STRYKER = join(HERE, "node_modules/@stryker-mutator/core/bin/stryker.js");

/** Mutates files of an area. Returns whether stryker succeeded. */
const mutate = (
  tests: readonly string[],
  files: readonly string[],
  options: readonly string[],
): boolean => {
  // The copies of the tests are outside the repository, where no other test run finds them.
  const workplace = mkdtempSync(join(tmpdir(), "mutation-"));
  const reportFile = join(workplace, "report.json");
  const config = {
    mutate: files,
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
  const digests = Object.fromEntries(files.map((path) => [path, digestOf(path)]));
  const { status } = spawnSync(process.execPath, [STRYKER, "run", configFile, ...options], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, MUTATION_TESTS: JSON.stringify(tests) },
  });
  if (status === 0) {
    writeScores(countMutants(JSON.parse(readFileSync(reportFile, "utf8")), digests));
  }
  rmSync(workplace, { recursive: true, force: true });
  return status === 0;
};

const [name, ...rest] = process.argv.slice(2);
const named = rest.filter((argument) => argument.endsWith(".ts"));
const options = rest.filter((argument) => !argument.endsWith(".ts"));

/** Areas with the files to mutate in each. */
const work = (): ReturnType<typeof changedFiles> => {
  if (name === undefined) return changedFiles();
  const area = AREAS[name];
  if (!area) throw new Error(`unknown area: name one of ${Object.keys(AREAS).join(", ")}`);
  const files = filesOf(area);
  // Another area's tests would give a file a wrong score, and a file that is misspelled would get a score of no mutants.
  const unknown = named.find((path) => !files.includes(path));
  if (unknown !== undefined) {
    throw new Error(`${unknown} is not in the area ${name}: name any of ${files.join(", ")}`);
  }
  return [[name, named.length > 0 ? named : files]];
};

const runs = work();
installIn(HERE);
for (const [area, files] of runs) {
  if (!mutate(AREAS[area]?.tests ?? [], files, options)) process.exitCode = 1;
}
