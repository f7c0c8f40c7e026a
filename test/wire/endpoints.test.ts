import { describe, expect, test } from "vitest";
import type { Endpoint } from "../../src/wire/endpoint.ts";
import * as transactional from "../../src/wire/transactional.ts";
import * as v2 from "../../src/wire/v2.ts";

/** The endpoints as the specification lists them, and whether they are idempotent. */
const SPECIFIED: readonly (readonly [
  name: string,
  method: string,
  path: string,
  idempotent: boolean,
])[] = [
  ["getAccount", "GET", "/api/v2/accounts/me", true],
  ["listLists", "GET", "/api/v2/lists", true],
  ["retrieveList", "GET", "/api/v2/lists/{ID}", true],
  ["configureOptIn", "PUT", "/api/v2/lists/{ID}/opt_in_settings", true],
  ["createList", "POST", "/api/v2/lists/", false],
  ["removeSubscriber", "DELETE", "/api/v2/lists/{ID}/subscribers/{SUBSCRIBER_ID}", true],
  ["listScheduledMessages", "GET", "/api/v2/lists/{ID}/messages/scheduled", true],
  ["retrieveMomtReport", "GET", "/api/v2/momt_reports/{ID}", true],
  ["sendRcsText", "POST", "/transactional_messages/send_rcs_text", false],
  ["sendRcsFile", "POST", "/transactional_messages/send_rcs_file", false],
];

const ENDPOINTS: Readonly<Record<string, Endpoint>> = { ...v2, ...transactional } as never;

test("the endpoints are those in the specification", () => {
  expect(Object.keys(ENDPOINTS).sort()).toEqual(SPECIFIED.map(([name]) => name).sort());
});

describe.each(SPECIFIED)("%s", (name, method, path, idempotent) => {
  const endpoint = ENDPOINTS[name] as Endpoint;

  test(`${name} is ${method} ${path}`, () => {
    expect(endpoint).toMatchObject({ method, path, id: `${method} ${path}` });
  });

  test(`${name} is ${idempotent ? "" : "not "}idempotent`, () => {
    expect(endpoint.idempotent).toBe(idempotent);
  });

  test("an endpoint is frozen", () => {
    expect(endpoint).toBeTypeOf("object");
    expect(Object.isFrozen(endpoint)).toBe(true);
    expect(() => Object.assign(endpoint, { path: "/elsewhere" })).toThrow(TypeError);
  });

  test("an endpoint has a rule for each parameter of its path, and for no other", () => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
    expect(Object.keys(endpoint.params)).toEqual(inPath);
  });

  test("an endpoint has a response schema and required fields", () => {
    expect(endpoint.response).toBeDefined();
    expect(Object.keys(endpoint.requiredFields ?? {})).not.toEqual([]);
  });

  test("an endpoint has a body exactly if its method takes one", () => {
    expect(endpoint.body !== undefined).toBe(method === "POST" || method === "PUT");
  });
});
