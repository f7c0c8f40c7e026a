// Creates the OpenAPI document of the control API from the routes that serve it.
import * as z from "zod/v4/core";
import * as schemas from "../../../src/schemas/index.ts";
import type { ControlRoute } from "../../../src/testing/control/route.ts";
import { controlRoutes } from "../../../src/testing/control/routes.ts";
import * as views from "../../../src/testing/control/schemas.ts";
import {
  faults,
  problemSchema,
  recordedRequestSchema,
  webhookSchema,
} from "../../../src/testing/fake/events.ts";
import * as shapes from "../../../src/testing/fake/shapes.ts";
import { fakeListSchema } from "../../../src/testing/fake/store.ts";
import { armedFailureSchema } from "../../../src/testing/handlers/faults.ts";
import { fieldDocs } from "./field-docs.ts";
import type { Json } from "./json-schemas.ts";

/** Schemas with names of their own, and the variables whose comments describe their fields. */
const NAMED: readonly (readonly [name: string, schema: unknown, ...variables: string[]])[] = [
  ["Problem", problemSchema, "problemSchema"],
  ["Error", views.controlErrorSchema, "controlErrorSchema"],
  ["State", views.stateViewSchema, "stateViewSchema", "accountSchema"],
  ["Clock", views.clockViewSchema, "clockViewSchema"],
  ["FakeList", fakeListSchema, "fakeListFields", "listSchema", "optInRequestSchema"],
  ["Phone", shapes.fakePhoneSchema, "fakePhoneSchema", "FakePhone"],
  ["OptIn", shapes.phoneOptInSchema, "phoneOptInSchema"],
  ["Fault", armedFailureSchema, "armedFields", "effectSchema", "requestFilterSchema"],
  ["SentMessage", shapes.sentMessageSchema, "sentMessageSchema", "messageFields", "rcsContent"],
  ["Message", views.messageViewSchema, "messageViewSchema", "messageFields", "rcsContent"],
  ["Request", recordedRequestSchema, "recordedRequestSchema", "RecordedRequest"],
  ["Webhook", webhookSchema, "webhookSchema"],
  ["List", schemas.listSchema, "listSchema"],
  ["OptInRequest", schemas.optInRequestSchema, "optInRequestSchema"],
  ["Subscriber", schemas.subscriberSchema, "subscriberSchema"],
  ["ScheduledMessage", schemas.scheduledMessageSchema, "scheduledMessageSchema"],
  ["MomtReport", schemas.momtReportSchema, "momtReportSchema"],
];

/** Variables whose comments describe the fields of a body. */
const BODIES: Readonly<Record<string, readonly string[]>> = {
  sendText: ["receivedTextSchema"],
  advanceClock: ["clockInputSchema", "durationSchema"],
  armFault: ["NextFailure", "effectSchema", "requestFilterSchema"],
  addList: ["newListFields", "listSchema"],
  addSubscriber: ["subscriberInputSchema", "subscriberSchema"],
  addScheduledMessage: ["scheduledMessageInputSchema", "scheduledMessageSchema"],
  addReport: ["newReportFields", "momtReportSchema"],
  setPhone: ["phoneInputSchema"],
  reset: ["resetInputSchema"],
  readOutbox: ["messagesQuerySchema"],
  readMessages: ["messagesQuerySchema"],
};

const EXAMPLES: Readonly<Record<string, Json>> = {
  sendText: { from: "(206) 555-0123", text: "NEWS" },
  advanceClock: { hours: 2 },
  armFault: { status: 503, endpoint: "GET /api/v2/lists", times: 2 },
  addList: { name: "VIP", keyword_names: ["VIP"], first_optin_message: "Welcome!" },
  addSubscriber: { list_id: 1, phone_number: "(206) 555-0123" },
  addScheduledMessage: { list_id: 1, content: "The sale starts tomorrow." },
  addReport: { total_rows: 500, minutes: 5 },
  setPhone: { rcsReachable: false },
  reset: { empty: true },
};

const PARAMETERS: Readonly<Record<string, Json>> = {
  ID: { description: "The id of the list or the fault.", schema: { type: "integer" }, example: 1 },
  PHONE: {
    description: "The phone, in any common format.",
    schema: { type: "string" },
    example: "+12065550123",
  },
};

const docs = fieldDocs(
  new URL("../../../src/schemas/", import.meta.url),
  new URL("../../../src/testing/", import.meta.url),
);

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
    if (description && !field.$ref) field.description ??= description;
    describeFields(field, [...here, ...paths]);
  }
};

/** Converts the schemas of all routes to JSON Schema. Returns the named schemas, and a function for the others. */
const toJsonSchemas = () => {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of NAMED) registry.add(schema as z.$ZodType, { id });
  for (const { operationId, body, query, response } of controlRoutes) {
    for (const [part, schema] of Object.entries({ body, query, response })) {
      if (schema && !registry.has(schema)) registry.add(schema, { id: `${operationId} ${part}` });
    }
  }
  const { schemas: all } = z.toJSONSchema(registry, {
    io: "input",
    unrepresentable: "any",
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => {
      // The integer range of JavaScript need not be stated.
      if (Math.abs(Number(jsonSchema.minimum)) === Number.MAX_SAFE_INTEGER)
        delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  }) as unknown as { schemas: Record<string, Json> };
  const headers = ["$schema", "$id", "id"];
  for (const schema of Object.values(all)) for (const header of headers) delete schema[header];
  for (const [id, , ...variables] of NAMED) describeFields(all[id] as Json, variables);
  for (const [id, schema] of Object.entries(all)) {
    const [operationId = ""] = id.split(" ");
    describeFields(schema, BODIES[operationId] ?? []);
  }
  const of = (schema: z.$ZodType): Json => {
    const { id } = registry.get(schema) as { id: string };
    return id.includes(" ") ? (all[id] as Json) : { $ref: `#/components/schemas/${id}` };
  };
  const named = NAMED.map(([id]) => [id, all[id]] as const);
  return { of, named: Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1))) };
};

type Schemas = ReturnType<typeof toJsonSchemas>;

const json = (schema: Json, example?: Json): Json => ({
  "application/json": { schema, ...(example && { example }) },
});

const parametersOf = ({ path, query }: ControlRoute, { of }: Schemas): readonly Json[] => {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    ...PARAMETERS[name],
  }));
  const fields = query ? Object.entries((of(query).properties ?? {}) as Record<string, Json>) : [];
  const inQuery = fields.map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: false,
    description,
    schema,
  }));
  return [...inPath, ...inQuery];
};

const refusal = (description: string): Json => ({
  description,
  content: json({ $ref: "#/components/schemas/Error" }),
});

const operationOf = (route: ControlRoute, schemas: Schemas): Json => {
  const { operationId, summary, body, status, response } = route;
  const parameters = parametersOf(route, schemas);
  return {
    operationId,
    summary: `${summary}.`,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: operationId !== "reset",
        content: json(schemas.of(body), EXAMPLES[operationId]),
      },
    }),
    responses: {
      [status]: {
        description: status === 204 ? "It is done." : `${summary}.`,
        ...(response && { content: json(schemas.of(response)) }),
      },
      400: refusal("A field breaks a rule."),
      403: refusal("The request comes from a page of another origin, or names another host."),
    },
  };
};

const EVENTS: Json = {
  operationId: "followEvents",
  summary: "Sends what happens as server-sent events.",
  description:
    "`message` carries a `Message`, `request` a `Request`, `webhook` a `Webhook`; `state` says that the state has " +
    "changed, and `reset` that the fake began anew.",
  responses: {
    200: {
      description: "The events.",
      content: { "text/event-stream": { schema: { type: "string" } } },
    },
    403: refusal("The request comes from a page of another origin, or names another host."),
  },
};

/** Creates the up-to-date document for `docs/openapi`. */
export const makeControlDocument = (): { readonly path: string; readonly document: Json } => {
  const schemas = toJsonSchemas();
  const paths: Record<string, Json> = { "/events": { get: EVENTS } };
  for (const route of controlRoutes) {
    const path = `/${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, schemas) };
  }
  return {
    path: "docs/openapi/control.json",
    document: {
      openapi: "3.1.0",
      info: {
        title: "Control API of the fake messaging service",
        version: "1",
        description: `Reads and controls the fake, from any language. Faults: ${faults.join(", ")}.`,
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [
        {
          url: "http://127.0.0.1:{port}/__fake",
          variables: { port: { default: "4010", description: "The port of the command." } },
        },
      ],
      security: [],
      paths,
      components: { schemas: schemas.named },
    },
  };
};
