import type { Plugin } from "esbuild";
import { defineConfig } from "tsup";
import { inboxPageForEsbuild } from "./src/inbox/bundle.ts";

/** Modules that applications import. */
const modules = {
  index: "src/index.ts",
  v2: "src/v2.ts",
  transactional: "src/transactional.ts",
  schemas: "src/schemas/index.ts",
  opentelemetry: "src/opentelemetry/index.ts",
  bulk: "src/bulk/index.ts",
  reports: "src/reports/index.ts",
  testing: "src/testing/index.ts",
  "testing/msw": "src/testing/msw.ts",
  "testing/node": "src/testing/node/listen.ts",
};

/** Modules that `imports` of the package names: the condition `node` chooses between the two. */
const platforms = {
  platform: "src/http/platform.ts",
  "platform-web": "src/http/platform-web.ts",
};

/** Program that `bin` of the package names. Nothing imports it: it comes as an ES module only, and without types. */
const commands = { command: "src/command/cli.ts" };

/** Leaves the choice of the platform to the runtime or the bundler that imports the package. */
const choosePlatform: Plugin = {
  name: "choose-platform",
  setup({ onResolve }) {
    onResolve({ filter: /\/platform\.ts$/ }, ({ kind }) =>
      kind === "entry-point" ? undefined : { path: "#platform", external: true },
    );
  },
};

// A bundled package loads in a third of the time, because Node reads twenty files instead of two hundred. zod
// also stays a dependency, because the types of the schemas are zod's own.
const noExternal = ["libphonenumber-js", "zod"];

export default defineConfig({
  entry: { ...modules, ...platforms, ...commands },
  format: ["esm", "cjs"],
  target: "es2022",
  splitting: true,
  dts: { entry: modules },
  noExternal,
  esbuildOptions: (options, { format }) => {
    if (format === "cjs") options.entryPoints = { ...modules, ...platforms };
  },
  esbuildPlugins: [inboxPageForEsbuild(), choosePlatform],
  // Some runtimes do not know Node's modules by their bare names.
  removeNodeProtocol: false,
  clean: true,
});
