import { join } from "node:path";
import { build } from "esbuild";

const HERE = new URL(".", import.meta.url).pathname;

/** Builds the programs of the suite in an application that has the package installed. */
export const buildPrograms = async (application: string): Promise<void> => {
  const make = (source: string, outfile: string, format: "esm" | "cjs", bundlesPackage: boolean) =>
    build({
      entryPoints: [join(HERE, source)],
      outfile: join(application, outfile),
      bundle: true,
      format,
      target: "es2022",
      // The suite is outside the application, so it would not find the package that it imports.
      nodePaths: [join(application, "node_modules")],
      ...(bundlesPackage ? {} : { external: ["messaging-service-client"] }),
      logLevel: "error",
      tsconfigRaw: {},
    });
  await make("process.ts", "suite.mjs", "esm", false);
  await make("process.ts", "suite.cjs", "cjs", false);
  await make("worker.ts", "suite-worker.mjs", "esm", true);
  await make("page.ts", "suite-page.mjs", "esm", true);
};
