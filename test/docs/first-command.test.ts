// The first command of the README, run with the npm and the Node of the system. It must print nothing alarming.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ROOT, readPage } from "./pages.ts";

/** `PATH` without the Node of this project, which a fresh clone lacks. */
const PATH = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .join(delimiter);
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
  PATH,
};

const { stdout: version } = spawnSync("node", ["--version"], { env, encoding: "utf8" });
if (!version) console.warn("SKIPPED: the first command, because the system has no Node");

test.runIf(version)(
  "the first command of the README prints no warning, even in an old Node",
  () => {
    const [, commands = ""] = readPage("README.md").split("## Work on this repository\n\n");
    expect(commands).toMatch(/^```sh\nnpm ci && npm run tour\n```\n[^#]+?```sh\nnpm cit\n```\n/);
    const folder = mkdtempSync(join(tmpdir(), "first-command-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const file of ["package.json", "package-lock.json", ".npmrc"]) {
      copyFileSync(join(ROOT, file), join(folder, file));
    }
    const install = (...args: string[]) => {
      const options = { cwd: folder, env, encoding: "utf8" } as const;
      return spawnSync("npm", ["ci", "--dry-run", ...args], options);
    };
    const { status, stdout, stderr } = install();
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/added \d+ packages/);
    expect(stdout).not.toMatch(/\b(warn|deprecated|vulnerability|vulnerabilities|EBADENGINE)/i);

    // Without the repository's settings, npm warns about an old Node.
    const isOld = Number.parseInt(version.slice(1), 10) < 22;
    if (isOld) expect(install("--loglevel=warn").stderr).toContain("EBADENGINE");
  },
  60_000,
);
