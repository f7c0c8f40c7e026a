import { describe, expect, test } from "vitest";
import type { Endpoint } from "../../../src/core/wire/endpoint.ts";
import * as transactional from "../../../src/core/wire/transactional.ts";
import * as v2 from "../../../src/core/wire/v2.ts";

const IDEMPOTENT = true;
const PAGE = { page: "integer", pages_count: "integer" };

/** The endpoints as the specification lists them, whether they are idempotent, and what each response must have. */
const SPECIFIED: readonly (readonly [
  name: string,
  method: string,
  path: string,
  idempotent: boolean,
  required: object,
])[] = [
  ["getAccount", "GET", "/api/v2/accounts/me", IDEMPOTENT, { account: "object" }],
  ["listLists", "GET", "/api/v2/lists", IDEMPOTENT, { lists: "array", ...PAGE }],
  ["retrieveList", "GET", "/api/v2/lists/{ID}", IDEMPOTENT, { list: "object" }],
  [
    "configureOptIn",
    "PUT",
    "/api/v2/lists/{ID}/opt_in_settings",
    IDEMPOTENT,
    { opt_in_type: "string" },
  ],
  ["createList", "POST", "/api/v2/lists/", false, { list: "object" }],
  [
    "removeSubscriber",
    "DELETE",
    "/api/v2/lists/{ID}/subscribers/{SUBSCRIBER_ID}",
    IDEMPOTENT,
    { subscriber: "object" },
  ],
  [
    "listScheduledMessages",
    "GET",
    "/api/v2/lists/{ID}/messages/scheduled",
    IDEMPOTENT,
    { messages: "array", ...PAGE },
  ],
  ["retrieveMomtReport", "GET", "/api/v2/momt_reports/{ID}", IDEMPOTENT, { momt_report: "object" }],
  [
    "sendRcsText",
    "POST",
    "/transactional_messages/send_rcs_text",
    false,
    { transactionId: "string" },
  ],
  [
    "sendRcsFile",
    "POST",
    "/transactional_messages/send_rcs_file",
    false,
    { transactionId: "string" },
  ],
];

const ENDPOINTS: Readonly<Record<string, Endpoint>> = { ...v2, ...transactional } as never;

test("the endpoints are those in the specification", () => {
  expect(Object.keys(ENDPOINTS).sort()).toEqual(SPECIFIED.map(([name]) => name).sort());
});

describe.each(SPECIFIED)("%s", (name, method, path, idempotent, required) => {
  const endpoint = ENDPOINTS[name] as Endpoint;

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
