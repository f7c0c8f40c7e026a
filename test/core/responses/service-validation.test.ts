import { describe, expect, test } from "vitest";
import {
  type ApiError,
  type ClientEvent,
  ValidationError,
  type ValidationIssue,
} from "../../../src/index.ts";
import { API_KEY, clientsOf, E164, errorOf, message } from "../../support/calls.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";

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
  await using server = await startLoopback(respond(status, body, { "x-request-id": "r-7" }));
  const error = await errorOf<E>(clientsOf(server).rcs.sendRcsText(message));
  server.onlyRequest();
  return error;
};

describe("400 responses in the documented shape", () => {
  test("a 400 in the documented shape gives a ValidationError with the source service", async () => {
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
    "a documented 400 does not require `error`: %j",
    async (body) => {
      const error = await failureOf(body);
      expect(error).toMatchObject({ code: "validation", source: "service", errors: [item] });
      expect(error.message).toMatch(/send_rcs_text: phoneNumber: Invalid phone number$/);
    },
  );

  test("unknown keys of an issue are only in `body`", async () => {
    const body = { errors: [{ ...item, received: "nan" }], traceId: "t-1" };
    const error = await failureOf(body);
    expect(error.errors).toEqual([item]);
    expect(error.body).toEqual(body);
  });

  test("an issue at the root has an empty path", async () => {
    const error = await failureOf({ errors: [{ ...item, path: [] }] });
    expect(error.errors).toEqual([{ ...item, path: [] }]);
    expect(error.message).toContain("input: Invalid phone number");
  });
});

describe("400 responses in other shapes", () => {
  test.each([
    ["no body", ""],
    ["a string", "Bad request"],
    ["HTML", "<html>"],
    ["null", "null"],
    ["an array", [item]],
    ["only an `error`", { error: "Bad request" }],
    ["no item", { error: "Bad request", errors: [] }],
    ["`errors` as strings", { errors: ["Bad request"] }],
    ["`errors` by field", { errors: { phoneNumber: ["is bad"] } }],
    ["an item without a code", { errors: [{ message: "m", path: [] }] }],
    ["an item without a message", { errors: [{ code: "c", path: [] }] }],
    ["an item without a path", { errors: [{ code: "c", message: "m" }] }],
    ["a path that is a string", { errors: [{ ...item, path: "phoneNumber" }] }],
    ["a path of objects", { errors: [{ ...item, path: [{ key: "phoneNumber" }] }] }],
    ["one item of a different shape", { errors: [item, null] }],
  ])("a 400 with %s gives an ApiError", async (_, body) => {
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

  test("the documented shape with a status other than 400 gives an ApiError", async () => {
    expect(await failureOf({ errors: [item] }, 422)).toMatchObject({ code: "api", status: 422 });
  });
});

describe("secrets in the issues of a 400", () => {
  const SECRET = message.rcsPayload.text;
  const failureWith = async (details: object) =>
    (await failureOf({ errors: [{ ...item, ...details }] })).errors[0];

  test.each(["minimum", "maximum"])(
    "%s of an issue is kept only if it is a number",
    async (name) => {
      expect(await failureWith({ [name]: 160 })).toEqual({ ...item, [name]: 160 });
      for (const value of [SECRET, [SECRET], { SECRET }, true, null]) {
        expect(await failureWith({ [name]: value })).toEqual(item);
      }
    },
  );

  test.each(["inclusive", "exact"])(
    "%s of an issue is kept only if it is a boolean",
    async (name) => {
      expect(await failureWith({ [name]: false })).toEqual({ ...item, [name]: false });
      for (const value of [SECRET, 1, { SECRET }, null]) {
        expect(await failureWith({ [name]: value })).toEqual(item);
      }
    },
  );

  test("a code, path, validation or type that equals a sent text is redacted", async () => {
    await using server = await startLoopback(
      respond(400, {
        errors: [{ ...item, code: "Hush", path: ["Hush", 0], validation: "Hush", type: "Hush" }],
      }),
    );
    const rcs = clientsOf(server).rcs;
    const error = await errorOf<ValidationError>(
      rcs.sendRcsText({ ...message, rcsPayload: { text: "Hush" } }),
    );
    const hidden = "[redacted]";
    const { code, path, validation, type } = error.errors[0] as ValidationIssue;
    expect([code, ...path, validation, type]).toEqual([hidden, hidden, 0, hidden, hidden]);
  });

  test("names from the specification are kept even if a sent text equals one", async () => {
    const issue = { ...item, code: "custom", path: ["rcsPayload", "text"] };
    await using server = await startLoopback(respond(400, { errors: [issue] }));
    const rcs = clientsOf(server).rcs;
    const sent = { ...message, rcsPayload: { text: "text" }, smsFailover: "custom" };
    const error = await errorOf<ValidationError>(rcs.sendRcsText(sent));
    expect(error.errors).toMatchObject([{ code: "custom", path: ["rcsPayload", "text"] }]);
  });
});

test("a request id that repeats a credential or a text is redacted in errors and events", async () => {
  const events: ClientEvent[] = [];
  const echo = `r-${API_KEY}-${E164}`;
  await using server = await startLoopback(respond(404, "", { "x-request-id": echo }));
  const { rcs } = clientsOf(server, { onEvent: (event) => void events.push(event) });
  const error = await errorOf<ApiError>(rcs.sendRcsText({ ...message, phoneNumber: E164 }));
  expect(error.requestId).toBe("r-[redacted]-[redacted]");
  expect(JSON.stringify(events)).not.toContain(API_KEY);
});

test.each([
  ["in the documented shape", 400, (words: string) => ({ error: words, errors: [item] })],
  ["in an issue", 400, (words: string) => ({ errors: [{ ...item, message: words }] })],
  ["of a different status", 503, (words: string) => ({ error: words })],
  ["of a success", 200, (words: string) => ({ status: "error", error: words })],
])("control characters are removed from a message %s", async (_, status, bodyOf) => {
  const forged = "no\u0000\u001b[2J\r\n2026-11-21 INFO all is well\u202e\u2066";
  const error = await failureOf(bodyOf(forged), status);
  expect(error.message).toContain("no[2J 2026-11-21 INFO all is well");
  expect(error.message).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
});
