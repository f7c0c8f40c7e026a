import { basename, join } from "node:path";
import { build } from "esbuild";
import { inboxPageForEsbuild } from "../../src/inbox/bundle.ts";

/** Bundles a program for Node, which then starts in half the time. Resolves to the path of the bundle. */
export const bundleProgram = async (program: string, folder: string): Promise<string> => {
  const outfile = join(folder, `${basename(program, ".ts")}.mjs`);
  await build({
    entryPoints: [program],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "error",
    tsconfigRaw: {},
    plugins: [inboxPageForEsbuild()],
  });
  return outfile;
};
