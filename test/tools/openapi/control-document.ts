// Creates the OpenAPI document of the control API from the routes that serve it.
import * as schemas from "../../../src/core/schemas/index.ts";
import { type ControlRoute, controlRoutes } from "../../../src/testing/control/routes.ts";
import * as views from "../../../src/testing/control/schemas.ts";
import { problemSchema } from "../../../src/testing/fake/fake-fields.ts";
import { faults } from "../../../src/testing/fake/fault-table.ts";
import { sentMessageSchema, webhookSchema } from "../../../src/testing/fake/messages.ts";
import { recordedRequestSchema } from "../../../src/testing/fake/recorded-requests.ts";
import { fakeListSchema } from "../../../src/testing/fake/store.ts";
import { fakePhoneSchema, phoneOptInSchema } from "../../../src/testing/fake/world.ts";
import { armedFailureSchema } from "../../../src/testing/service/armed-failures.ts";
import { type Entry, type Json, type JsonSchemas, toJsonSchemas } from "./json-schemas.ts";

/** Named schemas, and the variables whose comments describe their fields. */
const NAMED: readonly Entry[] = [
  ["Problem", problemSchema, "problemSchema"],
  ["Error", views.controlErrorSchema, "controlErrorSchema"],
  ["State", views.stateViewSchema, "stateViewSchema", "accountSchema"],
  ["Clock", views.clockViewSchema, "clockViewSchema"],
  ["FakeList", fakeListSchema, "fakeListFields", "listSchema", "optInRequestSchema"],
  ["Phone", fakePhoneSchema, "fakePhoneSchema", "FakePhone"],
  ["OptIn", phoneOptInSchema, "phoneOptInSchema"],
  ["Fault", armedFailureSchema, "armedFields", "effectSchema", "requestFilterSchema"],
  ["SentMessage", sentMessageSchema, "sentMessageSchema", "messageFields", "content"],
  ["Message", views.messageViewSchema, "messageViewSchema", "messageFields", "content"],
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
  setPhone: ["fakePhoneSchema"],
  reset: ["resetSchema"],
  readOutbox: ["outboxQuerySchema"],
  readMessages: ["messagesQuerySchema", "outboxQuerySchema"],
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

/** Converts the schemas of all routes to JSON Schema. */
const toControlSchemas = (): JsonSchemas => {
  const inline = controlRoutes.flatMap(({ operationId, body, query, response }) =>
    Object.entries({ body, query, response }).map(
      ([part, schema]): Entry => [`${operationId} ${part}`, schema, ...(BODIES[operationId] ?? [])],
    ),
  );
  return toJsonSchemas(
    NAMED,
    inline.filter(([, schema]) => schema !== undefined),
  );
};

const json = (schema: Json, example?: Json): Json => ({
  "application/json": { schema, ...(example && { example }) },
});

const parametersOf = ({ path, query }: ControlRoute, { of }: JsonSchemas): readonly Json[] => {
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

const operationOf = (route: ControlRoute, schemas: JsonSchemas): Json => {
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
      ...(operationId === "readMessages" && { 408: refusal("No message matched within `wait`.") }),
    },
  };
};

const EVENTS: Json = {
  operationId: "followEvents",
  summary: "Streams the events as server-sent events.",
  description:
    "`message` carries a `Message`, `request` a `Request`, `webhook` a `Webhook`; `state` says that the state has " +
    "changed, and `reset` that the fake was reset or a conversation removed. The stream ends when more than 4 MiB are " +
    "unread, as after many messages at once; connect again and read the state.",
  responses: {
    200: {
      description: "The events.",
      content: { "text/event-stream": { schema: { type: "string" } } },
    },
    400: refusal("There is a query parameter."),
    403: refusal("The request comes from a page of another origin, or names another host."),
  },
};

/** Creates the up-to-date document for `docs/openapi`. */
export const makeControlDocument = (): { readonly path: string; readonly document: Json } => {
  const schemas = toControlSchemas();
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
