import { DEFAULTS, PARAMETERS, TAGS } from "../../support/tables/specification.ts";
import { type Exchange, makeExchanges } from "./examples.ts";
import type { Json, JsonSchemas } from "./json-schemas.ts";
import { type Operation, transactionalOperations, v2Operations } from "./operations.ts";
import { toServiceSchemas } from "./service-schemas.ts";

const json = (schema: Json | undefined, examples: Json): Json => ({
  "application/json": {
    schema,
    ...(Object.keys(examples).length > 0 ? { examples } : {}),
  },
});

/** Returns the name of an example, unique within its operation. */
const nameOf = ({ request, status }: Exchange): string =>
  status === 400 ? "refused" : ((request as { opt_in_type?: string })?.opt_in_type ?? "usual");

const examplesOf = (exchanges: readonly Exchange[], part: "request" | "response"): Json =>
  Object.fromEntries(
    exchanges
      .filter((exchange) => exchange[part] !== undefined)
      .map((exchange) => [nameOf(exchange), { value: exchange[part] }]),
  );

const parametersOf = (
  { endpoint }: Operation,
  schemas: JsonSchemas,
  known: Exchange | undefined,
) => {
  const inPath = Object.entries(endpoint.params).map(([name, { schema }]) => {
    const value = known?.params[name];
    return {
      name,
      in: "path",
      required: true,
      description: PARAMETERS[endpoint.id] ?? PARAMETERS[name],
      schema: schemas.of(schema()),
      example: name === "ID" ? Number(value) : value,
    };
  });
  const query = endpoint.query ? schemas.of(endpoint.query()) : {};
  const properties = Object.entries((query.properties ?? {}) as Record<string, Json>);
  const inQuery = properties.map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    description: PARAMETERS[name],
    schema: name in DEFAULTS ? { ...schema, default: DEFAULTS[name] } : schema,
  }));
  return [...inPath, ...inQuery];
};

const bodyOf = ({ endpoint }: Operation, schemas: JsonSchemas, exchanges: readonly Exchange[]) => {
  const { body, wrap } = endpoint;
  if (!body) return {};
  const schema = schemas.of(body());
  const whole = wrap
    ? { type: "object", properties: { [wrap]: schema }, required: [wrap] }
    : schema;
  const accepted = exchanges.filter(({ status }) => status < 400);
  return {
    requestBody: { required: true, content: json(whole, examplesOf(accepted, "request")) },
  };
};

const responseSchemaOf = (
  { response }: Operation["endpoint"],
  schemas: JsonSchemas,
): Json | undefined => {
  if (!response) return undefined;
  const schema = schemas.of(response());
  const fields = (schema.properties ?? {}) as Record<string, Json>;
  for (const [name, field] of Object.entries(fields)) {
    if (field.$ref) continue;
    if (name === "status") field.description ??= "`OK`, or a string that says what was done.";
    else if ("pages_count" in fields) field.description ??= `The ${name} of this page.`;
  }
  return schema;
};

const responsesOf = (
  { endpoint, success = "2XX", summary }: Operation,
  schemas: JsonSchemas,
  exchanges: readonly Exchange[],
) => {
  const accepted = exchanges.filter(({ status }) => status < 400);
  const refused = exchanges.filter(({ status }) => status === 400);
  const isTransactional = endpoint.id.includes("/transactional_messages/");
  const invalid = { $ref: "#/components/schemas/ValidationError" };
  return {
    [success]: {
      description: `${summary}.${success === "2XX" ? " The specification does not say which status." : ""}`,
      content: json(responseSchemaOf(endpoint, schemas), examplesOf(accepted, "response")),
    },
    ...(isTransactional
      ? {
          400: {
            description: 'A field breaks a rule (specification: "Errors").',
            content: json(invalid, examplesOf(refused, "response")),
          },
        }
      : {}),
    default: {
      description: "An error. The specification does not say which status or format it has.",
    },
  };
};

/** Returns the named schemas that a part of a document needs, and the schemas that these refer to. */
const neededBy = (part: unknown, schemas: JsonSchemas, needed: Record<string, Json> = {}) => {
  for (const [, name = ""] of JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)) {
    if (name in needed) continue;
    needed[name] = schemas.named[name] as Json;
    neededBy(needed[name], schemas, needed);
  }
  return needed;
};

const documentOf = (
  operations: readonly Operation[],
  exchanges: readonly Exchange[],
  head: { info: Json; server: Json; securitySchemes: Json },
): Json => {
  const schemas = toServiceSchemas(operations.map(({ endpoint }) => endpoint));
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const { endpoint, operationId, tag, summary, section } = operation;
    const own = exchanges.filter(({ endpointId }) => endpointId === endpoint.id);
    const parameters = parametersOf(operation, schemas, own[0]);
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: {
        operationId,
        tags: [tag],
        summary,
        description: `Specification: "${section}".`,
        ...(parameters.length > 0 ? { parameters } : {}),
        ...bodyOf(operation, schemas, own),
        responses: responsesOf(operation, schemas, own),
      },
    };
  }
  const needed = Object.entries(neededBy(paths, schemas)).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    openapi: "3.1.0",
    info: head.info,
    servers: [head.server],
    security: Object.keys(head.securitySchemes).map((name) => ({ [name]: [] })),
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({
      name,
      description: TAGS[name].about,
    })),
    paths,
    components: {
      securitySchemes: head.securitySchemes,
      schemas: Object.fromEntries(needed),
    },
  };
};

const serverOf = (variable: string, example: string): Json => ({
  url: `{${variable}}`,
  variables: { [variable]: { default: example, description: "Base URL of the service." } },
});

/** Creates both documents of `docs/openapi`. */
export const makeDocuments = async (): Promise<readonly { path: string; document: Json }[]> => {
  const exchanges = await makeExchanges();
  return [
    {
      path: "docs/openapi/v2.json",
      document: documentOf(v2Operations, exchanges, {
        info: {
          title: "Messaging service, version 2",
          version: "2",
          description:
            "Subscriber lists, opt-in settings, subscribers, scheduled messages and reports. An account may make 1200 " +
            "calls an hour, or one every 3 seconds; more on request. The format of errors is not documented.",
        },
        server: serverOf("base_url", "https://app.example.com"),
        securitySchemes: {
          basic: {
            type: "http",
            scheme: "basic",
            description: "The account's login e-mail and an API key.",
          },
        },
      }),
    },
    {
      path: "docs/openapi/transactional.json",
      document: documentOf(transactionalOperations, exchanges, {
        info: {
          title: "Messaging service, transactional API",
          version: "1.0.0",
          description: "Sends one RCS text or file to one phone, with an SMS fallback.",
        },
        server: serverOf("transactional_url", "https://rcs.example.com"),
        securitySchemes: {
          apiKey: { type: "apiKey", in: "header", name: "x-api-key", description: "An API key." },
        },
      }),
    },
  ];
};

/** Returns the text of a document. */
export const toText = (document: Json): string => `${JSON.stringify(document, undefined, 2)}\n`;
