import type { KnipConfig } from "knip";
import { COMMANDS, ENTRY_POINTS, PLATFORMS } from "./entry-points.ts";

export default {
  entry: [
    ...Object.values({ ...ENTRY_POINTS, ...PLATFORMS, ...COMMANDS }),
    ".config/rolldown.config.ts",
    "src/testing/inbox/inbox.tsx",
    "examples/**/*.ts",
    "test/**/*-{child,program,process}.ts",
    "test/docs/run-blocks.ts",
    "test/runtimes/{page,process,worker}.ts",
    "test/tools/**/run.ts",
    "test/tools/*.ts",
    "test/tools/bench/*.ts",
    "test/tools/site/{search-box,site-plugin,undocumented}.ts",
  ],
  project: ["src/**/*.{ts,tsx}", "test/**/*.ts", "examples/**/*.ts"],
  ignore: ["examples/{web,with-packages}/**"],
  ignoreDependencies: ["remark-validate-links"],
  ignoreBinaries: ["ipcrm", "mount", "openssl", "pgbouncer", "redis-server", "script", "umount"],
  ignoreExportsUsedInFile: true,
} satisfies KnipConfig;
