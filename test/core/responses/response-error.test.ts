import { describe, expect, test } from "vitest";
import { Redactor } from "../../../src/core/responses/redact.ts";
import { toResponseError } from "../../../src/core/responses/response-error.ts";

/** Returns the message of the error for a status and a body. */
const messageOf = (body: unknown, status = 422, init: ResponseInit = {}): string => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = new Response(null, { status, ...init });
  return toResponseError({ response, outcome: "rejected", body: text }, new Redactor([])).message;
};

describe("the service's words in the message of an error", () => {
  test("the message of an error begins with the status and its text, followed by the service's words", () => {
    expect(messageOf({ error: "no" }, 404, { statusText: "Not Found" })).toBe("404 Not Found: no");
    expect(messageOf("", 502, { statusText: "Bad Gateway" })).toBe("502 Bad Gateway");
  });

  test("long words of the service are truncated", () => {
    const message = messageOf({ error: "no ".repeat(5000) });
    expect(message.length).toBeLessThan(320);
    expect(message).toMatch(/^422: no no .*…$/);
  });
});

describe("400 responses in the documented shape", () => {
  const errorOf = (item: object) => {
    const body = { error: "Validation failed", errors: [item] };
    const response = new Response(null, { status: 400 });
    const error = toResponseError(
      { response, outcome: "rejected", body: JSON.stringify(body) },
      new Redactor(["secret-text"]),
    );
    return "errors" in error ? error.errors : error;
  };
  const item = { code: "custom", message: "is wrong", path: ["phoneNumber"] };

  test.each(["secret-text", "too_big secret-text", "secret-text_x", "", "a".repeat(41)])(
    "secrets in a name such as %j are redacted as in any other words",
    (name) => {
      const [told] = errorOf({ ...item, code: name, path: [name], validation: name }) as object[];
      const expected = name.replace("secret-text", "[redacted]");
      expect(told).toMatchObject({ code: expected, path: [expected], validation: expected });
    },
  );
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
      { response: new Response(null, { status, headers }), outcome: "rejected", body: text },
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
