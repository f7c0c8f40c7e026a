import {
  type AbortError,
  type AnyMessagingServiceError,
  ApiError,
  type AuthenticationError,
  type ConnectionError,
  LedgerError,
  MessagingServiceError,
  NotFoundError,
  type Outcome,
  type PermissionDeniedError,
  RateLimitError,
  type RecipientError,
  type ResponseValidationError,
  type ServerError,
  type ThrottleError,
  TimeoutError,
  ValidationError,
  type ValidationIssue,
} from "messaging-service-client";
import { describe, expectTypeOf, test } from "vitest";

declare const error: AnyMessagingServiceError;
declare const caught: unknown;

describe("switch (error.code)", () => {
  test("error.code narrows to each class, and the switch is exhaustive", () => {
    switch (error.code) {
      case "validation":
        expectTypeOf(error).toEqualTypeOf<ValidationError>();
        break;
      case "api":
        expectTypeOf(error).toExtend<ApiError>();
        expectTypeOf(error.status).toEqualTypeOf<number>();
        break;
      case "authentication":
        expectTypeOf(error).toEqualTypeOf<AuthenticationError>();
        break;
      case "permission_denied":
        expectTypeOf(error).toEqualTypeOf<PermissionDeniedError>();
        break;
      case "not_found":
        expectTypeOf(error).toEqualTypeOf<NotFoundError>();
        break;
      case "rate_limit":
        expectTypeOf(error).toEqualTypeOf<RateLimitError>();
        break;
      case "server":
        expectTypeOf(error).toEqualTypeOf<ServerError>();
        break;
      case "connection":
        expectTypeOf(error).toEqualTypeOf<ConnectionError>();
        break;
      case "timeout":
        expectTypeOf(error).toEqualTypeOf<TimeoutError>();
        break;
      case "throttle":
        expectTypeOf(error).toEqualTypeOf<ThrottleError>();
        break;
      case "recipient":
        expectTypeOf(error).toEqualTypeOf<RecipientError>();
        break;
      case "abort":
        expectTypeOf(error).toEqualTypeOf<AbortError>();
        break;
      case "response_validation":
        expectTypeOf(error).toEqualTypeOf<ResponseValidationError>();
        break;
      case "ledger":
        expectTypeOf(error).toEqualTypeOf<LedgerError>();
        expectTypeOf(error.reason).toEqualTypeOf<
          "in_progress" | "in_doubt" | "rejected_before" | "changed" | "unavailable"
        >();
        break;
      default:
        expectTypeOf(error).toBeNever();
    }
  });

  test("a misspelled error.code does not compile", () => {
    // @ts-expect-error: it is "not_found"
    if (error.code === "notfound") throw error;
  });
});

describe("error.name", () => {
  test("error.name narrows to each class", () => {
    if (error.name === "ApiError") expectTypeOf(error.code).toEqualTypeOf<"api">();
    if (error.name === "NotFoundError") expectTypeOf(error).toEqualTypeOf<NotFoundError>();
    if (error.name === "ThrottleError") expectTypeOf(error).toEqualTypeOf<ThrottleError>();
    if (error.name === "ValidationError") expectTypeOf(error).toEqualTypeOf<ValidationError>();
    // @ts-expect-error: it is "NotFoundError"
    if (error.name === "NotFound") throw error;
  });
});

test("status and retryAfterMs can be read from the union of errors", () => {
  expectTypeOf(error.status).toEqualTypeOf<number | undefined>();
  expectTypeOf(error.retryAfterMs).toEqualTypeOf<number | undefined>();
  expectTypeOf(error.callId).toEqualTypeOf<string | undefined>();
});

test("an application can construct errors in its tests", () => {
  const response = { status: 404, headers: new Headers(), body: {} };
  expectTypeOf(new NotFoundError("404", "rejected", response)).toExtend<ApiError>();
  expectTypeOf(new TimeoutError("attempt", 30_000, "unknown")).toExtend<Error>();
});

describe("is()", () => {
  test("is() of the base class narrows to the union", () => {
    if (MessagingServiceError.is(caught)) {
      expectTypeOf(caught).toEqualTypeOf<AnyMessagingServiceError>();
    }
  });

  test("is() of ApiError narrows to ApiError and its subclasses", () => {
    if (ApiError.is(caught))
      expectTypeOf(caught).toEqualTypeOf<Extract<AnyMessagingServiceError, ApiError>>();
  });

  test("is() of any other class narrows to that class", () => {
    if (ValidationError.is(caught)) expectTypeOf(caught).toEqualTypeOf<ValidationError>();
    if (LedgerError.is(caught)) expectTypeOf(caught).toEqualTypeOf<LedgerError>();
  });

  test("is() can be passed to filter()", () => {
    const failures = [caught].filter((value) => NotFoundError.is(value));
    expectTypeOf(failures).toEqualTypeOf<NotFoundError[]>();
  });
});

test("instanceof narrows to the class of an error", () => {
  if (caught instanceof MessagingServiceError)
    expectTypeOf(caught.outcome).toEqualTypeOf<Outcome>();
  if (caught instanceof RateLimitError) {
    expectTypeOf(caught).toEqualTypeOf<RateLimitError>();
    expectTypeOf(caught.retryAfterMs).toEqualTypeOf<number | undefined>();
  }
});

describe("properties of errors", () => {
  test("every error has the common properties", () => {
    expectTypeOf<AnyMessagingServiceError>().toExtend<MessagingServiceError & Error>();
    expectTypeOf(error.outcome).toEqualTypeOf<"not_sent" | "rejected" | "unknown" | "done">();
    expectTypeOf(error.endpoint).toEqualTypeOf<string | undefined>();
    expectTypeOf(error.attempts).toEqualTypeOf<number>();
    expectTypeOf(error.resume?.page).toEqualTypeOf<number | undefined>();
  });

  test("each error class has its own properties", () => {
    expectTypeOf<ValidationError["name"]>().toEqualTypeOf<"ValidationError">();
    expectTypeOf<ValidationError["errors"]>().toEqualTypeOf<readonly ValidationIssue[]>();
    expectTypeOf<ValidationError["source"]>().toEqualTypeOf<"client" | "service">();
    expectTypeOf<ValidationError["headers"]>().toEqualTypeOf<Headers | undefined>();
    expectTypeOf<ApiError["headers"]>().toEqualTypeOf<Headers>();
    expectTypeOf<ApiError["body"]>().toBeUnknown();
    expectTypeOf<TimeoutError["phase"]>().toEqualTypeOf<"attempt" | "total">();
    expectTypeOf<ThrottleError["reason"]>().toEqualTypeOf<"max_wait" | "held" | "unavailable">();
    expectTypeOf<ResponseValidationError["issues"]>().toEqualTypeOf<readonly ValidationIssue[]>();
  });

  test("the properties of errors are read-only", () => {
    // @ts-expect-error: the property is read-only
    error.outcome = "done";
  });
});
