import * as z from "zod/v4/core";
import { fieldDocs } from "./field-docs.ts";

/** Part of a document. */
export type Json = Record<string, unknown>;

/** Schema with its id in a document, and the variables or types whose comments describe its fields. */
export type Entry = readonly [id: string, schema: unknown, ...variables: string[]];

/** Schemas of a document as JSON Schema. */
export interface JsonSchemas {
  /** Returns a schema, or a reference to it if it has a name. */
  readonly of: (schema: z.$ZodType) => Json;
  /** Schemas with names, by their names in alphabetical order. */
  readonly named: Readonly<Record<string, Json>>;
}

/** Start of a reference to a named schema. */
export const REFERENCE = "#/components/schemas/";
const HEADERS = ["$schema", "$id", "id"];

const docs = fieldDocs();

/** Adds the comments above the fields of variables to their JSON Schema. */
const describeFields = (schema: Json, paths: readonly string[]): void => {
  const { properties, items, anyOf } = schema as {
    properties?: Record<string, Json>;
    items?: Json;
    anyOf?: Json[];
  };
  for (const part of [items, ...(anyOf ?? [])]) if (part) describeFields(part, paths);
  for (const [name, field] of Object.entries(properties ?? {})) {
    const here = paths.map((path) => `${path}.${name}`);
    const description = here.map((path) => docs.get(path)).find(Boolean);
    if (description) field.description ??= description;
    describeFields(field, [...here, ...paths]);
  }
};

/**
 * Converts the schemas of a document to JSON Schema.
 *
 * @param named Schemas that the document refers to by their names.
 * @param inline Schemas that are inlined where the document uses them.
 * @param rules Additions of a document to a schema that zod does not express.
 */
export const toJsonSchemas = (
  named: readonly Entry[],
  inline: readonly Entry[],
  rules: ReadonlyMap<unknown, Json> = new Map(),
): JsonSchemas => {
  const registry = z.registry<{ id: string }>();
  const entries = [...named, ...inline] as readonly (readonly [string, z.$ZodType, ...string[]])[];
  for (const [id, schema] of entries) if (!registry.has(schema)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: "input",
    unrepresentable: "any",
    uri: (id) => REFERENCE + id,
    override: ({ zodSchema, jsonSchema }) => {
      const { additionalProperties } = jsonSchema;
      // Objects allow further fields anyway.
      if (JSON.stringify(additionalProperties) === "{}") delete jsonSchema.additionalProperties;
      Object.assign(jsonSchema, rules.get(zodSchema));
    },
  }) as unknown as { schemas: Record<string, Json> };
  for (const [id, , ...variables] of entries) {
    const schema = schemas[id];
    if (!schema) continue;
    for (const header of HEADERS) delete schema[header];
    describeFields(schema, variables);
  }
  const names = named.map(([id]) => id).sort();
  return {
    of: (schema) => {
      const { id } = registry.get(schema) as { id: string };
      return names.includes(id) ? { $ref: REFERENCE + id } : (schemas[id] as Json);
    },
    named: Object.fromEntries(names.map((id) => [id, schemas[id] as Json])),
  };
};
