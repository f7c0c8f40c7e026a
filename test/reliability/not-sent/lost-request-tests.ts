import { describe, expect, test } from "vitest";
import {
  type CallEnd,
  callNames,
  type LostRequest,
  type Way,
  ways,
} from "../../support/programs/lost-requests.ts";
import { RETURNS, type Returns, startDying } from "../../support/servers/dying-server.ts";

export interface LosingRuntime {
  readonly name: string;
  readonly run: (requests: readonly LostRequest[], patch: Way) => Promise<readonly CallEnd[]>;
  /** Whether the runtime itself resends a POST if a function of the application has turned its body into a string. */
  readonly repeatsStrings?: true;
}

/** Tests what a client reports about requests that services have read, and how often they have read them. */
export const testLostRequests = ({ name, run, repeatsStrings }: LosingRuntime): void => {
  const check = async (returns: Returns, given: readonly Way[], patch: Way) => {
    await using stack = new AsyncDisposableStack();
    const cases = await Promise.all(
      given
        .flatMap((way) => callNames.map((call) => ({ way, call })))
        .map(async (each) => ({ ...each, server: stack.use(await startDying(returns)) })),
    );
    const ends = await run(
      cases.map(({ way, call, server: { baseUrl } }) => ({ way, call, baseUrl })),
      patch,
    );
    for (const [index, { way, call, server }] of cases.entries()) {
      const told = `${call}, carried by ${way}`;
      const end = ends[index] as CallEnd;
      expect(server.read.length, told).toBeGreaterThan(0);
      expect(end.outcome, told).not.toBe("not_sent");
      if (!/^(POST|PATCH)/.test(call)) continue;
      const isRepeated = repeatsStrings && [way, patch].includes("a wrapper that reads the body");
      if (isRepeated && returns === "at once") continue;
      expect(end, told).toEqual({ outcome: "unknown", attempts: 1 });
      expect(server.read, told).toHaveLength(1);
    }
  };

  describe(`requests that a service has read in ${name}`, { concurrent: true }, () => {
    test.each(RETURNS)(
      "no call whose request was read is not_sent, and no POST goes out twice, if the service is back %s",
      (returns) => check(returns, ways, "the default"),
    );
  });

  const patches = ["a wrapper around fetch", "a wrapper that reads the body"] as const;
  test.each(patches.flatMap((patch) => RETURNS.map((returns) => [patch, returns] as const)))(
    `no call in ${name} whose request was read is not_sent if %s replaces it, and no POST goes out twice, if the service is back %s`,
    (patch, returns) => check(returns, ["the default"], patch),
  );
};
