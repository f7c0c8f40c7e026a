// Errors of real frameworks. The message of an error quotes the reason in the framework's response.
import { beforeAll, describe, expect, test } from "vitest";
import { clientsOf, errorOf } from "../../support/calls.ts";
import { installFixture } from "../../support/fixture.ts";
import { FRAMEWORKS } from "../../support/servers/frameworks.ts";

beforeAll(() => void installFixture("second-ring"));

/** Messages for a list without a name, a path without a route, and a handler that throws. */
const REASONS = {
  Fastify: [
    "POST /lists: 400 Bad Request: body must have required property 'name'",
    "GET /missing: 404 Not Found: Route GET:/missing not found",
    "GET /fail: 500 Internal Server Error: the database is locked",
  ],
  NestJS: [
    "POST /lists: 400 Bad Request: name must be a string; name must be longer than or equal to 2 characters",
    "GET /missing: 404 Not Found: Cannot GET /missing",
    "GET /fail: 409 Conflict: the account is locked",
  ],
  hapi: [
    "POST /lists: 400 Bad Request: name is required",
    "GET /missing: 404 Not Found",
    "GET /fail: 500 Internal Server Error: An internal server error occurred",
  ],
} as const;

describe.each(["Fastify", "NestJS", "hapi"] as const)("errors of %s", (name) => {
  test("the message of an error quotes the reason", async () => {
    const server = await FRAMEWORKS[name]();
    const { v2 } = clientsOf(server, { retry: 0 });
    const errors = [
      await errorOf(v2.request({ method: "POST", path: "/lists", json: {} })),
      await errorOf(v2.request({ method: "GET", path: "/missing" })),
      await errorOf(v2.request({ method: "GET", path: "/fail" })),
    ];
    await server.close();
    const reasons = errors.map(({ message }) => message.replace(/ \(check baseUrl: .*\)$/, ""));
    expect(reasons).toEqual(REASONS[name]);
  });
});
