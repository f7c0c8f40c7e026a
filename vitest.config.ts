import { defineConfig } from "vitest/config";

export default defineConfig({
  // The package's own name leads to its source.
  resolve: { tsconfigPaths: true },
  test: {
    reporters: ["default", "./test/count-reporter.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/package/**"],
          unstubEnvs: true,
          restoreMocks: true,
        },
      },
      {
        extends: true,
        test: {
          name: "types",
          include: [],
          typecheck: { enabled: true, only: true, include: ["test/types/**/*.test-d.ts"] },
        },
      },
      {
        extends: true,
        test: { name: "package", include: ["test/package/**/*.test.ts"], testTimeout: 300_000 },
      },
    ],
  },
});
