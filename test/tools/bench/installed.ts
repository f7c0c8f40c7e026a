import { globSync, statSync } from "node:fs";
import { join } from "node:path";

/** Returns the number of packages in an application, and their megabytes. */
export const installed = (cwd: string) => {
  const files = globSync("node_modules/**/*", { cwd }).map((path) => statSync(join(cwd, path)));
  const bytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
  const packages = globSync("node_modules/{*,@*/*}/package.json", { cwd }).length;
  return { packages, megabytes: (bytes / 1_000_000).toFixed(1) };
};
