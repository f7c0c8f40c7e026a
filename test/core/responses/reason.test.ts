// Names of frameworks: cspell:ignore Laravel
// Error bodies of frameworks and gateways, and the reason that the client's error quotes from each.
import { describe, expect, test } from "vitest";
import { Redactor } from "../../../src/core/responses/redact.ts";
import { toResponseError } from "../../../src/core/responses/response-error.ts";
import { expectLinear } from "../../support/growth.ts";

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  409: "Conflict",
  422: "Unprocessable Entity",
  429: "Too Many Requests",
  500: "Internal Server Error",
};

/** Returns the part of an error message after the status. */
const saidOf = (status: number, body: unknown, statusText = STATUS_TEXTS[status] ?? ""): string => {
  const response = new Response(null, { status, statusText });
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const { message } = toResponseError(
    { response, outcome: "rejected", body: text },
    new Redactor([]),
  );
  const start = statusText === "" ? `${status}` : `${status} ${statusText}`;
  expect(message.startsWith(start)).toBe(true);
  return message.slice(start.length).replace(/^: (?=.)/, "");
};

describe("the reason of an error, by framework", () => {
  test.each<[framework: string, status: number, body: unknown, reason: string]>([
    [
      "Fastify",
      400,
      {
        statusCode: 400,
        code: "FST_ERR_VALIDATION",
        error: "Bad Request",
        message: "body must have required property 'name'",
      },
      "body must have required property 'name'",
    ],
    [
      "NestJS",
      400,
      { statusCode: 400, error: "Bad Request", message: "name is required" },
      "name is required",
    ],
    [
      "NestJS with class-validator",
      400,
      {
        statusCode: 400,
        error: "Bad Request",
        message: ["name must be a string", "age must not be less than 18", "a", "b"],
      },
      "name must be a string; age must not be less than 18; a",
    ],
    ["NestJS without a reason", 404, { statusCode: 404, message: "Not Found" }, ""],
    [
      "hapi",
      400,
      {
        statusCode: 400,
        error: "Bad Request",
        message: "Invalid request payload input",
        validation: { source: "payload", keys: ["name"] },
      },
      "Invalid request payload input",
    ],
    [
      "hapi, hiding a failure",
      500,
      {
        statusCode: 500,
        error: "Internal Server Error",
        message: "An internal server error occurred",
      },
      "An internal server error occurred",
    ],
    [
      "Spring",
      400,
      {
        timestamp: "2026-01-01T00:00:00.000+00:00",
        status: 400,
        error: "Bad Request",
        message: "name is required",
        path: "/api/v2/lists",
      },
      "name is required",
    ],
    [
      "Spring, hiding the message",
      400,
      {
        timestamp: "2026-01-01T00:00:00.000+00:00",
        status: 400,
        error: "Bad Request",
        message: "",
        path: "/api/v2/lists",
      },
      "",
    ],
    [
      "Spring with binding errors",
      400,
      {
        status: 400,
        error: "Bad Request",
        errors: [
          {
            codes: ["NotBlank.list.name", "NotBlank"],
            arguments: [{ code: "name" }],
            defaultMessage: "must not be blank",
            objectName: "list",
            field: "name",
            code: "NotBlank",
          },
        ],
        path: "/api/v2/lists",
      },
      "name must not be blank",
    ],
    [
      "problem details (RFC 9457)",
      403,
      {
        title: "You do not have enough credit.",
        detail: "Your current balance is 30, but that costs 50.",
      },
      "Your current balance is 30, but that costs 50.",
    ],
    [
      "problem details with errors (RFC 9457)",
      422,
      {
        title: "Your request is not valid.",
        errors: [
          { detail: "must be a positive integer", pointer: "#/age" },
          { detail: "must be 'green', 'red' or 'blue'", pointer: "#/profile/color" },
        ],
      },
      "Your request is not valid: #/age must be a positive integer; #/profile/color must be 'green', 'red' or 'blue'",
    ],
    [
      "problem details with invalid-params (RFC 7807)",
      400,
      {
        type: "https://example.net/validation-error",
        title: "Bad Request",
        "invalid-params": [{ name: "age", reason: "must be a positive integer" }],
      },
      "age must be a positive integer",
    ],
    [
      "problem details with invalid_params",
      400,
      { title: "Bad Request", invalid_params: [{ name: "age", reason: "must be positive" }] },
      "age must be positive",
    ],
    [
      "ASP.NET",
      400,
      {
        type: "https://tools.ietf.org/html/rfc9110#section-15.5.1",
        title: "One or more validation errors occurred.",
        status: 400,
        errors: { Name: ["The Name field is required."] },
        traceId: "00-0af7-b7-00",
      },
      "One or more validation errors occurred: Name: The Name field is required.",
    ],
    ["Django (DRF)", 404, { detail: "Not found." }, ""],
    [
      "Django (DRF) by field",
      400,
      { name: ["This field is required."], email_digest: ["Enter a valid email address."] },
      "name: This field is required.; email_digest: Enter a valid email address.",
    ],
    ["FastAPI", 404, { detail: "List not found" }, "List not found"],
    [
      "FastAPI by field",
      422,
      {
        detail: [
          { type: "missing", loc: ["body", "name"], msg: "Field required", input: {} },
          { type: "int_type", loc: ["body", "steps", 0, "hour"], msg: "must be an integer" },
        ],
      },
      "body.name: Field required; body.steps.0.hour must be an integer",
    ],
    [
      "AWS API Gateway",
      403,
      { Message: "User is not authorized to access this resource" },
      "User is not authorized to access this resource",
    ],
    ["AWS API Gateway, denied", 403, { message: "Forbidden" }, ""],
    [
      "JSON:API",
      422,
      {
        errors: [
          {
            status: "422",
            source: { pointer: "/data/attributes/name" },
            title: "Invalid Attribute",
            detail: "must contain at least two characters.",
          },
          { status: "422", source: { parameter: "page" }, title: "Invalid Query Parameter" },
        ],
      },
      "/data/attributes/name must contain at least two characters.; page: Invalid Query Parameter",
    ],
    [
      "OAuth",
      400,
      { error: "invalid_grant", error_description: "The code has expired" },
      "The code has expired",
    ],
    ["OAuth without a description", 400, { error: "invalid_grant" }, "invalid_grant"],
    [
      "Google",
      400,
      { error: { code: 400, message: "Invalid page", status: "INVALID_ARGUMENT" } },
      "Invalid page",
    ],
    [
      "Rails",
      422,
      { errors: { name: ["can't be blank"], age: ["is too short", "is odd"] } },
      "name can't be blank; age is too short; is odd",
    ],
    ["Rails by default", 404, { status: 404, error: "Not Found" }, ""],
    [
      "Laravel",
      422,
      { message: "The name field is required.", errors: { name: ["The name field is required."] } },
      "The name field is required.",
    ],
    [
      "express-validator",
      400,
      { errors: [{ type: "field", msg: "Invalid value", path: "email", location: "body" }] },
      "email: Invalid value",
    ],
    [
      "Salesforce",
      400,
      [{ message: "Required fields are missing", errorCode: "X" }],
      "Required fields are missing",
    ],
    [
      "Boom within an object",
      409,
      { error: { error: { message: "Name is taken" } } },
      "Name is taken",
    ],
    [
      "the version 2 of the fake",
      422,
      { status: "error", error: "Name is taken" },
      "Name is taken",
    ],
    ["a list of everything", 400, { errors: ["a", "b", "c", "d"] }, "a; b; c"],
    [
      "more fields than three",
      400,
      { errors: { a: ["x"], b: ["x"], c: ["x"], d: ["x"] } },
      "a x; b x; c x",
    ],
    ["other data", 400, { code: 17, path: "/x", data: [{ name: "Anna" }], ids: [1, 2] }, ""],
    ["HTML in a field", 400, { message: "<html>no</html>", error: "Bad Request" }, ""],
    ["an empty error", 422, { error: "", message: "Name is taken" }, "Name is taken"],
    ["null as the error", 422, { error: null, message: "Name is taken" }, "Name is taken"],
    ["errors of two kinds", 422, { errors: [{ message: "a" }, { error: "no" }] }, "a; no"],
    [
      "fields of one error",
      422,
      { errors: { a: "is taken", b: ["is bad"] } },
      "a is taken; b is bad",
    ],
    ["a list", 422, ["Name is taken"], "Name is taken"],
    ["text", 422, "  Name\r\n is\ttaken  ", "Name is taken"],
    ["a string of JSON", 422, '"Name is taken"', "Name is taken"],
    ["white space", 422, "   ", ""],
    ["HTML", 422, "\n <!doctype html><h1>Unprocessable</h1>", ""],
    ["an empty object", 422, {}, ""],
    ["an empty list", 422, [], ""],
    ["no errors", 422, { errors: [] }, ""],
    ["no fields with errors", 422, { errors: {} }, ""],
    ["null", 422, "null", ""],
    ["a number", 422, "5", ""],
    ["a number as the error", 422, { error: 5 }, ""],
  ])("%s", (_, status, body, reason) => {
    expect(saidOf(status, body)).toBe(reason);
  });

  test("over HTTP/2, which has no status text, the reason still comes first", () => {
    expect(saidOf(400, { error: "Bad Request", message: "name is required" }, "")).toBe(
      "name is required",
    );
    const items = { error: "Bad Request", message: ["name is required"] };
    expect(saidOf(400, items, "")).toBe("Bad Request: name is required");
  });

  test("a deep or a large body is searched in linear time", () => {
    const deep = (depth: number) => JSON.parse(`${'{"error":'.repeat(depth)}1${"}".repeat(depth)}`);
    const wide = (length: number) => ({
      errors: Array.from({ length }, () => ({ code: 1, items: [[{}], {}] })),
    });
    const search = (body: unknown) => expect(saidOf(400, body)).toBe("");
    expectLinear(search, deep, 2000);
    expectLinear(search, wide, 20_000);
  });
});
