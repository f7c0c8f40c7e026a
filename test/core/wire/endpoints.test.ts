import { describe, expect, test } from "vitest";
import type { Endpoint } from "../../../src/core/wire/endpoint.ts";
import * as transactional from "../../../src/core/wire/transactional.ts";
import * as v2 from "../../../src/core/wire/v2.ts";
import { ENDPOINTS, type Specified } from "../../support/tables/specification.ts";

const WIRE: Readonly<Record<string, Endpoint>> = { ...v2, ...transactional } as never;

test("the endpoints are those in the specification", () => {
  expect(Object.keys(WIRE).sort()).toEqual(Object.keys(ENDPOINTS).sort());
});

describe.each(Object.entries<Specified>(ENDPOINTS))("%s", (name, specified) => {
  const { method, path, idempotent, required } = specified;
  const endpoint = WIRE[name] as Endpoint;

  test(`${name} is ${method} ${path}, and is ${idempotent ? "" : "not "}idempotent`, () => {
    expect(endpoint).toMatchObject({ method, path, id: `${method} ${path}`, idempotent });
  });

  test("an endpoint is frozen, and creates the schema of its responses once", () => {
    expect(Object.isFrozen(endpoint)).toBe(true);
    expect(endpoint.response?.()).toBe(endpoint.response?.());
  });

  test("an endpoint has a rule for each parameter of its path, and for no other", () => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
    expect(Object.keys(endpoint.params)).toEqual(inPath);
  });

  test("an endpoint has the required fields that prove its response", () => {
    expect(endpoint.requiredFields).toEqual(required);
  });

  test("an endpoint has a body exactly if its method takes one, and a query exactly if it returns pages", () => {
    expect(endpoint.body !== undefined).toBe(method === "POST" || method === "PUT");
    expect(endpoint.query !== undefined).toBe("pages_count" in required);
  });

  test("a response is compared with the request exactly if it has a page or settings", () => {
    const isCompared = "pages_count" in required || name === "configureOptIn";
    expect(endpoint.responseIssue !== undefined).toBe(isCompared);
  });
});
