import { expect, test } from "vitest";
import * as z from "zod/mini";
import { endpoint } from "../../src/wire/endpoint.ts";

const definition = {
  method: "GET",
  path: "/things",
  response: () => z.looseObject({}),
  requiredFields: { thing: "object" },
  unwrap: (body: object) => body,
  idempotent: true,
} as const;

test("an endpoint is its frozen definition with an id", () => {
  const declared = endpoint(definition);
  const response = expect.any(Function);
  expect(declared).toMatchObject({ ...definition, id: "GET /things", params: {}, response });
  expect(Object.isFrozen(declared)).toBe(true);
  expect(definition).not.toHaveProperty("id");
  expect(Object.isFrozen(definition)).toBe(false);
});

test("an endpoint has the parameters of its definition", () => {
  const params = { ID: { argument: ["thingId"], schema: z.number } } as const;
  expect(endpoint({ ...definition, path: "/things/{ID}", params }).params).toBe(params);
});

test("an endpoint makes the schema of its responses once", () => {
  const { response } = endpoint(definition);
  expect(response?.()).toBe(response?.());
});
