import { globSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type * as z from "zod/mini";
import * as schemas from "../../../src/core/schemas/index.ts";
import type { Endpoint } from "../../../src/core/wire/endpoint.ts";
import * as v2 from "../../../src/core/wire/v2.ts";
import { ROOT, readPage } from "../../docs/pages.ts";
import { issuesOf } from "../../support/tables/field-table.ts";
import { RESOURCES } from "../../support/tables/specification.ts";

const ALL = Object.entries(schemas) as readonly (readonly [string, z.ZodMiniType])[];

/** Queries with only the fields that every list query has. A single test covers them. */
const pageQueries = Object.values<Endpoint>(v2 as never)
  .map(({ query }) => query?.())
  .filter((query) => Object.keys(Object(query?._zod.def).shape ?? {}).join() === "page,per_page");

test("messaging-service-client/schemas exports every schema, and a test of its own names each", () => {
  const textOf = (files: string) => globSync(files, { cwd: ROOT }).map(readPage).join("");
  // Schemas of a single variant are only parts of other schemas, so the package does not export them.
  const DECLARED = /^export const (?!single|double|file)(\w+Schema)\b/gm;
  const declared = [...textOf("src/core/schemas/!(fields|index).ts").matchAll(DECLARED)].map(
    ([, name = ""]) => name,
  );
  expect(Object.keys(schemas).toSorted()).toEqual(declared.toSorted());
  const tests = textOf("test/{core/schemas/!(index).test,support/tables/specification}.ts");
  const untested = ALL.filter(
    ([name, schema]) => !tests.includes(name) && !pageQueries.includes(schema),
  );
  expect(untested).toEqual([]);
});

describe.each(ALL)("%s", (_, schema) => {
  /** Arbitrary input, often an object with valid keys and invalid values. */
  const examples = RESOURCES.flatMap(([, responses]) => responses);
  const keys = [...new Set(examples.flatMap((example) => Object.keys(example)))];
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
