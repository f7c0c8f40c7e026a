import * as z from "zod/v4/core";
import { allowedContentTypes, maxFileBytes } from "../../../src/rules/content-type.ts";
import { septetsOf } from "../../../src/rules/gsm7-characters.ts";
import { maxWebhookUrlLength } from "../../../src/rules/https-url.ts";
import { successActions } from "../../../src/rules/opt-in-steps.ts";
import { maxRcsTextLength, maxSmsLength } from "../../../src/rules/texts.ts";
import * as fields from "../../../src/schemas/fields.ts";
import * as schemas from "../../../src/schemas/index.ts";
import * as optIn from "../../../src/schemas/opt-in.ts";
import * as optInSettings from "../../../src/schemas/opt-in-settings.ts";
import * as rcsMessage from "../../../src/schemas/rcs-message.ts";
import type { Endpoint } from "../../../src/wire/endpoint.ts";
import { fieldDocs } from "./field-docs.ts";

/** Part of a document. */
export type Json = Record<string, unknown>;

const timestampOrNull = fields.timestampOrNull();
const singleOptInResultSchema = optIn.singleOptInResultSchema();
const doubleOptInResultSchema = optIn.doubleOptInResultSchema();
const singleSettingsSchema = optInSettings.singleSettingsSchema();
const doubleSettingsSchema = optInSettings.doubleSettingsSchema();
const fileMessageSchema = rcsMessage.fileMessageSchema();

interface Definition {
  readonly shape: Readonly<Record<string, z.$ZodType>>;
  readonly innerType: z.$ZodType;
  readonly element: z.$ZodType;
}
const defOf = (schema: unknown) => (schema as z.$ZodType)._zod.def as unknown as Definition;
const fieldOf = (schema: unknown, name: string) => defOf(schema).shape[name] as z.$ZodType;
const within = (schema: unknown) => defOf(schema).innerType;

/** Pattern of a text in GSM 7-bit. */
const GSM7_PATTERN = (() => {
  const characters = Array.from({ length: 0x2200 }, (_, code) => String.fromCharCode(code));
  const known = characters.filter((character) => septetsOf(character) > 0);
  const escaped = known.map((character) =>
    /[\w ]/.test(character)
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `^[${escaped.join("")}]*$`;
})();

const HTTPS_URL = { pattern: "^[Hh][Tt][Tt][Pp][Ss]://.", maxLength: maxWebhookUrlLength };
const FILE_URL = { pattern: "^https://.", maxLength: maxWebhookUrlLength };

const optInStep = defOf(within(fieldOf(doubleSettingsSchema, "opt_in_requests"))).element;
const file = fieldOf(fieldOf(fileMessageSchema, "rcsPayload"), "file");
const messages = [schemas.rcsTextMessageSchema, fileMessageSchema];

/** Returns the JSON Schema of a value that matches one of several named schemas, in place of an object's schema. */
const eitherOf = (...names: readonly string[]): Json => ({
  type: undefined,
  properties: undefined,
  oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })),
});

/**
 * Rules in code, as far as JSON Schema can express them. The JSON Schema may accept a value that the rule refuses. The other way
 * round, it refuses only what the client accepts beyond the specification. These descriptions replace descriptions in the source that are about the client.
 */
const RULES = new Map<z.$ZodType, Json>([
  ...messages.flatMap((message): [z.$ZodType, Json][] => [
    // The pattern accepts ten digits in any common format.
    [
      fieldOf(message, "phoneNumber"),
      {
        pattern: "^(\\D*\\d){10}",
        description: "A valid U.S. or Canadian number in any common format.",
      },
    ],
    [fieldOf(message, "webhookUrl"), HTTPS_URL],
    [
      fieldOf(message, "smsFailover"),
      { minLength: 1, maxLength: maxSmsLength, pattern: GSM7_PATTERN },
    ],
  ]),
  [
    fieldOf(fieldOf(schemas.rcsTextMessageSchema, "rcsPayload"), "text"),
    { maxLength: maxRcsTextLength },
  ],
  [fieldOf(file, "url"), FILE_URL],
  // JSON Schema cannot describe the file behind a URL.
  [file, { "x-content-types": allowedContentTypes, "x-maximum-bytes": maxFileBytes }],
  ...["start_date", "end_date"].map((name): [z.$ZodType, Json] => [
    within(fieldOf(schemas.scheduledMessagesQuerySchema, name)),
    { pattern: "^\\d{8}$", examples: ["20261231"] },
  ]),
  [
    within(fieldOf(doubleSettingsSchema, "opt_in_requests")),
    {
      description:
        "The steps in their order: the last has `success_action` `optinsubscriber`, those before it `nextrequest`.",
    },
  ],
  [
    optInStep,
    {
      required: [
        "collected_data",
        "request_message",
        "retry_message",
        "follow_up",
        "success_action",
      ],
      if: { properties: { follow_up: { const: true } }, required: ["follow_up"] },
      // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema
      then: { required: ["follow_up_hour"], properties: { follow_up_hour: { type: "integer" } } },
    },
  ],
  [schemas.optInSettingsSchema, eitherOf("SingleOptInSettings", "DoubleOptInSettings")],
  [schemas.optInSettingsResultSchema, eitherOf("SingleOptInResult", "DoubleOptInResult")],
  [timestampOrNull, { anyOf: undefined, type: ["string", "null"], format: "date-time" }],
  // Its schema is the schema of every field without a documented type.
  [
    fieldOf(schemas.momtReportSchema, "run_errors"),
    { description: "Its type is not documented: `null` in the shape shown." },
  ],
]);

type Named = readonly [name: string, schema: unknown, ...variables: string[]];

/** Schemas whose names or variables differ from those of the export. */
const NAMED_APART: readonly Named[] = [
  ["OptInStep", optInStep, "StepFields", "OptInStepWithReminder"],
  ["SingleOptInSettings", singleSettingsSchema, "SingleOptInSettings"],
  ["DoubleOptInSettings", doubleSettingsSchema, "DoubleOptInSettings"],
  ["SingleOptInResult", singleOptInResultSchema, "singleOptInResultSchema"],
  ["DoubleOptInResult", doubleOptInResultSchema, "doubleOptInResultSchema"],
  ["RcsTextMessage", schemas.rcsTextMessageSchema, "message", "rcsTextMessageSchema"],
  ["RcsFileMessage", fileMessageSchema, "message", "fileMessageSchema"],
];

/** Exported schemas that are inlined in the documents: queries and alternatives. */
const INLINE = /(Query|OptInSettings|OptInSettingsResult|RcsTextMessage|RcsFileMessage)Schema$/i;

/** Schemas with names of their own, and the variables or types whose comments describe their fields. */
const NAMED: readonly Named[] = [
  ...Object.entries(schemas)
    .filter(([variable]) => variable.endsWith("Schema") && !INLINE.test(variable))
    .map(([variable, schema]): Named => {
      const name = variable.slice(0, -"Schema".length);
      const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      // The fields of a schema with checks of the whole object have a variable of their own.
      return [title, schema, variable, `${name}Fields`];
    }),
  ...NAMED_APART,
];

/** Returns the type of a field that is present and not `null`. */
const typeOf = (schema: z.$ZodType): string =>
  within(schema) ? typeOf(within(schema)) : schema._zod.def.type;

/** Rules of one field that do not apply to other fields with the same schema. */
const FIELD_RULES: Readonly<Record<string, Json>> = {
  // The specification calls only this URL a URI.
  "fileMessageSchema.file.url": { format: "uri" },
  // The order of the steps and their table say that the field is not nullable.
  "StepFields.success_action": { anyOf: undefined, type: "string", enum: [...successActions] },
  "StepFields.request_message": { anyOf: undefined, type: "string" },
  "StepFields.retry_message": { anyOf: undefined, type: "string" },
  // The client accepts `null`, so that a list can be copied. The specification promises strings and booleans only.
  ...Object.fromEntries(
    Object.entries(defOf(schemas.listCreateSchema).shape).map(([name, schema]) => [
      `listCreateFields.${name}`,
      { anyOf: undefined, type: typeOf(schema) },
    ]),
  ),
};

const docs = fieldDocs();

/** Adds the comments above the fields of variables, and the rules of single fields. */
const describeFields = (schema: Json, paths: readonly string[]): void => {
  const { properties, items } = schema as { properties?: Record<string, Json>; items?: Json };
  if (items) describeFields(items, paths);
  for (const [name, field] of Object.entries(properties ?? {})) {
    const here = paths.flatMap((path) => [`${path}.${name}`]);
    const description = here.map((path) => docs.get(path)).find(Boolean);
    if (description && !field.$ref) field.description ??= description;
    Object.assign(field, ...here.map((path) => FIELD_RULES[path]));
    // The comments on a payload are in the object that is passed to `message`.
    describeFields(field, [...here, ...(name === "rcsPayload" ? paths : [])]);
  }
};

/** Converts the schemas of a document's operations to JSON Schema. */
export const toJsonSchemas = (endpoints: readonly Endpoint[]) => {
  const registry = z.registry<{ id: string }>();
  const made = new Map<() => z.$ZodType, z.$ZodType>();
  const make = (toSchema: () => z.$ZodType): z.$ZodType => {
    const schema = made.get(toSchema) ?? toSchema();
    made.set(toSchema, schema);
    return schema;
  };
  for (const [id, schema] of NAMED) registry.add(schema as z.$ZodType, { id });
  for (const { id, query, body, response, params } of endpoints) {
    const inPath = Object.values(params).map(({ schema }) => schema);
    for (const [index, toSchema] of [query, body, response, ...inPath].entries()) {
      const schema = toSchema && make(toSchema);
      if (schema && !registry.has(schema)) registry.add(schema, { id: `${id} ${index}` });
    }
  }
  const { schemas: all } = z.toJSONSchema(registry, {
    io: "input",
    unrepresentable: "any",
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ zodSchema, jsonSchema }) => {
      // The integer range of JavaScript, and further fields, need not be stated.
      if (Math.abs(Number(jsonSchema.minimum)) === Number.MAX_SAFE_INTEGER)
        delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (typeof jsonSchema.additionalProperties === "object")
        delete jsonSchema.additionalProperties;
      const { enum: values } = zodSchema._zod.bag as { readonly enum?: readonly string[] };
      if (values) Object.assign(jsonSchema, { type: "string", enum: [...values] });
      const [only, ...others] = jsonSchema.enum ?? [];
      if (only !== undefined && others.length === 0) {
        jsonSchema.const = only;
        delete jsonSchema.enum;
      }
      Object.assign(jsonSchema, RULES.get(zodSchema));
    },
  }) as unknown as { schemas: Record<string, Json> };
  for (const schema of Object.values(all)) {
    delete schema.$schema;
    delete schema.$id;
    delete schema.id;
  }
  for (const [id, , ...variables] of NAMED) describeFields(all[id] as Json, variables);
  return {
    /** Returns a schema of an endpoint, or a reference to it if it has a name. */
    of: (toSchema: () => z.$ZodType): Json => {
      const { id } = registry.get(make(toSchema)) as { id: string };
      return id.includes(" ") ? (all[id] as Json) : { $ref: `#/components/schemas/${id}` };
    },
    describe: (schema: Json, ...variables: readonly string[]) => describeFields(schema, variables),
    /** Returns the schema with a name. */
    named: (name: string): Json => all[name] as Json,
  };
};
