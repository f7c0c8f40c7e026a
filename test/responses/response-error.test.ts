import { describe, expect, test } from "vitest";
import { Redactor } from "../../src/responses/redact.ts";
import { toResponseError } from "../../src/responses/response-error.ts";

/** The message of an error without a secret, from a status and a body. */
const messageOf = (body: unknown, status = 422, init: ResponseInit = {}): string => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = new Response(null, { status, ...init });
  return toResponseError({ response, body: text }, new Redactor([]), {}).message;
};

describe("the words of the service in a message", () => {
  test.each([
    [{ error: "Name is taken" }, "422: Name is taken"],
    [{ message: "Name is taken" }, "422: Name is taken"],
    [{ status: "error", error: "Name is taken", message: "other" }, "422: Name is taken"],
    [{ error: "", message: "Name is taken" }, "422: Name is taken"],
    [{ error: null, message: "Name is taken" }, "422: Name is taken"],
    [{ error: { message: "Name is taken", type: "x" } }, "422: Name is taken"],
    [{ errors: ["Name is taken", "Id is not"] }, "422: Name is taken; Id is not"],
    [{ errors: [{ message: "Name is taken" }, { error: "no" }] }, "422: Name is taken; no"],
    [{ errors: { name: ["is taken", "is short"] } }, "422: name is taken; is short"],
    [{ errors: { name: "is taken", id: ["is bad"] } }, "422: name is taken; id is bad"],
    [["Name is taken"], "422: Name is taken"],
    ["Name is taken", "422: Name is taken"],
    ['"Name is taken"', "422: Name is taken"],
    ["  Name\r\n is\ttaken  ", "422: Name is taken"],
    ["", "422"],
    ["   ", "422"],
    ["<!doctype html><h1>Unprocessable</h1>", "422"],
    ['{"error":"<html>no</html>"}', "422"],
    [{}, "422"],
    [[], "422"],
    [{ errors: [] }, "422"],
    [{ errors: {} }, "422"],
    ["null", "422"],
    ["5", "422"],
    [{ error: 5 }, "422"],
  ])("%j: %j", (body, expected) => {
    expect(messageOf(body)).toBe(expected);
  });

  test("come behind the status and its text", () => {
    expect(messageOf({ error: "no" }, 404, { statusText: "Not Found" })).toBe("404 Not Found: no");
    expect(messageOf("", 502, { statusText: "Bad Gateway" })).toBe("502 Bad Gateway");
  });

  test("are cut off where they go on and on", () => {
    const message = messageOf({ error: "no ".repeat(5000) });
    expect(message.length).toBeLessThan(320);
    expect(message).toMatch(/^422: no no .*…$/);
  });

  test("however deep they are nested, are no trouble", () => {
    const deep = `${"[".repeat(30_000)}${"]".repeat(30_000)}`;
    expect(messageOf(deep)).toBe("422");
  });
});

describe("a documented 400", () => {
  const errorOf = (item: object) => {
    const body = { error: "Validation failed", errors: [item] };
    const response = new Response(null, { status: 400 });
    const error = toResponseError(
      { response, body: JSON.stringify(body) },
      new Redactor(["secret-text"]),
      {},
    );
    return "errors" in error ? error.errors : error;
  };
  const item = { code: "custom", message: "is wrong", path: ["phoneNumber"] };

  test("keeps what is told of a field, and nothing that is not", () => {
    expect(errorOf(item)).toEqual([item]);
    expect(Object.keys((errorOf(item) as object[])[0] ?? {})).toEqual(["code", "message", "path"]);
    const details = {
      validation: "phone",
      minimum: 1,
      maximum: 5,
      type: "string",
      inclusive: true,
      exact: false,
    };
    expect(errorOf({ ...item, ...details })).toEqual([{ ...item, ...details }]);
  });

  test.each(["secret-text", "too_big secret-text", "secret-text_x", "", "a".repeat(41)])(
    "quotes a name such as %j, as it does any words",
    (name) => {
      const [told] = errorOf({ ...item, code: name, path: [name], validation: name }) as object[];
      const expected = name.replace("secret-text", "[redacted]");
      expect(told).toMatchObject({ code: expected, path: [expected], validation: expected });
    },
  );

  test("without a field is an error of its status alone", () => {
    const response = new Response(null, { status: 400 });
    const error = toResponseError(
      { response, body: '{"error":"no","errors":[]}' },
      new Redactor([]),
      {},
    );
    expect(error.code).toBe("api");
  });
});

test.each([
  [300, "300: a redirect, which is not followed"],
  [399, "399: a redirect, which is not followed"],
  [400, "400: no"],
  [299, "299: no"],
])("status %i is called %j", (status, expected) => {
  expect(messageOf({ error: "no" }, status)).toBe(expected);
});

describe("what an error carries", () => {
  const errorFor = (text: string, headers: Record<string, string> = {}, status = 422) =>
    toResponseError(
      { response: new Response(null, { status, headers }), body: text },
      new Redactor([]),
      {
        endpoint: "GET /any",
        attempts: 2,
      },
    );

  test("the body as JSON, or else as text", () => {
    expect(errorFor('{"error":"no"}').body).toEqual({ error: "no" });
    expect(errorFor('{"error":"n').body).toBe('{"error":"n');
    expect(errorFor("").body).toBe("");
  });

  test("headers, request id and Retry-After, whatever the status", () => {
    const headers = { "x-request-id": "r-1", "retry-after": "2", "x-any": "1" };
    const error = errorFor("", headers);
    expect(error).toMatchObject({ requestId: "r-1", retryAfterMs: 2000, attempts: 2 });
    expect(error.headers?.get("x-any")).toBe("1");
  });

  test("nothing that was not told", () => {
    expect({ ...errorFor("") }).toEqual({
      code: "api",
      status: 422,
      outcome: "rejected",
      endpoint: "GET /any",
      attempts: 2,
    });
  });

  test("in JSON: the message, and neither headers nor body", () => {
    const json = JSON.parse(
      JSON.stringify(errorFor('{"error":"no","private":"p"}', { "x-a": "1" })),
    );
    expect(json).toEqual({
      name: "ApiError",
      message: "GET /any: 422: no",
      code: "api",
      status: 422,
      outcome: "rejected",
      endpoint: "GET /any",
      attempts: 2,
    });
  });
});
