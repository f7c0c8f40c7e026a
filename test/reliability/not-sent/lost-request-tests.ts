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
  readonly run: (
    requests: readonly LostRequest[],
    isPatched: boolean,
  ) => Promise<readonly CallEnd[]>;
  /** Whether the runtime itself sends a POST again if a function of the application has turned its body into a string. */
  readonly repeatsStrings?: true;
}

/** Tests what a client says of requests that services have read, and how often they read them. */
export const testLostRequests = ({ name, run, repeatsStrings }: LosingRuntime): void => {
  const check = async (returns: Returns, given: readonly Way[], isPatched: boolean) => {
    await using stack = new AsyncDisposableStack();
    const cases = await Promise.all(
      given
        .flatMap((way) => callNames.map((call) => ({ way, call })))
        .map(async (each) => ({ ...each, server: stack.use(await startDying(returns)) })),
    );
    const ends = await run(
      cases.map(({ way, call, server: { baseUrl } }) => ({ way, call, baseUrl })),
      isPatched,
    );
    for (const [index, { way, call, server }] of cases.entries()) {
      const told = `${call}, carried by ${way}`;
      const end = ends[index] as CallEnd;
      expect(server.read.length, told).toBeGreaterThan(0);
      expect(end.outcome, told).not.toBe("not_sent");
      if (!/^(POST|PATCH)/.test(call)) continue;
      const isRepeated = repeatsStrings && way === "a wrapper that reads the body";
      if (isRepeated && returns === "at once") continue;
      expect(end, told).toEqual({ outcome: "unknown", attempts: 1 });
      expect(server.read, told).toHaveLength(1);
    }
  };

  describe(`requests that a service has read in ${name}`, { concurrent: true }, () => {
    test.each(RETURNS)(
      "no call whose request was read is not_sent, and no POST goes out twice, if the service is back %s",
      (returns) => check(returns, ways, false),
    );
  });

  test.each(RETURNS)(
    `no call in ${name} whose request was read is not_sent behind a patch of fetch, and no POST goes out twice, if the service is back %s`,
    (returns) => check(returns, ["the default"], true),
  );
};
