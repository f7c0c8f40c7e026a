// Checks the OpenAPI documents with other tools. Redocly lints the documents. Prism validates requests and the responses of the
// fake against them.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ListeningService, listen } from "messaging-service-client/testing/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { basic, createFake } from "../support/fakes/fake-service.ts";
import {
  DOCS,
  FIXTURE,
  installTools,
  type Prism,
  startPrism,
  tool,
} from "../support/servers/prism.ts";
import { transactionalCases } from "../support/wire-cases/transactional-cases.ts";
import { v2Cases } from "../support/wire-cases/v2-cases.ts";
import { toFetch } from "../support/wire-cases/wire-case.ts";
import { openWorld } from "../support/wire-cases/world.ts";
import { transactionalOperations, v2Operations } from "../tools/openapi/operations.ts";
import { accepted, refused } from "./prism-cases.ts";

const TIMEOUT_MS = 120_000;
const hasTools = installTools();
const documents = ["v2.json", "transactional.json"] as const;

/** Returns the examples of a request from the documents. */
const exampleOf = (method: string, path: string) => {
  const operation = documents
    .map((name) => JSON.parse(readFileSync(join(DOCS, name), "utf8")).paths[path])
    .find((found) => found !== undefined)[method.toLowerCase()];
  const { parameters = [], requestBody } = operation as {
    parameters?: readonly { name: string; example: string }[];
    requestBody?: { content: Record<string, { examples: Record<string, { value: unknown }> }> };
  };
  const examples = requestBody?.content["application/json"]?.examples ?? {};
  return {
    parameters: Object.fromEntries(parameters.map(({ name, example }) => [name, example])),
    body: Object.values(examples)[0]?.value,
  };
};

describe.runIf(hasTools)("redocly and the OpenAPI documents", () => {
  test(
    "redocly finds no error in any document under its strictest rules",
    () => {
      const args = ["lint", "--format=json", "--config", join(FIXTURE, "redocly.yaml")];
      const files = [...documents, "control.json"].map((name) => join(DOCS, name));
      const env = {
        ...process.env,
        REDOCLY_TELEMETRY: "off",
        REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      };
      const said = execFileSync(tool("redocly"), [...args, ...files], { env, stdio: "pipe" });
      expect(String(said).match(/"(errors|warnings)": 0,/g)).toHaveLength(2 * files.length);
    },
    TIMEOUT_MS,
  );
});

describe.runIf(hasTools)("the OpenAPI documents in Prism, which checks every request", () => {
  const started: Prism[] = [];
  let prisms: { v2: Prism; transactional: Prism };

  beforeAll(async () => {
    for (const name of documents) started.push(await startPrism(name));
    const [v2, transactional] = started as [Prism, Prism];
    prisms = { v2, transactional };
  }, TIMEOUT_MS);
  afterAll(() => Promise.all(started.map(({ stop }) => stop())));

  const fake = createFake();
  const headers = {
    authorization: basic(fake.account),
    "x-api-key": fake.account.apiKey,
    "content-type": "application/json",
  };
  const toFetch = (request: string, body: unknown) => {
    const [method = "", path = ""] = request.split(" ");
    const prism = path.startsWith("/api") ? prisms.v2 : prisms.transactional;
    return { path, prism, init: { method, headers, body: JSON.stringify(body) ?? null } };
  };
  /** Sends a request that no client has validated to Prism (documents) and to the fake (schemas). Returns both statuses. */
  const statuses = async (request: string, body: unknown) => {
    const { path, prism, init } = toFetch(request, body);
    const byPrism = await fetch(prism.baseUrl + path, init);
    const byFake = await fake.fetch(fake.v2BaseUrl + path, init);
    return { prism: byPrism.status, fake: byFake.status };
  };

  test.each(accepted)(
    "both the OpenAPI document and the schemas accept $what",
    async ({ request, body }) => {
      const { prism, fake } = await statuses(request, body);
      expect(Math.floor(prism / 100)).toBe(2);
      // The requested resource may not exist in the fake.
      expect([200, 201, 202, 404]).toContain(fake);
    },
  );

  test.each(refused)(
    "both the OpenAPI document and the schemas refuse $what",
    async ({ request, body }) => {
      const { prism, fake } = await statuses(request, body);
      expect(prism).toBe(request.includes("/api/") ? 422 : 400);
      // The fake looks up the list first, so it responds to an invalid id with 404.
      expect(fake).toBe(/lists\/(first|0)$/.test(request) ? 404 : prism);
    },
  );

  const operations = [...v2Operations, ...transactionalOperations];
  test.each(operations)(
    "the schemas accept any response that Prism generates for $operationId",
    async ({ endpoint: { method, path, response } }) => {
      const { parameters, body } = exampleOf(method, path);
      const target = path.replace(/\{(\w+)\}/g, (_, name) =>
        encodeURIComponent(parameters[name] ?? ""),
      );
      for (let round = 0; round < 5; round += 1) {
        const { path, prism, init } = toFetch(`${method} ${target}`, body);
        const dynamic = { ...headers, prefer: "dynamic=true" };
        const received = await fetch(prism.baseUrl + path, { ...init, headers: dynamic });
        expect(received.ok).toBe(true);
        expect(
          z.safeParse(response?.() as z.ZodMiniType, await received.json()).error,
        ).toBeUndefined();
      }
    },
  );

  test.each(["/api/v2/lists", "/transactional_messages/send_rcs_text"])(
    "Prism refuses %s without credentials",
    async (path) => {
      const isSend = !path.startsWith("/api");
      const prism = isSend ? prisms.transactional : prisms.v2;
      const init = isSend ? { method: "POST", body: "{}" } : {};
      expect((await fetch(prism.baseUrl + path, init)).status).toBe(401);
    },
  );
});

describe.runIf(hasTools)("responses of the fake through Prism", () => {
  let service = openWorld();
  let server: ListeningService;
  const started: Prism[] = [];

  beforeAll(async () => {
    server = await listen({ ...service, handle: (request) => service.handle(request) });
    for (const name of documents) started.push(await startPrism(name, server.v2BaseUrl));
  }, TIMEOUT_MS);
  afterAll(async () => {
    await Promise.all(started.map(({ stop }) => stop()));
    await server.close();
  });

  // Prism itself refuses requests without credentials or JSON.
  const cases = [...v2Cases, ...transactionalCases].filter(
    ({ status, send }) => status !== 401 && typeof send !== "string",
  );
  test.each(cases)(
    "the responses of the fake match the OpenAPI documents: $name",
    async (wireCase) => {
      service = openWorld();
      await wireCase.before?.(service);
      const { target, init } = toFetch(wireCase);
      const [v2, transactional] = started as [Prism, Prism];
      const { baseUrl } = target.startsWith("/transactional") ? transactional : v2;
      const response = await fetch(baseUrl + target, init);
      expect(await response.json()).toEqual(wireCase.body);
      expect(response.status).toBe(wireCase.status);
    },
  );
});
