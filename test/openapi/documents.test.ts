import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { allowedContentTypes } from "../../src/rules/content-type.ts";
import * as transactional from "../../src/wire/transactional.ts";
import * as v2 from "../../src/wire/v2.ts";
import { makeDocuments, toText } from "./documents.ts";
import { fieldDocs } from "./field-docs.ts";
import type { Json } from "./json-schemas.ts";
import { transactionalOperations, v2Operations } from "./operations.ts";

const operations = [...v2Operations, ...transactionalOperations];
let documents: readonly { path: string; document: Json }[];
beforeAll(async () => {
  documents = await makeDocuments();
});

/** The value that a path of keys leads to, in either document. */
const at = (...keys: readonly (string | number)[]): unknown =>
  documents
    .map(({ document }) =>
      keys.reduce<unknown>((part, key) => (part as Json | undefined)?.[key], document),
    )
    .find((found) => found !== undefined);
const schema = (...keys: readonly (string | number)[]) => at("components", "schemas", ...keys);
const operation = (index: number): Json => {
  const { endpoint } = operations[index] as (typeof operations)[number];
  return at("paths", endpoint.path, endpoint.method.toLowerCase()) as Json;
};

test("the documents are not stale: `npm run openapi` would change nothing", () => {
  for (const { path, document } of documents) {
    const there = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
    expect(there, path).toBe(toText(document));
  }
});

test("every endpoint is an operation, and every operation an endpoint", () => {
  const endpoints = [...Object.values(v2), ...Object.values(transactional)];
  expect(new Set(operations.map(({ endpoint }) => endpoint))).toEqual(new Set(endpoints));
  const told = documents.flatMap(({ document }) =>
    Object.entries(document.paths as Json).flatMap(([path, methods]) =>
      Object.keys(methods as Json).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  );
  expect(told.toSorted()).toEqual(endpoints.map(({ id }) => id).toSorted());
});

describe("no status is told that the specification does not", () => {
  test.each(operations.map((known, index) => [known.operationId, index] as const))(
    "%s",
    (id, index) => {
      const allowed: Record<string, readonly string[]> = {
        removeSubscriber: ["200"],
        listScheduledMessages: ["200"],
        retrieveMomtReport: ["200"],
        sendRcsText: ["2XX", "400"],
        sendRcsFile: ["202", "400"],
      };
      const expected = [...(allowed[id] ?? ["2XX"]), "default"];
      expect(Object.keys(operation(index).responses as Json).toSorted()).toEqual(
        expected.toSorted(),
      );
    },
  );
});

test("every example is what the schemas of this package take", () => {
  let count = 0;
  operations.forEach(({ endpoint }, index) => {
    const check = (part: z.ZodMiniType | undefined, content: unknown, wrap?: string) => {
      const examples = (content as Json | undefined)?.examples as Json | undefined;
      for (const { value } of Object.values(examples ?? {}) as { value: Json }[]) {
        const { error } = z.safeParse(part as z.ZodMiniType, wrap ? value[wrap] : value);
        expect(error, endpoint.id).toBeUndefined();
        count += 1;
      }
    };
    const { requestBody, responses } = operation(index) as {
      requestBody?: { content: Json };
      responses: Record<string, { content?: Json }>;
    };
    check(endpoint.body, requestBody?.content["application/json"], endpoint.wrap);
    for (const [status, { content }] of Object.entries(responses)) {
      if (status.startsWith("2")) check(endpoint.response, content?.["application/json"]);
    }
  });
  // One answer for each operation, two for the opt-in, and a request where there is one.
  expect(count).toBe(11 + 5);
});

describe("the limits of the specification", () => {
  const text = ["RcsTextMessage", "properties"] as const;
  const file = [
    ...["RcsFileMessage", "properties", "rcsPayload"],
    ...["properties", "file"],
  ] as const;
  test.each<readonly [name: string, read: () => unknown, is: unknown]>([
    ["webhookUrl", () => schema(...text, "webhookUrl", "maxLength"), 255],
    ["smsFailover, least", () => schema(...text, "smsFailover", "minLength"), 1],
    ["smsFailover, most", () => schema(...text, "smsFailover", "maxLength"), 160],
    ["text", () => schema(...text, "rcsPayload", "properties", "text", "maxLength"), 3000],
    ["text alone", () => schema(...text, "rcsPayload", "additionalProperties"), false],
    ["file URL", () => schema(...file, "properties", "url", "maxLength"), 255],
    ["file size", () => schema(...file, "x-maximum-bytes"), 100 * 1024 * 1024],
    ["content types", () => schema(...file, "x-content-types"), [...allowedContentTypes]],
    [
      "required",
      () => schema("RcsFileMessage", "required"),
      ["phoneNumber", "webhookUrl", "rcsPayload", "smsFailover"],
    ],
    [
      "collected_data",
      () => schema("OptInStep", "properties", "collected_data", "enum"),
      ["zip_code", "email_address", "first_name", "yes"],
    ],
    ["the hours of a reminder", () => schema("OptInStep", "then", "required"), ["follow_up_hour"]],
  ])("%s", (_, read, is) => expect(read()).toEqual(is));

  test("pages and dates", () => {
    const parameters = (index: number) =>
      Object.fromEntries(
        (operation(index).parameters as { name: string; schema: Json }[]).map((known) => [
          known.name,
          known.schema,
        ]),
      );
    expect(parameters(1)).toEqual({
      page: { type: "integer", minimum: 1, default: 1 },
      per_page: { type: "integer", minimum: 1, maximum: 1000, default: 10 },
      include_deleted: { type: "boolean", default: true },
    });
    expect(parameters(6)).toMatchObject({
      start_date: { pattern: "^\\d{8}$" },
      end_date: { pattern: "^\\d{8}$" },
    });
  });

  test("the smart quote has no place in a fallback, the euro sign has", () => {
    const pattern = new RegExp(schema(...text, "smsFailover", "pattern") as string);
    expect(["It’s", "🎉", "ç"].filter((word) => pattern.test(word))).toEqual([]);
    expect(["It's", "€", "Ç", "[a]\n^"].filter((word) => !pattern.test(word))).toEqual([]);
  });
});

test("every field of every named schema is described by the words in the source", () => {
  expect(fieldDocs().size).toBeGreaterThan(80);
  const schemas = documents.flatMap(({ document }) =>
    Object.entries((document.components as { schemas: Record<string, Json> }).schemas),
  );
  const bare = schemas.flatMap(([name, { properties }]) =>
    Object.entries(properties as Record<string, Json>)
      .filter(([, field]) => !field.description && !field.$ref)
      .map(([field]) => `${name}.${field}`),
  );
  expect(bare).toEqual([]);
});
