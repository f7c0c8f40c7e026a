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

/** Programs that `bin` of the package names. Nothing imports them: they come as ES modules only, and without types. */
const commands = {
  "ledger-command": "src/ledger-command/cli.ts",
  "testing/cli": "src/testing/node/command.ts",
};

// A bundled package loads in a third of the time, because Node reads twenty files instead of two hundred. zod
// also stays a dependency, because the types of the schemas are zod's own.
const noExternal = ["libphonenumber-js", "zod"];

export default defineConfig({
  entry: { ...modules, ...commands },
  format: ["esm", "cjs"],
  target: "es2022",
  splitting: true,
  dts: { entry: modules },
  noExternal,
  esbuildOptions: (options, { format }) => {
    if (format === "cjs") options.entryPoints = modules;
  },
  esbuildPlugins: [inboxPageForEsbuild()],
  // Some runtimes do not know Node's modules by their bare names.
  removeNodeProtocol: false,
  clean: true,
});
