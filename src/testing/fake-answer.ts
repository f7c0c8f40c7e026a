import type { ValidationIssue } from "../errors/validation-issue.ts";

/** What a door of the fake service was asked. */
export interface FakeRequest {
  /** HTTP method. */
  readonly method: string;
  /** The path, as it was sent. */
  readonly path: string;
  /** Query parameters, decoded. */
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text. */
  readonly body: string;
}

/** What a door is to answer. */
export interface FakeAnswer {
  /** HTTP status. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text. */
  readonly body: string;
  /** How it arrives: whole; never; only its beginning, and then nothing; or the connection breaks. Default: whole. */
  readonly arrives?: "whole" | "never" | "stalls" | "breaks";
  /** Milliseconds of real time before it is sent. Default: 0. */
  readonly delayMs?: number;
  /** Method and path template of the endpoint; absent where there is no such route. */
  readonly endpoint?: string;
}

export const jsonAnswer = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): FakeAnswer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

/** An error of version 2. Its shape is not documented; this one is the fake's own. */
export const v2Error = (status: number, error: string, headers?: Record<string, string>) =>
  jsonAnswer(status, { status: "error", error }, headers);

/** A query or body that version 2 refuses; like {@link v2Error}, the fake's own. */
export const v2Invalid = (errors: readonly ValidationIssue[]): FakeAnswer => {
  const fields = errors.map(({ path, message }) => [path.join("."), message]);
  return v2Error(422, fields.map((field) => field.filter(Boolean).join(" ")).join("; "));
};

/** HTTP 400 of version 3 (specification: "Validation error"). */
export const validationAnswer = (errors: readonly ValidationIssue[]): FakeAnswer =>
  jsonAnswer(400, { error: "Validation failed", errors });
