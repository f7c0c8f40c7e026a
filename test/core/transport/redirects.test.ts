import { describe, expect, test } from "vitest";
import { ApiError, type FetchLike } from "../../../src/index.ts";
import { clientsOf, errorOf, KINDS, message } from "../../support/calls.ts";
import { overPatchedFetch } from "../../support/carriers.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";

const STATUSES = [301, 302, 303, 307, 308];
const wrapper: FetchLike = (url, init) => fetch(url, init);

describe("redirects", () => {
  // The default never follows one. The others do, unless they are told not to.
  test.each(
    [undefined, overPatchedFetch, wrapper].flatMap((carrier) =>
      KINDS.map((kind) => ({ carrier, kind })),
    ),
  )("a redirect of a $kind.kind is not followed", async ({ carrier, kind }) => {
    for (const status of STATUSES) {
      await using target = await startLoopback(respond(200, kind.success));
      const location = `${target.baseUrl}/elsewhere`;
      await using server = await startLoopback(respond(status, "", { location }));
      const error = await errorOf<ApiError>(kind.call(clientsOf(server, { fetch: carrier })));
      expect(target.requests).toEqual([]);
      server.onlyRequest();
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ status, code: "api", attempts: 1 });
      expect(error.outcome).toBe(status === 303 ? "unknown" : "rejected");
      expect(error.message).toContain(location);
    }
  });

  test("the error of a redirect names its target without query and fragment, which may contain a token", async () => {
    const location = "https://login.example.com/sign-in?token=t-1234#frag";
    await using server = await startLoopback(respond(302, "", { location }));
    const { message: words } = await errorOf(clientsOf(server).rcs.sendRcsText(message));
    expect(words).toContain("https://login.example.com/sign-in,");
    expect(words).not.toMatch(/t-1234|frag/);
  });

  test("the error of a redirect without a target names no target", async () => {
    await using server = await startLoopback(respond(304), respond(302));
    const { v2 } = clientsOf(server);
    for (const status of [304, 302]) {
      const error = await errorOf(v2.accounts.me());
      expect(error).toMatchObject({ status, outcome: "rejected" });
      expect(error.message).toContain("a redirect, which is not followed");
    }
  });

  test("an opaque redirect in a browser has an unknown outcome, because it may be a 303 after success", async () => {
    const opaque = Object.defineProperties(new Response(null, { status: 200 }), {
      status: { value: 0 },
      ok: { value: false },
      type: { value: "opaqueredirect" },
    });
    const fetch = async () => opaque;
    const { rcs } = clientsOf({ baseUrl: "https://rcs.example.com" }, { fetch });
    const error = await errorOf(rcs.sendRcsText(message));
    expect(error).toMatchObject({ status: 0, outcome: "unknown", attempts: 1 });
    expect(error.message).toContain("a redirect, which is not followed");
  });
});
