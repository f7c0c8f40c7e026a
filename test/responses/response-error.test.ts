import { describe, expect, test } from "vitest";
import { Redactor } from "../../src/responses/redact.ts";
import { toResponseError } from "../../src/responses/response-error.ts";

/** Returns the message of the error for a status and a body. */
const messageOf = (body: unknown, status = 422, init: ResponseInit = {}): string => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = new Response(null, { status, ...init });
  return toResponseError({ response, body: text }, new Redactor([])).message;
};

describe("the service's words in the message of an error", () => {
  test.each([
    [{ error: "Name is taken" }, "422: Name is taken"],
    [{ message: "Name is taken" }, "422: Name is taken"],
    [{ status: "error", error: "Bad input", message: "Name is taken" }, "422: Name is taken"],
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
  ])("the body %j gives the message %j", (body, expected) => {
    expect(messageOf(body)).toBe(expected);
  });

  test("the message of an error begins with the status and its text, followed by the service's words", () => {
    expect(messageOf({ error: "no" }, 404, { statusText: "Not Found" })).toBe("404 Not Found: no");
    expect(messageOf("", 502, { statusText: "Bad Gateway" })).toBe("502 Bad Gateway");
  });

  test("long words of the service are truncated", () => {
    const message = messageOf({ error: "no ".repeat(5000) });
    expect(message.length).toBeLessThan(320);
    expect(message).toMatch(/^422: no no .*…$/);
  });

  test("deeply nested words of the service cause no error", () => {
    const deep = `${"[".repeat(30_000)}${"]".repeat(30_000)}`;
    expect(messageOf(deep)).toBe("422");
  });
});

describe("400 responses in the documented shape", () => {
  const errorOf = (item: object) => {
    const body = { error: "Validation failed", errors: [item] };
    const response = new Response(null, { status: 400 });
    const error = toResponseError(
      { response, body: JSON.stringify(body) },
      new Redactor(["secret-text"]),
    );
    return "errors" in error ? error.errors : error;
  };
  const item = { code: "custom", message: "is wrong", path: ["phoneNumber"] };

  test("an issue keeps the service's details and no others", () => {
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
    "secrets in a name such as %j are redacted as in any other words",
    (name) => {
      const [told] = errorOf({ ...item, code: name, path: [name], validation: name }) as object[];
      const expected = name.replace("secret-text", "[redacted]");
      expect(told).toMatchObject({ code: expected, path: [expected], validation: expected });
    },
  );

  test("a 400 without issues gives an ApiError", () => {
    const response = new Response(null, { status: 400 });
    const error = toResponseError(
      { response, body: '{"error":"no","errors":[]}' },
      new Redactor([]),
    );
    expect(error.code).toBe("api");
  });
});

test.each([
  [300, "300: a redirect, which is not followed"],
  [399, "399: a redirect, which is not followed"],
  [400, "400: no"],
  [299, "299: no"],
])("the message for status %i is %j", (status, expected) => {
  expect(messageOf({ error: "no" }, status)).toBe(expected);
});

describe("fields of an error", () => {
  const errorFor = (text: string, headers: Record<string, string> = {}, status = 422) =>
    toResponseError(
      { response: new Response(null, { status, headers }), body: text },
      new Redactor([]),
    );

  test("an error has its body as parsed JSON or as a string", () => {
    expect(errorFor('{"error":"no"}').body).toEqual({ error: "no" });
    expect(errorFor('{"error":"n').body).toBe('{"error":"n');
    expect(errorFor("").body).toBe("");
  });

  test("an error has headers, request id and Retry-After for every status", () => {
    const headers = { "x-request-id": "r-1", "retry-after": "2", "x-any": "1" };
    const error = errorFor("", headers);
    expect(error).toMatchObject({ requestId: "r-1", retryAfterMs: 2000 });
    expect(error.headers?.get("x-any")).toBe("1");
  });

  test("an error has no properties for values that were not given", () => {
    expect({ ...errorFor("") }).toEqual({
      code: "api",
      status: 422,
      outcome: "rejected",
      attempts: 0,
    });
  });

  test("the JSON of an error has its message, but neither headers nor body", () => {
    const json = JSON.parse(
      JSON.stringify(errorFor('{"error":"no","private":"p"}', { "x-a": "1" })),
    );
    expect(json).toEqual({
      name: "ApiError",
      message: "422: no",
      code: "api",
      status: 422,
      outcome: "rejected",
      attempts: 0,
    });
  });
});
