import { describe, expect, test } from "vitest";
import { ResponseValidationError, type ValidationIssue } from "../../../src/core/errors.ts";
import { readResponse } from "../../../src/core/responses/read-response.ts";
import { Redactor } from "../../../src/core/responses/redact.ts";
import type { Endpoint } from "../../../src/core/wire/endpoint.ts";
import { sendRcsText } from "../../../src/core/wire/transactional.ts";
import {
  configureOptIn,
  getAccount,
  listLists,
  removeSubscriber,
} from "../../../src/core/wire/v2.ts";

type Reading =
  | { readonly proved: true; readonly body: unknown }
  | { readonly proved: false; readonly what: string; readonly issues: readonly ValidationIssue[] };

const prove = async (endpoint: unknown, body: unknown, query?: object): Promise<Reading> => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = new Response(null, { status: 200 });
  const context = {
    endpoint: endpoint as Endpoint,
    sent: { query },
    redactor: new Redactor([]),
    responseValidation: "off",
    timer: { run: <T>(work: () => T) => work() },
  } as const;
  try {
    return {
      proved: true,
      body: (await readResponse({ response, outcome: "unknown", body: text }, context)).body,
    };
  } catch (error) {
    if (!ResponseValidationError.is(error)) throw error;
    expect(error.outcome).toBe("unknown");
    const what = error.message.replace("200, but ", "");
    return { proved: false, what, issues: error.issues };
  }
};

const onePage = { lists: [], page: 1, pages_count: 1 };

describe("bodies with all required fields", () => {
  test.each([
    ["an account", getAccount, { account: {} }],
    [
      "an account with any string as its status",
      getAccount,
      { status: "errors: none", account: {} },
    ],
    ["opt-in settings", configureOptIn, { opt_in_type: "triple" }],
    ["a subscriber", removeSubscriber, { subscriber: { phone_number: null } }],
    ["a page", listLists, onePage],
    ["an empty page", listLists, { ...onePage, pages_count: 0 }],
    ["a transaction", sendRcsText, { transactionId: "t" }],
  ])("the body of %s is accepted", async (_, endpoint, body) => {
    expect(await prove(endpoint, body)).toEqual({ proved: true, body });
  });

  test("unknown fields of a body are kept", async () => {
    const body = { account: { deep: { er: [1] } }, more: null };
    expect(await prove(getAccount, body)).toEqual({ proved: true, body });
  });
});

describe("bodies without required fields", () => {
  test.each([
    ["", "empty"],
    ["<!doctype html><p>Sign in", "HTML"],
    ["\n  <html>", "HTML"],
    ['{"account":{"id":1', "not JSON"],
    ["OK", "not JSON"],
    ["  ", "not JSON"],
    ["null", "`account`"],
    ["5", "`account`"],
    ['"account"', "`account`"],
    ["[]", "`account`"],
    ['[{"account":{}}]', "`account`"],
    ["{}", "`account`"],
    ['{"status":"OK"}', "`account`"],
    ['{"account":null}', "`account`"],
    ['{"account":[]}', "`account`"],
    ['{"account":"me"}', "`account`"],
    ['{"status":"error","error":"no"}', "reports an error"],
    ['{"status":"error","account":{}}', "reports an error"],
    ['{"status":"ERROR","account":{}}', "reports an error"],
  ])("the body %j is rejected: %s", async (text, what) => {
    const reading = await prove(getAccount, text);
    expect(reading).toMatchObject({ proved: false, what: expect.stringContaining(what) });
  });

  test.each([
    [sendRcsText, { message: "Accepted" }, "transactionId"],
    [sendRcsText, { transactionId: "" }, "transactionId"],
    [sendRcsText, { transactionId: 5 }, "transactionId"],
    [configureOptIn, { opt_in_type: null }, "opt_in_type"],
    [removeSubscriber, { subscriber: [] }, "subscriber"],
    [listLists, { ...onePage, lists: {} }, "lists"],
    [listLists, { ...onePage, lists: undefined }, "lists"],
    [listLists, { ...onePage, page: "1" }, "page"],
    [listLists, { ...onePage, page: undefined }, "page"],
    [listLists, { ...onePage, pages_count: 1.5 }, "pages_count"],
    [listLists, { ...onePage, pages_count: null }, "pages_count"],
    [listLists, { ...onePage, page: 2 ** 53 }, "page"],
  ])("body %# is rejected without its required field: %j", async (endpoint, body, field) => {
    const reading = await prove(endpoint, body);
    expect(reading).toMatchObject({
      proved: false,
      what: expect.stringContaining(`\`${field}\``),
      issues: [{ code: "invalid_type", path: [field] }],
    });
  });

  test("all missing fields of a body are reported", async () => {
    const reading = await prove(listLists, {});
    expect(reading).toMatchObject({ issues: [{ path: ["lists"] }, { path: ["page"] }, {}] });
  });
});

describe("the description of a rejected body", () => {
  test("the description lists each missing field and its type", async () => {
    const required = (key: string, type: string, named: string) => ({
      code: "invalid_type",
      type,
      path: [key],
      message: `is required and must be ${named}`,
    });
    expect(await prove(listLists, { status: "OK" })).toEqual({
      proved: false,
      what: "its body lacks `lists` (array), `page` (integer), `pages_count` (integer)",
      issues: [
        required("lists", "array", "an array"),
        required("page", "integer", "an integer"),
        required("pages_count", "integer", "an integer"),
      ],
    });
    expect(await prove(sendRcsText, {})).toMatchObject({
      issues: [required("transactionId", "string", "a string")],
    });
  });

  test("the description of a body that is not JSON lists no fields", async () => {
    expect(await prove(getAccount, "Welcome <b>back</b>")).toEqual({
      proved: false,
      what: "its body is not JSON",
      issues: [],
    });
  });
});
