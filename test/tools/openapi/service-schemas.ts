// Details of the service's schemas in its OpenAPI documents that zod does not express.
import type * as z from "zod/v4/core";
import { allowedContentTypes, maxFileBytes } from "../../../src/core/rules/content-type.ts";
import { septetsOf } from "../../../src/core/rules/gsm7-characters.ts";
import * as schemas from "../../../src/core/schemas/index.ts";
import * as optIn from "../../../src/core/schemas/opt-in.ts";
import * as rcsMessage from "../../../src/core/schemas/rcs-message.ts";
import type { Endpoint } from "../../../src/core/wire/endpoint.ts";
import {
  type Entry,
  type Json,
  type JsonSchemas,
  REFERENCE,
  toJsonSchemas,
} from "./json-schemas.ts";

const doubleSettingsSchema = optIn.doubleSettingsSchema();
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

/** Returns alternatives in place of an object whose code chooses between them by `opt_in_type`. */
const oneOf = (...names: readonly string[]): Json => ({
  type: undefined,
  properties: undefined,
  required: undefined,
  oneOf: names.map((name) => ({ $ref: REFERENCE + name })),
});

const optInSteps = within(fieldOf(doubleSettingsSchema, "opt_in_requests"));
const optInStep = defOf(optInSteps).element;
const file = fieldOf(fieldOf(fileMessageSchema, "rcsPayload"), "file");
const messages = [schemas.rcsTextMessageSchema, fileMessageSchema];

/**
 * Rules in code, as far as JSON Schema can express them. The JSON Schema may accept a value that the rule refuses. Conversely, it
 * refuses only what the client accepts beyond the specification. These descriptions replace source comments about the client.
 */
const RULES = new Map<unknown, Json>([
  [schemas.optInSettingsSchema, oneOf("SingleOptInSettings", "DoubleOptInSettings")],
  [schemas.optInSettingsResultSchema, oneOf("SingleOptInResult", "DoubleOptInResult")],
  ...messages.flatMap((message): [z.$ZodType, Json][] => [
    // The pattern accepts ten digits in any common format.
    [
      fieldOf(message, "phoneNumber"),
      {
        pattern: "^(\\D*\\d){10}",
        description: "A valid U.S. or Canadian number in any common format.",
      },
    ],
    [fieldOf(message, "webhookUrl"), { pattern: "^[Hh][Tt][Tt][Pp][Ss]://." }],
    [fieldOf(message, "smsFailover"), { pattern: GSM7_PATTERN }],
  ]),
  // The specification calls only this URL a URI.
  [fieldOf(file, "url"), { pattern: "^https://.", format: "uri" }],
  // JSON Schema cannot describe the file behind a URL.
  [file, { "x-content-types": allowedContentTypes, "x-maximum-bytes": maxFileBytes }],
  ...["start_date", "end_date"].map((name): [z.$ZodType, Json] => [
    within(fieldOf(schemas.scheduledMessagesQuerySchema, name)),
    { pattern: "^\\d{8}$", examples: ["20261231"] },
  ]),
  [
    optInSteps,
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
  // Its schema is the schema of every field without a documented type.
  [
    fieldOf(schemas.momtReportSchema, "run_errors"),
    { description: "Its type is not documented: `null` in the shape shown." },
  ],
]);

/**
 * Fields that may be `null` in the client, so you can send back what the service returned, but not in the specification. There,
 * a new list has only strings and booleans, the two messages of the settings of a single opt-in are strings, and the table of a
 * step and the order of the steps exclude `null`.
 */
const NOT_NULLABLE: Readonly<Record<string, readonly string[]>> = {
  ListCreate: Object.keys(defOf(schemas.listCreateSchema).shape),
  SingleOptInSettings: ["first_optin_message", "second_optin_message"],
  OptInStep: ["request_message", "retry_message", "success_action"],
};

/** Removes `null` from the types of a field. */
const excludeNull = (field: Json): void => {
  const { type, anyOf } = field as { type?: string | readonly string[]; anyOf?: readonly Json[] };
  if (Array.isArray(type)) field.type = type.find((name) => name !== "null");
  if (!anyOf) return;
  delete field.anyOf;
  Object.assign(
    field,
    anyOf.find((known) => known.type !== "null"),
  );
};

/** Schemas whose names or variables differ from those of the export. */
const NAMED_APART: readonly Entry[] = [
  ["OptInStep", optInStep, "StepFields", "OptInStepWithReminder"],
  ["SingleOptInSettings", optIn.singleSettingsSchema(), "singleSettingsSchema"],
  ["DoubleOptInSettings", doubleSettingsSchema, "DoubleOptInSettings"],
  ["SingleOptInResult", optIn.singleOptInResultSchema(), "singleOptInResultSchema"],
  ["DoubleOptInResult", optIn.doubleOptInResultSchema(), "doubleOptInResultSchema"],
  ["RcsTextMessage", schemas.rcsTextMessageSchema, "message", "rcsTextMessageSchema"],
  ["RcsFileMessage", fileMessageSchema, "message", "fileMessageSchema"],
];

/** Exported schemas that are inlined in the documents: queries and alternatives. */
const INLINE = /(Query|OptInSettings|OptInSettingsResult|RcsTextMessage|RcsFileMessage)Schema$/i;

/** Named schemas. */
const NAMED: readonly Entry[] = [
  ...Object.entries(schemas)
    .filter(([variable]) => variable.endsWith("Schema") && !INLINE.test(variable))
    .map(([variable, schema]): Entry => {
      const name = variable.slice(0, -"Schema".length);
      const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      // The fields of a schema that checks the whole object have their own variable.
      return [title, schema, variable, `${name}Fields`];
    }),
  ...NAMED_APART,
];

/** Converts the schemas of a document's operations to JSON Schema. */
export const toServiceSchemas = (endpoints: readonly Endpoint[]): JsonSchemas => {
  const inline = endpoints.flatMap(({ id, query, body, response, params }): Entry[] => {
    const inPath = Object.values(params).map(({ schema }) => schema);
    return [query, body, response, ...inPath].flatMap((toSchema, index): Entry[] => {
      if (!toSchema) return [];
      const schema = toSchema();
      const isPage = "pages_count" in (defOf(schema).shape ?? {});
      return [[`${id} ${index}`, schema, ...(isPage ? ["pageSchema"] : [])]];
    });
  });
  const converted = toJsonSchemas(NAMED, inline, RULES);
  for (const [name, fields] of Object.entries(NOT_NULLABLE)) {
    const properties = converted.named[name]?.properties as Record<string, Json>;
    for (const field of fields) excludeNull(properties[field] as Json);
  }
  return converted;
};
