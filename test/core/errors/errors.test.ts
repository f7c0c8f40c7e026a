import { inspect } from "node:util";
import { describe, expect, test, vi } from "vitest";
import * as errors from "../../../src/index.ts";

const {
  AbortError,
  ApiError,
  AuthenticationError,
  ConnectionError,
  LedgerError,
  MessagingServiceError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  RecipientError,
  ResponseValidationError,
  ServerError,
  ThrottleError,
  TimeoutError,
  ValidationError,
} = errors;

const SECRET = "sesame-1f9c";
const response = (status: number, details: object = {}) => ({
  status,
  headers: new Headers({ "x-note": `header-${SECRET}` }),
  body: { note: `body-${SECRET}`, nested: [{ SECRET }] },
  requestId: "req-1",
  ...details,
});
const issue = { code: "custom", path: ["name"], message: "must be a string" };

const API_CLASSES = {
  ApiError,
  AuthenticationError,
  PermissionDeniedError,
  NotFoundError,
  RateLimitError,
  ServerError,
};
const api = (name: keyof typeof API_CLASSES, status: number) =>
  new API_CLASSES[name](`${status}: refused`, "rejected", response(status));

/** An error of each class, with its name and code. */
const ONE_OF_EACH: readonly (readonly [
  name: string,
  code: string,
  error: errors.MessagingServiceError,
])[] = [
  ["ValidationError", "validation", new ValidationError([issue], { response: response(400) })],
  ["ApiError", "api", api("ApiError", 422)],
  ["AuthenticationError", "authentication", api("AuthenticationError", 401)],
  ["PermissionDeniedError", "permission_denied", api("PermissionDeniedError", 403)],
  ["NotFoundError", "not_found", api("NotFoundError", 404)],
  ["RateLimitError", "rate_limit", api("RateLimitError", 429)],
  ["ServerError", "server", api("ServerError", 503)],
  ["ConnectionError", "connection", new ConnectionError("lost", "unknown")],
  ["TimeoutError", "timeout", new TimeoutError("attempt", 500, "unknown")],
  ["ThrottleError", "throttle", new ThrottleError("max_wait")],
  ["RecipientError", "recipient", new RecipientError("failed", { cause: new Error(SECRET) })],
  ["AbortError", "abort", new AbortError("aborted", "not_sent")],
  [
    "ResponseValidationError",
    "response_validation",
    new ResponseValidationError("200, but its body is HTML", "unknown", {
      status: 200,
      body: `body-${SECRET}`,
      issues: [issue],
    }),
  ],
  ["LedgerError", "ledger", new LedgerError("unavailable", { cause: new Error(SECRET) })],
];

type AnyClass = { readonly name: string; is(value: unknown): boolean };
const CLASSES = Object.entries(errors)
  .filter(([name]) => name.endsWith("Error"))
  .map(([, Class]) => Class) as unknown as readonly AnyClass[];

/** Returns the names of an error's classes, starting with the base class. */
const classesOf = (name: string): readonly string[] => [
  "MessagingServiceError",
  ...(name in API_CLASSES && name !== "ApiError" ? ["ApiError"] : []),
  name,
];

describe.each(ONE_OF_EACH)("%s", (name, code, error) => {
  test("the error has its literal name and code, and is an instance of Error", () => {
    expect(error).toMatchObject({ name, code });
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toBe(`${name}: ${error.message}`);
    expect(error.stack).toMatch(new RegExp(`^${name}: `));
  });

  test("`is` and `instanceof` of an error class and its base classes recognize the error", () => {
    const recognized = (test: (Class: AnyClass) => boolean) =>
      CLASSES.filter(test).map((Class) => Class.name);
    expect(recognized((Class) => Class.is(error)).sort()).toEqual([...classesOf(name)].sort());
    expect(recognized((Class) => error instanceof (Class as never)).sort()).toEqual(
      [...classesOf(name)].sort(),
    );
  });

  test("`is` of an error class can be passed as a callback", () => {
    const { is } = CLASSES.find((Class) => Class.name === name) as AnyClass;
    expect([error, new Error("another"), undefined].filter(is)).toEqual([error]);
  });

  test("an error shows neither body nor headers, however it is printed", () => {
    const shown = [
      JSON.stringify(error),
      JSON.stringify({ ...error }),
      inspect(error, { showHidden: true, depth: Number.POSITIVE_INFINITY }),
      inspect({ nested: { error } }, { showHidden: true, depth: Number.POSITIVE_INFINITY }),
      inspect(structuredClone(error), { showHidden: true, depth: Number.POSITIVE_INFINITY }),
      String(error),
      `${error.stack}`,
    ];
    for (const text of shown) expect(text).not.toContain(SECRET);
    expect(inspect(error)).toMatch(new RegExp(`^${name}: `));
    expect(inspect({ nested: { error } })).not.toMatch(/cause|\[Array\]|\[Object\]/);
  });

  test("the JSON of an error has its name, message, code, outcome and attempts", () => {
    const { outcome, attempts } = error;
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      name,
      code,
      message: error.message,
      outcome,
      attempts,
    });
    expect(JSON.stringify(error)).not.toContain('"stack"');
  });
});

describe("values that are not errors of this package", () => {
  test.each([
    null,
    undefined,
    "ValidationError",
    5,
    {},
    { code: "validation" },
    { name: "ValidationError", code: "validation" },
    new Error("plain"),
    Object.assign(new Error("plain"), { code: "not_found" }),
    new DOMException("aborted", "AbortError"),
    () => {},
  ])("`is` of every class rejects value %#", (value) => {
    for (const Class of CLASSES) {
      expect(Class.is(value)).toBe(false);
      expect((value as unknown) instanceof (Class as never)).toBe(false);
    }
  });
});

test("the ESM and CommonJS copies of the package recognize each other's errors", async () => {
  vi.resetModules();
  const other = await import("../../../src/index.ts");
  expect(other.NotFoundError).not.toBe(NotFoundError);
  const mine = api("NotFoundError", 404);
  const theirs = new other.NotFoundError("404", "rejected", response(404));
  for (const [error, copy] of [
    [mine, other],
    [theirs, errors],
  ] as const) {
    expect(copy.NotFoundError.is(error)).toBe(true);
    expect(error instanceof copy.NotFoundError).toBe(true);
    expect(error instanceof copy.ApiError).toBe(true);
    expect(error instanceof copy.MessagingServiceError).toBe(true);
    expect(copy.RateLimitError.is(error)).toBe(false);
    expect(error instanceof copy.ValidationError).toBe(false);
  }
});

describe("an application's subclass of an error", () => {
  class MissingListError extends NotFoundError {}
  const mine = new MissingListError("404", "rejected", response(404));

  test("`is` and `instanceof` of a subclass and its base classes recognize an instance of the subclass", () => {
    for (const Class of [MissingListError, NotFoundError, ApiError, MessagingServiceError]) {
      expect(mine instanceof Class).toBe(true);
      expect(Class.is(mine)).toBe(true);
    }
    expect(mine instanceof ServerError).toBe(false);
    expect(ServerError.is(mine)).toBe(false);
  });

  test("`is` of a subclass rejects an error of its base class", () => {
    expect(api("NotFoundError", 404) instanceof MissingListError).toBe(false);
  });

  test("a subclass of MessagingServiceError keeps its own code", () => {
    class QuotaError extends MessagingServiceError {
      readonly code = "quota";
    }
    const quota = new QuotaError("over", "not_sent");
    expect(quota instanceof QuotaError && quota instanceof MessagingServiceError).toBe(true);
    expect(quota instanceof ApiError || quota instanceof ValidationError).toBe(false);
    expect(api("ApiError", 422) instanceof QuotaError).toBe(false);
  });
});

test("an error of an application's own subclass prints as the subclass defines", () => {
  class Own extends ConnectionError {
    [inspect.custom](): string {
      return "own text";
    }
  }
  expect(inspect(new Own("lost", "unknown"))).toBe("own text");
});
