import { playwright } from "@vitest/browser-playwright";
import { msw } from "msw/vite";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { inboxPageForVite } from "./src/inbox/bundle.ts";
import { CHROMIUM, hasChromium, launchOptions } from "./test/support/chromium.ts";

const unit: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: "unit",
    include: ["test/**/*.test.ts", "examples/testing/{vitest,msw,fake-timers}.test.ts"],
    exclude: ["test/package/**", "test/browser/**", "**/node_modules/**"],
    unstubEnvs: true,
    restoreMocks: true,
  },
};

const types: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: "types",
    include: [],
    typecheck: { enabled: true, only: true, include: ["test/types/**/*.test-d.ts"] },
  },
};

const packed: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: "package",
    include: ["test/package/**/*.test.ts"],
    globalSetup: "test/package/install.ts",
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
};

const browser: TestProjectInlineConfiguration = {
  extends: true,
  plugins: [msw({ mode: "worker-only" })],
  test: {
    name: "browser",
    include: ["test/browser/**/*.test.ts", "examples/testing/browser.test.ts"],
    api: { host: "127.0.0.1" },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions }),
      instances: [{ browser: "chromium" }],
    },
  },
};

if (!hasChromium) {
  console.warn(`SKIPPED: test/browser, because ${CHROMIUM} does not exist; set CHROMIUM_PATH`);
}

export default defineConfig({
  plugins: [inboxPageForVite()],
  // Imports of the package by its own name lead to its source.
  resolve: { tsconfigPaths: true },
  test: {
    reporters: ["default", "./test/support/count-reporter.ts"],
    projects: [unit, types, packed, ...(hasChromium ? [browser] : [])],
  },
});
