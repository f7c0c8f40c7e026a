import { describe, expect, test } from "vitest";
import type { Endpoint } from "../../src/wire/endpoint.ts";
import * as v2 from "../../src/wire/v2.ts";
import { wrongPaths } from "../support/tables/field-table.ts";
import * as fixtures from "../support/tables/response-fixtures.ts";

const { account, envelope, list, report, scheduledMessage, subscriber } = fixtures;
const status = "OK";

const ENDPOINTS: Readonly<Record<string, Endpoint>> = { ...v2 } as never;
const endpointOf = (name: string) => ENDPOINTS[name] as Endpoint;

describe("the resource of a response", () => {
  const page = { ...envelope, a_new_field: 1 };

  test.each<[name: string, body: object, data: object]>([
    ["getAccount", { status, account }, account],
    ["retrieveList", { status, list }, list],
    ["createList", { status: "created", list }, list],
    ["removeSubscriber", { status, subscriber }, subscriber],
    ["retrieveMomtReport", { status, momt_report: report }, report],
    ["configureOptIn", fixtures.singleResult, fixtures.singleResult],
    ["configureOptIn", fixtures.doubleResult, fixtures.doubleResult],
    ["listLists", { ...page, lists: [list] }, { ...page, items: [list] }],
    [
      "listScheduledMessages",
      { ...page, messages: [scheduledMessage] },
      { ...page, items: [scheduledMessage] },
    ],
  ])("unwrap of %s returns the resource of its response", (name, body, data) => {
    expect(endpointOf(name).unwrap(body as never)).toEqual(data);
  });
});

describe("the required fields of a response", () => {
  test.each([
    ["getAccount", { account: "object" }],
    ["retrieveList", { list: "object" }],
    ["createList", { list: "object" }],
    ["removeSubscriber", { subscriber: "object" }],
    ["retrieveMomtReport", { momt_report: "object" }],
    ["configureOptIn", { opt_in_type: "string" }],
    ["listLists", { lists: "array", page: "integer", pages_count: "integer" }],
    ["listScheduledMessages", { messages: "array", page: "integer", pages_count: "integer" }],
  ])("the required fields of %s are %j", (name, required) => {
    expect(endpointOf(name).requiredFields).toEqual(required);
  });
});

describe("path parameters", () => {
  test.each([
    ["retrieveList", "ID", ["listId"]],
    ["configureOptIn", "ID", ["listId"]],
    ["removeSubscriber", "ID", ["listId"]],
    ["removeSubscriber", "SUBSCRIBER_ID", ["phoneNumber"]],
    ["listScheduledMessages", "ID", ["listId"]],
    ["retrieveMomtReport", "ID", ["reportId"]],
  ])(
    "the path parameter of %s {%s} is reported as the caller's argument %j",
    (name, parameter, argument) => {
      expect(endpointOf(name).params[parameter]?.argument).toEqual(argument);
    },
  );

  test.each(["retrieveList", "configureOptIn", "removeSubscriber", "listScheduledMessages"])(
    "the id of %s must be a positive integer",
    (name) => {
      const schema = endpointOf(name).params.ID?.schema() as never;
      expect(wrongPaths(schema, 17)).toEqual([]);
      for (const id of [0, -1, 1.5, "17", undefined]) {
        expect(wrongPaths(schema, id)).toHaveLength(1);
      }
    },
  );
});

test("only the body of a new list is wrapped", () => {
  const wrapped = Object.entries(ENDPOINTS).filter(([, { wrap }]) => wrap !== undefined);
  expect(wrapped.map(([name, { wrap }]) => [name, wrap])).toEqual([["createList", "list"]]);
});

test.each(Object.entries(ENDPOINTS))(
  "%s has a query exactly if it returns pages",
  (_, { query, requiredFields = {} }) => {
    expect(query !== undefined).toBe("pages_count" in requiredFields);
  },
);

test.each(Object.entries(ENDPOINTS))(
  "the response of %s is compared with the request exactly if it has a page or settings",
  (name, { query, responseIssue }) => {
    const isCompared = query !== undefined || name === "configureOptIn";
    expect(responseIssue !== undefined).toBe(isCompared);
  },
);
