import { defineConfig, type Options } from "tsup";

const entry = {
  index: "src/index.ts",
  v2: "src/v2.ts",
  transactional: "src/transactional.ts",
  schemas: "src/schemas/index.ts",
  testing: "src/testing/index.ts",
  "testing/cli": "src/testing/cli.ts",
  "testing/msw": "src/testing/msw.ts",
  "testing/node": "src/testing/node.ts",
};

const shared: Options = { entry, target: "es2022", splitting: true, dts: true };

export default defineConfig((options) => [
  { ...shared, format: "esm", clean: !options.watch },
  // These are ESM only, which CommonJS test runners cannot require.
  { ...shared, format: "cjs", noExternal: ["ky", "libphonenumber-js"] },
]);
