import type { ValidationIssue } from "../../errors.ts";

/** Request as every entry point passes it to the fake service. */
export interface FakeRequest {
  /** HTTP method. */
  readonly method: string;
  /** Path as it was sent, percent-encoded and without the query. */
  readonly path: string;
  /** Query parameters, decoded. */
  readonly query: Readonly<Record<string, string>>;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body as a string; empty when there is none. */
  readonly body: string;
}

/** Response as the fake service passes it to every entry point. */
export interface FakeResponse {
  /** HTTP status; 0 when no response is sent. */
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body as a string. */
  readonly body: string;
  /**
   * Way in which the response arrives: whole, never, only its beginning (`stalls`), or not at all because the
   * connection breaks. Default: `whole`.
   */
  readonly arrives?: "whole" | "never" | "stalls" | "breaks";
  /** Real time in milliseconds before the response is sent. Default: 0. */
  readonly delayMs?: number;
  /** Method and path template of the endpoint; absent when no route matches. */
  readonly endpoint?: string;
  /** Validation errors that the body reports. Default: none. */
  readonly errors?: readonly ValidationIssue[];
}

/** Builds a response with a JSON body. */
export const jsonResponse = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): FakeResponse => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

/** Builds an error response of version 2. The specification does not show its shape; this one is the fake's own. */
export const v2Error = (status: number, error: string, headers?: Record<string, string>) =>
  jsonResponse(status, { status: "error", error }, headers);

/** Builds the response of version 2 to a query or body that breaks a rule; its shape is the fake's own. */
export const v2Invalid = (errors: readonly ValidationIssue[]): FakeResponse => {
  const fields = errors.map(({ path, message }) => [path.join("."), message]);
  const error = fields.map((field) => field.filter(Boolean).join(" ")).join("; ");
  return { ...v2Error(422, error), errors };
};

/** Builds the HTTP 400 of version 3 (specification: "Validation error"). */
export const validationResponse = (errors: readonly ValidationIssue[]): FakeResponse => ({
  ...jsonResponse(400, { error: "Validation failed", errors }),
  errors,
});
