import tsconfig from "../tsconfig.json" with { type: "json" };

const PACKAGE = "messaging-service-client";

/** Modules that applications import: the source of each by its name in `dist`. The `paths` of tsconfig.json are the list. */
export const ENTRY_POINTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(tsconfig.compilerOptions.paths).map(([specifier, [source = ""]]) => [
    specifier === PACKAGE ? "index" : specifier.slice(PACKAGE.length + 1),
    source.replace("./", ""),
  ]),
);

/** Modules that `imports` of the package names: the condition `node` chooses between the two. */
export const PLATFORMS = {
  platform: "src/core/transport/platform.ts",
  "platform-web": "src/core/transport/platform-web.ts",
};

/** Program that `bin` of the package names. */
export const COMMANDS = { command: "src/command/cli.ts" };
