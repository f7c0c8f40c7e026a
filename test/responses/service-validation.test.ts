import { describe, expect, test } from "vitest";
import { type ApiError, ValidationError } from "../../src/index.ts";
import { clientsOf, errorOf, message } from "../support/calls.ts";
import { answer, startLoopback } from "../support/loopback.ts";

const item = { code: "custom", message: "Invalid phone number", path: ["phoneNumber"] };
const detailed = {
  code: "too_big",
  message: "String must contain at most 160 character(s)",
  path: ["rcsPayload", "parts", 0],
  validation: "length",
  minimum: 1,
  maximum: 160,
  type: "string",
  inclusive: true,
  exact: false,
};

const failureOf = async <E = ValidationError>(body: unknown, status = 400): Promise<E> => {
  await using server = await startLoopback(answer(status, body, { "x-request-id": "r-7" }));
  const error = await errorOf<E>(clientsOf(server).rcs.sendRcsText(message));
  server.onlyRequest();
  return error;
};

describe("a 400 in the documented shape", () => {
  test("is a ValidationError of the service", async () => {
    const body = { error: "Validation failed", errors: [item, detailed] };
    const error = await failureOf(body);
    expect(error).toBeInstanceOf(ValidationError);
    expect({ ...error, name: error.name }).toEqual({
      name: "ValidationError",
      code: "validation",
      source: "service",
      outcome: "rejected",
      attempts: 1,
      callId: expect.any(String),
      endpoint: "POST /transactional_messages/send_rcs_text",
      status: 400,
      requestId: "r-7",
      errors: [item, detailed],
    });
    expect(error.body).toEqual(body);
    expect(error.headers?.get("x-request-id")).toBe("r-7");
    expect(error.message).toBe(
      "POST /transactional_messages/send_rcs_text: Validation failed: " +
        "phoneNumber: Invalid phone number; " +
        "rcsPayload.parts.0: String must contain at most 160 character(s)",
    );
  });

  test.each([{ errors: [item] }, { error: null, errors: [item] }, { error: 5, errors: [item] }])(
    "needs no `error`: %j",
    async (body) => {
      const error = await failureOf(body);
      expect(error).toMatchObject({ code: "validation", source: "service", errors: [item] });
      expect(error.message).toMatch(/send_rcs_text: phoneNumber: Invalid phone number$/);
    },
  );

  test("unknown keys of an item are left to `body`", async () => {
    const body = { errors: [{ ...item, received: "nan" }], traceId: "t-1" };
    const error = await failureOf(body);
    expect(error.errors).toEqual([item]);
    expect(error.body).toEqual(body);
  });

  test("an issue at the root has a path of no keys", async () => {
    const error = await failureOf({ errors: [{ ...item, path: [] }] });
    expect(error.errors).toEqual([{ ...item, path: [] }]);
    expect(error.message).toContain("input: Invalid phone number");
  });
});

describe("a 400 of any other shape", () => {
  test.each([
    ["no body", ""],
    ["a text", "Bad request"],
    ["HTML", "<html>"],
    ["null", "null"],
    ["an array", [item]],
    ["only an `error`", { error: "Bad request" }],
    ["`errors` as texts", { errors: ["Bad request"] }],
    ["`errors` by field", { errors: { phoneNumber: ["is bad"] } }],
    ["an item without a code", { errors: [{ message: "m", path: [] }] }],
    ["an item without a message", { errors: [{ code: "c", path: [] }] }],
    ["an item without a path", { errors: [{ code: "c", message: "m" }] }],
    ["a path that is a text", { errors: [{ ...item, path: "phoneNumber" }] }],
    ["a path of something else", { errors: [{ ...item, path: [{ key: "phoneNumber" }] }] }],
    ["one item of another shape", { errors: [item, null] }],
  ])("%s is an ApiError", async (_, body) => {
    const error = await failureOf<ApiError>(body);
    expect(error).not.toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({
      name: "ApiError",
      code: "api",
      status: 400,
      outcome: "rejected",
    });
    expect(error.body).toEqual(body === "null" ? null : body);
  });

  test("and so is the documented shape with another status", async () => {
    expect(await failureOf({ errors: [item] }, 422)).toMatchObject({ code: "api", status: 422 });
  });
});
