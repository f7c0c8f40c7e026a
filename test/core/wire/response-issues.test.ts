import { describe, expect, test } from "vitest";
import type { EndpointInput } from "../../../src/core/wire/endpoint.ts";
import { configureOptIn, listLists } from "../../../src/core/wire/v2.ts";
import { clientsOf, errorOf } from "../../support/calls.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";

describe("a page", () => {
  const issueOf = (query: object | undefined, page: number, pages_count: number) => {
    const body = { status: "OK", per_page: 10, count: 1, lists: [], page, pages_count };
    return listLists.responseIssue?.(body, { query });
  };

  test.each<[query: object | undefined, page: number, pages_count: number]>([
    [{ page: 1 }, 1, 1],
    [{ page: 3, per_page: 50 }, 3, 3],
    // The first page is the default.
    [undefined, 1, 3],
    [{ page: undefined }, 1, 3],
    // A string is sent unchanged if validation is off.
    [{ page: "2" }, 2, 3],
    // The list ends before the requested page.
    [{ page: 1 }, 0, 0],
    [{ page: 5 }, 3, 3],
    [{ page: 5 }, 1, 4],
  ])("a page is accepted as the response to %j: %i of %i", (query, page, pages_count) => {
    expect(issueOf(query, page, pages_count)).toBeUndefined();
  });

  test.each<[query: object | undefined, page: number, pages_count: number, asked: number]>([
    [{ page: 2 }, 1, 3, 2],
    [{ page: 2 }, 3, 3, 2],
    [{ page: 3 }, 2, 3, 3],
    [{ page: 1 }, 0, 3, 1],
    [undefined, 2, 3, 1],
    [{ page: "2" }, 1, 3, 2],
  ])("a page is refused as the response to %j: %i of %i", (query, page, pages_count, asked) => {
    const message = `must be ${asked}, the requested page`;
    expect(issueOf(query, page, pages_count)).toEqual({ code: "custom", path: ["page"], message });
  });
});

const SINGLE = { opt_in_type: "single", first_optin_message: null, second_optin_message: null };
const DOUBLE = { status: "updated", opt_in_type: "double", opt_in_requests: [] };

describe("a response to opt-in settings", () => {
  test.each([
    ["double", SINGLE, "opt_in_type", "must be double, the type sent"],
    [
      "single",
      { ...SINGLE, opt_in_type: "Single" },
      "opt_in_type",
      "must be single, the type sent",
    ],
    ["double", { ...DOUBLE, opt_in_requests: null }, "opt_in_requests", /must be an array/],
    ["double", { opt_in_type: "double" }, "opt_in_requests", "is required and must be an array"],
    ["single", { opt_in_type: "single" }, "first_optin_message", /must be a string or null/],
    ["single", { ...SINGLE, second_optin_message: undefined }, "second_optin_message", /required/],
  ] as const)(
    "a response to %s settings is refused in every mode: %j",
    async (type, body, field, message) => {
      for (const responseValidation of ["strict", "warn", "off"] as const) {
        await using server = await startLoopback(respond(200, body));
        const { v2 } = clientsOf(server, { responseValidation, validateRequests: false });
        const error = await errorOf(v2.lists.configureOptIn(7, { opt_in_type: type } as never));
        expect(error).toMatchObject({
          name: "ResponseValidationError",
          outcome: "unknown",
          issues: [{ path: [field], message: expect.stringMatching(message) }],
        });
        expect(error.message).toContain(`\`${field}\``);
        expect(server.requests).toHaveLength(1);
      }
    },
  );

  test.each([
    ["double", DOUBLE],
    ["single", SINGLE],
  ] as const)(
    "a response to %s settings is returned if it has their type",
    async (opt_in_type, body) => {
      await using server = await startLoopback(respond(200, body));
      const { v2 } = clientsOf(server);
      expect(await v2.lists.configureOptIn(7, { opt_in_type } as never)).toEqual(body);
    },
  );

  test.each<[EndpointInput["body"]]>([[undefined], ["x"], [{}], [{ opt_in_type: "triple" }]])(
    "a response to settings of unknown type, sent without validation, is accepted: %j",
    (body) => {
      const triple = { opt_in_type: "triple" } as never;
      expect(configureOptIn.responseIssue?.(triple, { body })).toBeUndefined();
    },
  );
});
