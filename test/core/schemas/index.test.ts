import { globSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type * as z from "zod/mini";
import * as schemas from "../../../src/core/schemas/index.ts";
import { ROOT, readPage } from "../../docs/pages.ts";
import { issuesOf } from "../../support/tables/field-table.ts";
import * as fixtures from "../../support/tables/response-fixtures.ts";

const ALL = Object.entries(schemas) as readonly (readonly [string, z.ZodMiniType])[];

test("messaging-service-client/schemas exports every schema, and the tests name each of them", () => {
  const textOf = (files: string) => globSync(files, { cwd: ROOT }).map(readPage).join("");
  // A schema of one variant is a part of another schema.
  const DECLARED = /^export const (?!single|double|file)(\w+Schema)\b/gm;
  const declared = [...textOf("src/core/schemas/!(fields|index).ts").matchAll(DECLARED)].map(
    ([, name = ""]) => name,
  );
  expect(Object.keys(schemas).toSorted()).toEqual(declared.toSorted());
  const tests = textOf("test/core/schemas/!(index).test.ts");
  expect(declared.filter((name) => !tests.includes(name))).toEqual([]);
});

describe.each(ALL)("%s", (_, schema) => {
  /** Any input, often an object with the right keys and wrong values. */
  const keys = [...new Set(Object.values(fixtures).flatMap((fixture) => Object.keys(fixture)))];
  const SECRET = "sesame-1f9c";
  const anything = fc.oneof(
    fc.constantFrom(null, undefined, [], {}, 5, SECRET, { opt_in_type: SECRET }),
    fc.dictionary(
      fc.constantFrom(...keys, "phoneNumber", "webhookUrl", "smsFailover", "rcsPayload"),
      fc.oneof(
        fc.constantFrom<unknown>(null, SECRET, [SECRET], { text: SECRET, x: 1 }),
        fc.jsonValue(),
      ),
    ),
    fc
      .record({
        opt_in_type: fc.constantFrom("single", "double"),
        first_optin_message: fc.jsonValue(),
      })
      .map((settings) => ({ ...settings, opt_in_requests: [{ success_action: SECRET }, null] })),
  );

  test("every check of a schema has its own message, which does not quote the value", () => {
    fc.assert(
      fc.property(anything, (value) => {
        for (const { message } of issuesOf(schema, value)) {
          expect(message).toMatch(/^(must|is required|supports)\b/);
          expect(message).not.toContain(SECRET);
        }
      }),
      { numRuns: 300 },
    );
  });
});
