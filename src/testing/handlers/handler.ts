import type { ValidationIssue } from "../../errors.ts";
import type { Endpoint } from "../../wire/endpoint.ts";
import type { FakeAccount } from "../fake/store.ts";
import type { FakeWorld } from "../fake/world.ts";

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

/** Call whose credentials, query and body are valid. */
export interface HandledCall<Input> {
  readonly world: FakeWorld;
  readonly account: FakeAccount;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Input extends { readonly query?: infer Query } ? NonNullable<Query> : unknown;
  readonly body: Input extends { readonly body: infer Body } ? Body : unknown;
}

/** Behavior of one endpoint. */
export interface Handler {
  readonly endpoint: Endpoint;
  readonly respond: (call: HandledCall<never>) => FakeResponse;
  /** Yields the issues of a body that only the service can find; they are reported together with those of the schema. */
  readonly refine?: ((world: FakeWorld, body: unknown) => Iterable<ValidationIssue>) | undefined;
  /** Returns whether the service ignores an issue of the schema. */
  readonly ignores?: ((issue: ValidationIssue) => boolean) | undefined;
}

/** Declares the behavior of an endpoint; the types of a call follow from it. */
export const handler = <Input>(
  endpoint: Endpoint<Input>,
  respond: (call: HandledCall<Input>) => FakeResponse,
  rules: Pick<Handler, "refine" | "ignores"> = {},
): Handler => ({ endpoint, respond: respond as Handler["respond"], ...rules });
