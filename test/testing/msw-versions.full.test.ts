import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { installFixture } from "../support/fixture.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** The lowest and the newest version in the range of `peerDependencies`. */
test.each(["msw-lowest", "msw-newest"])(
  "the handlers of the fake service work with %s",
  (version) => {
    const fixture = installFixture("first-ring");
    const folder = mkdtempSync(join(tmpdir(), "msw-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    // A copy of the source resolves its imports to the version of msw in this folder.
    cpSync(join(ROOT, "src"), join(folder, "src"), { recursive: true });
    copyFileSync(join(ROOT, "package.json"), join(folder, "package.json"));
    mkdirSync(join(folder, "test/support/programs"), { recursive: true });
    const program = join(folder, "test/support/programs/msw-child.ts");
    copyFileSync(new URL("../support/programs/msw-child.ts", import.meta.url), program);
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(join(fixture, "node_modules", version), join(folder, "node_modules/msw"));
    for (const name of ["zod", "libphonenumber-js"]) {
      symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
    }
    const shown = execFileSync(process.execPath, [program], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    expect(JSON.parse(shown.trim().split("\n").at(-1) ?? "")).toEqual({
      sent: true,
      lost: ["connection", "unknown"],
      stray: true,
    });
  },
  120_000,
);
