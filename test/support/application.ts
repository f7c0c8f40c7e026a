// An application in a temporary folder, with the packages of a fixture and the built package.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../docs/pages.ts";

const run = promisify(execFile);

/** Creates an application with all packages in `node_modules`, and returns its path. */
export const newApplication = (modules: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "application-"));
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(modules)) {
    if (name === "messaging-service-client") continue;
    symlinkSync(join(modules, name), join(folder, "node_modules", name));
  }
  symlinkSync(ROOT, join(folder, "node_modules/messaging-service-client"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  return folder;
};

/** Compiles files of an application with the settings of this project, and returns the compiler's messages. */
export const compile = async (folder: string, files: readonly string[]): Promise<string> => {
  const config = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: { paths: {}, typeRoots: [join(ROOT, "node_modules/@types")] },
    files,
    include: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(ROOT, "node_modules/typescript7/bin/tsc");
  const compiled = run(process.execPath, [tsc, "-p", folder], { cwd: folder });
  return compiled.then(
    ({ stdout }) => stdout,
    ({ stdout, message }) => stdout || message,
  );
};
