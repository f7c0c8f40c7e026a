import { describe, expect, test } from "vitest";
import { ValidationError } from "../../../src/errors.ts";
import { buildRequest } from "../../../src/http/build-request.ts";
import type { Endpoint, EndpointInput } from "../../../src/wire/endpoint.ts";
import { sendRcsFile, sendRcsText } from "../../../src/wire/transactional.ts";
import {
  configureOptIn,
  createList,
  getAccount,
  listLists,
  listScheduledMessages,
  removeSubscriber,
  retrieveList,
} from "../../../src/wire/v2.ts";
import { E164, fileMessage, message } from "../../support/calls.ts";

const build = (endpoint: unknown, input: EndpointInput = {}, validate = true) =>
  buildRequest(endpoint as Endpoint, input, validate);

/** Returns the paths of all issues of an input. */
const wrong = (endpoint: unknown, input: EndpointInput, validate = true): string[] => {
  try {
    build(endpoint, input, validate);
  } catch (error) {
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ source: "client", outcome: "not_sent", attempts: 0 });
    return (error as ValidationError).errors.map(({ path }) => path.join("."));
  }
  return [];
};

describe("built requests", () => {
  const ID = 17;
  test.each([
    [getAccount, {}, "GET", "/api/v2/accounts/me", undefined],
    [listLists, { query: undefined }, "GET", "/api/v2/lists", undefined],
    [listLists, { query: {} }, "GET", "/api/v2/lists", undefined],
    [
      listLists,
      { query: { page: 1, more: "x y" } },
      "GET",
      "/api/v2/lists?page=1&more=x+y",
      undefined,
    ],
    [retrieveList, { params: { ID } }, "GET", "/api/v2/lists/17", undefined],
    [createList, { body: { name: "é" } }, "POST", "/api/v2/lists/", '{"list":{"name":"é"}}'],
    [
      configureOptIn,
      { params: { ID }, body: { opt_in_type: "double" } },
      "PUT",
      "/api/v2/lists/17/opt_in_settings",
      '{"opt_in_type":"double"}',
    ],
    [
      removeSubscriber,
      { params: { ID, SUBSCRIBER_ID: "a/b" } },
      "DELETE",
      "/api/v2/lists/17/subscribers/a%2Fb",
      undefined,
    ],
  ])(
    "the arguments of input %#: %j are built as %s %s",
    (endpoint, input, method, target, body) => {
      expect(build(endpoint, input)).toMatchObject({ method, target, body });
    },
  );

  test("the request of a message has its phone number in E.164", () => {
    const { body = "" } = build(sendRcsText, { body: message });
    expect(JSON.parse(body)).toEqual({ ...message, phoneNumber: E164 });
  });

  test("building a request does not change the caller's objects", () => {
    const body = Object.freeze({ ...message, rcsPayload: Object.freeze({ text: "Hi" }) });
    build(sendRcsText, { body });
    expect(body.phoneNumber).toBe(message.phoneNumber);
  });

  test("a request is built exactly as given if validation is off", () => {
    const body = { phoneNumber: " 5 ", odd: [undefined, Number.NaN] };
    expect(build(sendRcsText, { body }, false).body).toBe(JSON.stringify(body));
    const query = { page: "x", per_page: -1 };
    expect(build(listLists, { query }, false).target).toBe("/api/v2/lists?page=x&per_page=-1");
    expect(build(retrieveList, { params: { ID: "a b" } }, false).target).toBe(
      "/api/v2/lists/a%20b",
    );
  });
});

describe("issues of an input", () => {
  test("all issues of an input are reported together, at the names of the caller's arguments", () => {
    const input = { params: { ID: 0, SUBSCRIBER_ID: "" } };
    expect(wrong(removeSubscriber, input)).toEqual(["listId", "phoneNumber"]);
    const query = { page: 0, per_page: 1001, start_date: "2027", end_date: "20270230" };
    expect(wrong(listScheduledMessages, { params: { ID: -1 }, query })).toEqual([
      "listId",
      "page",
      "per_page",
      "start_date",
      "end_date",
    ]);
    expect(wrong(sendRcsText, { body: {} })).toEqual([
      "phoneNumber",
      "webhookUrl",
      "rcsPayload",
      "smsFailover",
    ]);
  });

  test.each([
    [createList, { body: undefined }, [""]],
    [createList, { body: [] }, [""]],
    [createList, { body: { name: 5, email_subscribe: "yes" } }, ["name", "email_subscribe"]],
    [sendRcsFile, { body: fileMessage, contentType: "text/html" }, ["contentType"]],
    [sendRcsFile, { body: fileMessage, contentType: 5 as never }, ["contentType"]],
    [
      sendRcsFile,
      { body: { ...fileMessage, rcsPayload: { file: { url: "https://example.com/a.zip" } } } },
      ["rcsPayload.file.url"],
    ],
  ])("input %#: %j has issues at %j", (endpoint, input, paths) => {
    expect(wrong(endpoint, input)).toEqual(paths);
  });

  test("each field has at most one issue, which does not quote the value", () => {
    const body = { ...message, phoneNumber: "call me maybe", smsFailover: "secret ☃" };
    expect(wrong(sendRcsText, { body })).toEqual(["phoneNumber", "smsFailover"]);
    expect(() => build(sendRcsText, { body })).toThrow(/^(?!.*(maybe|secret)).*phoneNumber/);
  });

  test.each(["", ".", "..", "\ud83d", "a\udc00"])(
    "the path segment %j is refused even if validation is off",
    (segment) => {
      const input = { params: { ID: 17, SUBSCRIBER_ID: segment } };
      expect(wrong(removeSubscriber, input, false)).toEqual(["phoneNumber"]);
    },
  );

  test.each([
    { name: 5n },
    {
      name: {
        toJSON: () => {
          throw new Error("no");
        },
      },
    },
  ])("a body that JSON cannot represent is refused even if validation is off", (body) => {
    expect(wrong(createList, { body }, false)).toEqual([""]);
  });
});
