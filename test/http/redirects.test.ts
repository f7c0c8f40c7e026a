import { describe, expect, test } from "vitest";
import { ApiError } from "../../src/index.ts";
import { account, clientsOf, errorOf, KINDS, message } from "../support/calls.ts";
import { answer, startLoopback } from "../support/loopback.ts";

const rows = KINDS.flatMap((kind) => [301, 302, 303, 307, 308].map((status) => ({ kind, status })));

describe("a redirect", () => {
  test.each(rows)("$status of a $kind.kind is not followed", async ({ kind, status }) => {
    await using target = await startLoopback(answer(200, kind.proof));
    const location = `${target.baseUrl}/elsewhere`;
    await using server = await startLoopback(answer(status, "", { location }));
    const error = await errorOf<ApiError>(kind.call(clientsOf(server)));
    expect(target.requests).toEqual([]);
    server.onlyRequest();
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status, code: "api", attempts: 1 });
    expect(error.outcome).toBe(status === 303 ? "unknown" : "rejected");
    expect(error.message).toContain(location);
  });

  test("to the same host is not followed either", async () => {
    await using server = await startLoopback(
      answer(302, "", { location: "/api/v2/accounts/me/" }),
      answer(200, account),
    );
    const error = await errorOf(clientsOf(server).v2.accounts.me());
    expect(error.message).toContain("a redirect to /api/v2/accounts/me/, which is not followed");
    server.onlyRequest();
  });

  test("names its target without query and fragment, where a token may stand", async () => {
    const location = "https://login.example.com/sign-in?token=t-1234#frag";
    await using server = await startLoopback(answer(302, "", { location }));
    const { message: words } = await errorOf(clientsOf(server).rcs.sendRcsText(message));
    expect(words).toContain("https://login.example.com/sign-in,");
    expect(words).not.toMatch(/t-1234|frag/);
  });

  test("without a target says so", async () => {
    await using server = await startLoopback(answer(304), answer(302));
    const { v2 } = clientsOf(server);
    for (const status of [304, 302]) {
      const error = await errorOf(v2.accounts.me());
      expect(error).toMatchObject({ status, outcome: "rejected" });
      expect(error.message).toContain("a redirect, which is not followed");
    }
  });

  test("of which a browser tells nothing, may be the 303 that follows a deed", async () => {
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
