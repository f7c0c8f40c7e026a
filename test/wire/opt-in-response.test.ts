import { describe, expect, test } from "vitest";
import { clientsOf, errorOf } from "../support/calls.ts";
import { respond, startLoopback } from "../support/servers/loopback.ts";

const SINGLE = { opt_in_type: "single", first_optin_message: null, second_optin_message: null };
const DOUBLE = { status: "updated", opt_in_type: "double", opt_in_requests: [] };

describe.each(["strict", "warn", "off"] as const)(
  "configureOptIn with responseValidation %j",
  (mode) => {
    describe.each([true, false])("and validateRequests %j", (validateRequests) => {
      test.each([
        ["double", SINGLE, "opt_in_type"],
        ["single", DOUBLE, "opt_in_type"],
        ["double", { opt_in_type: "double" }, "opt_in_requests"],
        ["single", { opt_in_type: "single" }, "first_optin_message"],
      ] as const)(
        "configureOptIn with %s settings rejects the response %j",
        async (opt_in_type, body, field) => {
          await using server = await startLoopback(respond(200, body));
          const { v2 } = clientsOf(server, { responseValidation: mode, validateRequests });
          const error = await errorOf(v2.lists.configureOptIn(7, { opt_in_type } as never));
          expect(error).toMatchObject({
            name: "ResponseValidationError",
            outcome: "unknown",
            issues: [{ path: [field] }],
          });
          expect(error.message).toContain(`\`${field}\``);
          expect(server.requests).toHaveLength(1);
        },
      );

      test.each([
        ["double", DOUBLE],
        ["single", SINGLE],
      ] as const)(
        "configureOptIn with %s settings resolves to a response of their type",
        async (opt_in_type, body) => {
          await using server = await startLoopback(respond(200, body));
          const { v2 } = clientsOf(server, { responseValidation: mode, validateRequests });
          expect(await v2.lists.configureOptIn(7, { opt_in_type } as never)).toEqual(body);
        },
      );
    });
  },
);
