import { globSync, readFileSync } from "node:fs";
import { defineConfig, type OutputOptions, type Plugin, type RolldownOptions } from "rolldown";
import { COMMANDS, ENTRY_POINTS, PLATFORMS } from "./entry-points.ts";
import { inboxPage } from "./inbox-page.ts";

/** Leaves the choice of the platform to the runtime or bundler that imports the package. */
const choosePlatform: Plugin = {
  name: "choose-platform",
  resolveId: (id, importer) =>
    importer && /\/platform\.ts$/.test(id) ? { id: "#platform", external: true } : undefined,
};

/** Packages that the inbox page contains. The build inlines the page as a string. */
const PACKAGES_OF_PAGE = ["preact"];

/** Writes a file with the licenses of the bundled packages to the output folder. */
const licenses = (fileName: string): Plugin => ({
  name: "licenses",
  generateBundle(_, files) {
    const modules = Object.values(files).flatMap((file) =>
      "modules" in file ? Object.keys(file.modules) : [],
    );
    const bundled = modules.flatMap(
      (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
    );
    const texts = [...new Set([...PACKAGES_OF_PAGE, ...bundled])]
      .toSorted()
      .flatMap((name) =>
        globSync(`node_modules/${name}/{LICENSE,license}*`).map(
          (path) =>
            `${path.replace("node_modules/", "")}\n\n${readFileSync(path, "utf8").trim()}\n`,
        ),
      );
    this.emitFile({ type: "asset", fileName, source: texts.join(`\n${"-".repeat(80)}\n\n`) });
  },
});

/**
 * Files that several entry points share, from bottom to top. A file contains the given modules and everything below them that no
 * earlier file contains. Each imported file costs a millisecond, so there are few files.
 */
const SHARED: readonly (readonly [name: string, modules: RegExp])[] = [
  ["zod", /\/node_modules\/zod\//],
  // The platform modules and the clients both import this file.
  [
    "errors",
    /\/src\/core\/(errors|wait-for|runtime|schemas\/fields|responses\/fetched-response|transport\/(attempt|connection-proof))\.ts$/,
  ],
  ["client", /\/src\/(v2|core\/transport\/fetch-from|core\/throttle\/throttle-from)\.ts$/],
  ["phones", /\/src\/core\/rules\/phone\.ts$/],
  ["messages", /\/src\/(transactional|core\/rules\/.*)\.ts$/],
  ["zod-schemas", /\/src\/core\/schemas\/index\.ts$/],
  ["terminal", /\/src\/command\/terminal\/.*\.ts$/],
  ["ledgers", /\/src\/bulk\/ledgers\/.*\.ts$/],
  ["ledger-checks", /\/src\/testing\/ledger-checks\/.*\.ts$/],
  ["fake", /\/src\/testing\/(?!msw|node|control).*\.ts$/],
  ["server", /\/src\/testing\/node\/server\.ts$/],
];

const outputOf = (format: "es" | "cjs"): OutputOptions => {
  const name = `[name].${format === "es" ? "js" : "cjs"}`;
  return {
    dir: "dist",
    format,
    entryFileNames: name,
    // Each subcommand gets its own file, which is loaded only when the subcommand runs.
    chunkFileNames: ({ facadeModuleId }) =>
      /\/src\/command\/[a-z]+\//.test(facadeModuleId ?? "") ? "[name]-command.js" : name,
    exports: "named",
    minifyInternalExports: false,
    comments: { jsdoc: false },
    codeSplitting: {
      groups: SHARED.map(([name, test], index) => ({
        name,
        test,
        priority: SHARED.length - index,
      })),
    },
  };
};

const buildOf = (format: "es" | "cjs"): RolldownOptions => ({
  // No application imports the command, so it is built as an ES module only.
  input: { ...ENTRY_POINTS, ...PLATFORMS, ...(format === "es" ? COMMANDS : {}) },
  output: outputOf(format),
  // The CommonJS files bundle ky, because ky is an ES module only.
  external: ["msw", /^node:/, ...(format === "es" ? ["ky"] : [])],
  // The code also runs in browsers. It imports Node's modules with the prefix `node:`.
  platform: "neutral",
  resolve: { mainFields: ["module", "main"] },
  transform: { target: "es2022" },
  treeshake: { moduleSideEffects: false },
  // The CommonJS files bundle one package more, so this build writes the licenses.
  plugins: [inboxPage(), choosePlatform, ...(format === "cjs" ? [licenses("LICENSES.txt")] : [])],
});

export default defineConfig([buildOf("es"), buildOf("cjs")]);
