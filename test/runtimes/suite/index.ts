// The suite for all runtimes. It uses no test framework, because some runtimes have none.
import { checks } from "./checks.ts";
import { openWorld, type Settings } from "./world.ts";

export type { Settings, Traits } from "./world.ts";

/** Results of a run, as the suite reports them. */
export interface Report {
  /** User agent, which contains the name of the runtime. */
  readonly userAgent: string;
  readonly hasFinalizationRegistry: boolean;
  /** Result of each check: "passed", or a description of the failure. */
  readonly checks: Readonly<Record<string, string>>;
}

/** Runs every check against the fake service in the settings. */
export const runSuite = async (settings: Settings): Promise<Report> => {
  const world = openWorld(settings);
  const results: Record<string, string> = {};
  for (const [name, check] of Object.entries(checks)) {
    // Shows which check was running in a run that never ended.
    console.error(`check: ${name}`);
    results[name] = await check(world).then(
      () => "passed",
      (error: unknown) => `${String(error)}\n${error instanceof Error ? error.stack : ""}`,
    );
  }
  return {
    userAgent: navigator.userAgent,
    hasFinalizationRegistry: "FinalizationRegistry" in globalThis,
    checks: results,
  };
};
