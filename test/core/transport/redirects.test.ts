import { describe, expect, test } from "vitest";
import type { FetchLike } from "../../../src/core/transport/transport.ts";
import { ApiError } from "../../../src/index.ts";
import { clientsOf, errorOf, KINDS, message } from "../../support/calls.ts";
import { overPatchedFetch } from "../../support/carriers.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";

const STATUSES = [301, 302, 303, 307, 308];
const wrapper: FetchLike = (url, init) => fetch(url, init);

/** Target of a redirect of a send, and the outcome of the send. */
const TARGETS: readonly (readonly [
  what: string,
  toTarget: (origin: string, other: string, path: string) => string,
  outcome: string,
])[] = [
  ["the same path on another origin", (_, other, path) => other + path, "rejected"],
  [
    "the same path on https",
    (origin, _, path) => origin.replace("http", "https") + path,
    "rejected",
  ],
  [
    "the same path on another origin, with another slash",
    (_, other, path) => `${other}${path}/`,
    "rejected",
  ],
  ["the same URL with another slash", (_, __, path) => `${path}/`, "rejected"],
  ["the same URL with another slash and a fragment", (_, __, path) => `${path}/#top`, "rejected"],
  ["the same URL", (_, __, path) => path, "unknown"],
  ["the same URL with two more slashes", (_, __, path) => `${path}//`, "unknown"],
  [
    "the same path on another origin, with another query",
    (_, other, path) => `${other}${path}?done=1`,
    "unknown",
  ],
  [
    "the same URL with another slash and another query",
    (_, __, path) => `${path}/?done=1`,
    "unknown",
  ],
  ["another path", () => "/thanks", "unknown"],
  ["another path on another origin", (_, other) => `${other}/thanks`, "unknown"],
  ["a page below the path", (_, __, path) => `${path}/thanks`, "unknown"],
  ["a URL that cannot be parsed", () => "http://", "unknown"],
  ["no target", () => "", "unknown"],
];

describe("redirects", () => {
  test.each(TARGETS)(
    "a send that is redirected by 301 or 302 to %s has the outcome that this proves",
    async (_, toTarget, outcome) => {
      const path = "/transactional_messages/send_rcs_text";
      for (const status of [301, 302]) {
        await using server = await startLoopback(({ response, request }) => {
          const origin = `http://${request.headers.host}`;
          response
            .writeHead(status, { location: toTarget(origin, "http://other.example.com", path) })
            .end();
        });
        const error = await errorOf(clientsOf(server).rcs.sendRcsText(message));
        expect(error).toMatchObject({ status, outcome, attempts: 1 });
        server.onlyRequest();
      }
    },
  );

  test("a redirect that adds the slash of a path keeps or drops its query, and is a refusal", async () => {
    for (const query of ["?page=1&per_page=10", ""]) {
      await using server = await startLoopback(
        respond(302, "", { location: `/api/v2/lists/${query}` }),
      );
      const error = await errorOf(clientsOf(server).v2.lists.list({ page: 1, per_page: 10 }));
      expect(error).toMatchObject({ status: 302, outcome: "rejected" });
    }
  });

  test.each([300, 303, 304, 305, 306, 399])(
    "a send that ends with %d may have been done",
    async (status) => {
      await using server = await startLoopback(
        respond(status, "", {
          location: "http://other.example.com/transactional_messages/send_rcs_text",
        }),
      );
      const error = await errorOf(clientsOf(server).rcs.sendRcsText(message));
      expect(error).toMatchObject({ status, outcome: "unknown", attempts: 1 });
    },
  );

  // The default never follows redirects. The other carriers do, unless the client passes `redirect: "manual"`.
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
      expect(error.outcome).toBe(status > 303 ? "rejected" : "unknown");
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
    await using server = await startLoopback(respond(302));
    const error = await errorOf(clientsOf(server).v2.accounts.me());
    expect(error).toMatchObject({ status: 302, outcome: "unknown" });
    expect(error.message).toContain("a redirect, which is not followed");
  });

  test.each([{}, { location: "https://login.example.com/" }])(
    "the error of a 304 with the headers %j mentions no redirect",
    async (headers) => {
      await using server = await startLoopback(respond(304, "", headers));
      for (const kind of KINDS) {
        const error = await errorOf(kind.call(clientsOf(server)));
        expect(error).toMatchObject({ status: 304, outcome: "unknown", attempts: 1 });
        expect(error.message).toMatch(/: 304 Not Modified$/);
      }
    },
  );

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
