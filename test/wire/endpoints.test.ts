import { describe, expect, test } from "vitest";
import type { Endpoint } from "../../src/wire/endpoint.ts";
import * as transactional from "../../src/wire/transactional.ts";
import * as v2 from "../../src/wire/v2.ts";

/** The endpoints as the specification lists them; whether a repeat leaves everything the same. */
const SPECIFIED: readonly (readonly [
  name: string,
  method: string,
  path: string,
  repeat: string,
])[] = [
  ["getAccount", "GET", "/api/v2/accounts/me", "same"],
  ["listLists", "GET", "/api/v2/lists", "same"],
  ["retrieveList", "GET", "/api/v2/lists/{ID}", "same"],
  ["configureOptIn", "PUT", "/api/v2/lists/{ID}/opt_in_settings", "same"],
  ["createList", "POST", "/api/v2/lists/", "again"],
  ["removeSubscriber", "DELETE", "/api/v2/lists/{ID}/subscribers/{SUBSCRIBER_ID}", "same"],
  ["listScheduledMessages", "GET", "/api/v2/lists/{ID}/messages/scheduled", "same"],
  ["retrieveMomtReport", "GET", "/api/v2/momt_reports/{ID}", "same"],
  ["sendRcsText", "POST", "/transactional_messages/send_rcs_text", "again"],
  ["sendRcsFile", "POST", "/transactional_messages/send_rcs_file", "again"],
];

const ENDPOINTS: Readonly<Record<string, Endpoint>> = { ...v2, ...transactional } as never;

test("the ten of the specification are there, and nothing else", () => {
  expect(Object.keys(ENDPOINTS).sort()).toEqual(SPECIFIED.map(([name]) => name).sort());
  expect(Object.keys(v2)).toHaveLength(8);
  expect(Object.keys(transactional)).toHaveLength(2);
});

describe.each(SPECIFIED)("%s", (name, method, path, repeat) => {
  const endpoint = ENDPOINTS[name] as Endpoint;

  test(`is ${method} ${path}`, () => {
    expect(endpoint).toMatchObject({ method, path, id: `${method} ${path}` });
  });

  test(`leaves things ${repeat === "same" ? "as they are" : "done twice"} when repeated`, () => {
    expect(endpoint.repeat).toBe(repeat);
  });

  test("is frozen", () => {
    expect(endpoint).toBeTypeOf("object");
    expect(Object.isFrozen(endpoint)).toBe(true);
    expect(() => Object.assign(endpoint, { path: "/elsewhere" })).toThrow(TypeError);
  });

  test("has a rule for each parameter of its path, and for no other", () => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
    expect(Object.keys(endpoint.params)).toEqual(inPath);
  });

  test("says what its answer must be, and what of it is proof", () => {
    expect(endpoint.response).toBeDefined();
    expect(Object.keys(endpoint.proof ?? {})).not.toEqual([]);
  });

  test("has a body exactly when its method takes one", () => {
    expect(endpoint.body !== undefined).toBe(method === "POST" || method === "PUT");
  });
});
