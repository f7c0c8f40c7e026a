import tsconfig from "../tsconfig.json" with { type: "json" };

const PACKAGE = "messaging-service-client";

/** Modules that applications import: source file by name in `dist`. The list is `paths` in tsconfig.json. */
export const ENTRY_POINTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(tsconfig.compilerOptions.paths).map(([specifier, [source = ""]]) => [
    specifier === PACKAGE ? "index" : specifier.slice(PACKAGE.length + 1),
    source.replace("./", ""),
  ]),
);

/** Modules in `imports` of package.json. The condition `node` selects one of the two. */
export const PLATFORMS = {
  platform: "src/core/transport/platform.ts",
  "platform-web": "src/core/transport/platform-web.ts",
};

/** Program in `bin` of package.json. */
export const COMMANDS = { command: "src/command/cli.ts" };
