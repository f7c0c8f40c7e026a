import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { allowedContentTypes } from "../../src/core/rules/content-type.ts";
import { isGsm7 } from "../../src/core/rules/gsm7-characters.ts";
import { validationErrorSchema } from "../../src/core/schemas/index.ts";
import * as transactional from "../../src/core/wire/transactional.ts";
import * as v2 from "../../src/core/wire/v2.ts";
import { makeDocuments, toText } from "../tools/openapi/documents.ts";
import { fieldDocs } from "../tools/openapi/field-docs.ts";
import type { Json } from "../tools/openapi/json-schemas.ts";
import { transactionalOperations, v2Operations } from "../tools/openapi/operations.ts";

const operations = [...v2Operations, ...transactionalOperations];
let documents: readonly { path: string; document: Json }[];
beforeAll(async () => {
  documents = await makeDocuments();
});

/** Returns the value at a path of keys, from the first document that has it. */
const at = (...keys: readonly (string | number)[]): unknown =>
  documents
    .map(({ document }) =>
      keys.reduce<unknown>((part, key) => (part as Json | undefined)?.[key], document),
    )
    .find((found) => found !== undefined);
const schema = (...keys: readonly (string | number)[]) => at("components", "schemas", ...keys);
const operation = (id: string): Json => {
  const known = operations.find(({ operationId }) => operationId === id);
  return at(
    "paths",
    known?.endpoint.path ?? "",
    known?.endpoint.method.toLowerCase() ?? "",
  ) as Json;
};

test("the OpenAPI documents are up to date: `npm run generate` changes nothing", () => {
  for (const { path, document } of documents) {
    const there = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
    expect(there, path).toBe(toText(document));
  }
});

test("the operations of the OpenAPI documents are the endpoints of the clients", () => {
  const endpoints = [...Object.values(v2), ...Object.values(transactional)];
  expect(new Set(operations.map(({ endpoint }) => endpoint))).toEqual(new Set(endpoints));
  const told = documents.flatMap(({ document }) =>
    Object.entries(document.paths as Json).flatMap(([path, methods]) =>
      Object.keys(methods as Json).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  );
  expect(told.toSorted()).toEqual(endpoints.map(({ id }) => id).toSorted());
});

test.each([
  ["ListCreate", []],
  ["SingleOptInSettings", []],
  ["SingleOptInResult", ["first_optin_message", "second_optin_message"]],
  ["DoubleOptInSettings", []],
  [
    "OptInStep",
    ["follow_up_hour", "no_response_message", "opt_in_message", "second_opt_in_message"],
  ],
  ["RcsTextMessage", []],
  ["RcsFileMessage", []],
])("the fields of %s may be null only where a decision permits it", (name, nullable) => {
  const fields = Object.entries(schema(name, "properties") as Record<string, Json>);
  expect(fields.length).toBeGreaterThan(1);
  const names = fields.filter(([, field]) => JSON.stringify(field).includes('"null"'));
  expect(names.map(([field]) => field)).toEqual(nullable);
});

describe("statuses of an operation", () => {
  const told: Record<string, readonly string[]> = {
    removeSubscriber: ["200"],
    listScheduledMessages: ["200"],
    retrieveMomtReport: ["200"],
    sendRcsText: ["2XX", "400"],
    sendRcsFile: ["202", "400"],
  };
  test.each(operations)(
    "the operation $operationId has only statuses of the specification",
    ({ operationId }) => {
      const statuses = Object.keys(operation(operationId).responses as Json);
      expect(new Set(statuses)).toEqual(new Set([...(told[operationId] ?? ["2XX"]), "default"]));
    },
  );
});

describe("examples of an operation", () => {
  const valuesOf = (content?: Json) => {
    const { examples = {} } = (content?.["application/json"] ?? {}) as { examples?: Json };
    return Object.values(examples).map((example) => (example as { value: Json }).value);
  };
  const check = (schema: z.ZodMiniType | undefined, values: readonly unknown[]) => {
    expect(values).not.toEqual([]);
    for (const value of values) {
      expect(z.safeParse(schema as z.ZodMiniType, value).error).toBeUndefined();
    }
  };
  test.each(operations)(
    "the schemas accept the examples of the operation $operationId",
    ({ operationId, endpoint }) => {
      const { body, wrap, params, response } = endpoint;
      const { parameters, requestBody, responses } = operation(operationId) as {
        parameters?: readonly { name: string; in: string; example: unknown }[];
        requestBody?: { content: Json };
        responses: Record<string, { content?: Json }>;
      };
      for (const known of parameters ?? []) {
        if (known.in === "path") check(params[known.name]?.schema(), [known.example]);
      }
      if (body) {
        const values = valuesOf(requestBody?.content);
        check(body(), wrap ? values.map((value) => value[wrap]) : values);
      }
      for (const [status, { content }] of Object.entries(responses)) {
        const schema = status === "400" ? validationErrorSchema : response?.();
        if (status !== "default") check(schema, valuesOf(content));
      }
    },
  );
});

// prism.full.test.ts covers the other limits, with requests at their edges.
describe("limits in the OpenAPI documents", () => {
  const text = ["RcsTextMessage", "properties"] as const;
  const responseOf = (id: string, status: string) => {
    const responses = operation(id).responses as Record<string, { content: Json }>;
    const content = responses[status]?.content["application/json"] as { schema: Json };
    return content.schema.properties as Record<string, Json>;
  };
  const file = [
    ...["RcsFileMessage", "properties", "rcsPayload"],
    ...["properties", "file"],
  ] as const;
  const noItems = expect.stringContaining("0 when there are no items");
  test.each<readonly [name: string, read: () => unknown, is: unknown]>([
    ["calls an hour", () => at("info", "description"), expect.stringContaining("1200 calls an")],
    ["even pace", () => at("info", "description"), expect.stringContaining("every 3 seconds")],
    [
      "the lists of an account without lists",
      () => responseOf("listLists", "2XX").pages_count?.description,
      noItems,
    ],
    [
      "the messages of a list without messages",
      () => responseOf("listScheduledMessages", "200").pages_count?.description,
      noItems,
    ],
    ["file size", () => schema(...file, "x-maximum-bytes"), 100 * 1024 * 1024],
    ["content types", () => schema(...file, "x-content-types"), [...allowedContentTypes]],
  ])("the OpenAPI documents state the limits of the specification: %s", (_, read, is) =>
    expect(read()).toEqual(is),
  );

  test("the OpenAPI documents allow every character of GSM 7-bit in a fallback and no other", () => {
    const pattern = new RegExp(schema(...text, "smsFailover", "pattern") as string, "u");
    const characters = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code));
    const wrong = characters.filter((character) => pattern.test(character) !== isGsm7(character));
    expect(wrong).toEqual([]);
  });
});

test("every timestamp in the OpenAPI documents has the format date-time", () => {
  const FIELDS = {
    Subscriber: ["subscribed_at", "cleaned_at", "opted_out_at"],
    OptInRequest: ["created_at", "updated_at"],
    ScheduledMessage: ["sent_at"],
    MomtReport: [
      ...["import_started_at", "import_completed_at", "date_from", "date_to"],
      ...["created_at", "updated_at"],
    ],
  };
  for (const [name, fields] of Object.entries(FIELDS)) {
    for (const field of fields) {
      const { anyOf, ...only } = schema(name, "properties", field) as { anyOf?: readonly Json[] };
      const [timestamp] = anyOf ?? [only];
      expect(timestamp, `${name}.${field}`).toMatchObject({ type: "string", format: "date-time" });
    }
  }
});

/** Returns the fields without a description in a part of a document. */
const bareFields = (part: unknown, path: string): readonly string[] => {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => {
    // Examples and conditions do not declare fields.
    if (/^(examples?|if|then)$/.test(key)) return [];
    const here = `${path}/${key}`;
    const fields = key === "properties" ? Object.entries(value as Record<string, Json>) : [];
    const bare = fields.filter(([, field]) => !field.description && !field.$ref);
    return [...bare.map(([name]) => `${here}/${name}`), ...bareFields(value, here)];
  });
};

test("every field and parameter in the OpenAPI documents has a description", () => {
  expect(fieldDocs().size).toBeGreaterThan(80);
  expect(documents.flatMap(({ path, document }) => bareFields(document, path))).toEqual([]);
  const parameters = operations.flatMap(
    ({ operationId }) => (operation(operationId).parameters ?? []) as Json[],
  );
  expect(parameters.filter(({ description }) => !description)).toEqual([]);
});

test("descriptions in the OpenAPI documents are about the service, not about the client", () => {
  for (const { document } of documents) {
    expect(JSON.stringify(document)).not.toMatch(
      /iterate|sent as E\.164|is taken for|returned them/,
    );
  }
});
