// The one suite of all runtimes. It needs no test framework: it runs where there is none.
import { checks, openWorld, type Settings } from "./checks.ts";

export type { Settings } from "./checks.ts";

/** What became of each check: "passed", or what went wrong. */
export type Results = Readonly<Record<string, string>>;

/** Runs every check against the fake service of the settings. */
export const runSuite = async (settings: Settings): Promise<Results> => {
  const world = openWorld(settings);
  const results: Record<string, string> = {};
  for (const [name, check] of Object.entries(checks)) {
    results[name] = await check(world).then(
      () => "passed",
      (error: unknown) => `${String(error)}\n${error instanceof Error ? error.stack : ""}`,
    );
  }
  return results;
};
