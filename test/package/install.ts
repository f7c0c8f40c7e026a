import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** An empty application in which the packed package is installed. */
    readonly application: string;
    /** The files of the tarball. */
    readonly packed: readonly string[];
  }
}

/** Packs the package and installs it as a user would. */
export default function install(project: TestProject): () => void {
  const root = new URL("../..", import.meta.url).pathname;
  const application = mkdtempSync(join(tmpdir(), "messaging-service-client-"));
  const npm = (...args: string[]) =>
    execFileSync("npm", args, { cwd: application, encoding: "utf8", stdio: "pipe" });
  const [tarball] = JSON.parse(npm("pack", root, "--json", "--ignore-scripts"));
  const manifest = { name: "application", version: "1.0.0", type: "module" };
  writeFileSync(join(application, "package.json"), JSON.stringify(manifest));
  npm(
    "install",
    join(application, tarball.filename),
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
  );
  project.provide("application", application);
  project.provide(
    "packed",
    tarball.files.map(({ path }: { path: string }) => path),
  );
  return () => rmSync(application, { recursive: true, force: true });
}
