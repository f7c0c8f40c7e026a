import type { ValidationIssue } from "../../core/errors.ts";
import type { Endpoint } from "../../core/wire/endpoint.ts";
import type { FakeRequest, FakeResponse } from "../fake/exchange.ts";
import type { FakeAccount } from "../fake/store.ts";
import type { FakeWorld } from "../fake/world.ts";

/** Call whose credentials, query and body are valid. */
export interface HandledCall<Input> {
  readonly world: FakeWorld;
  readonly account: FakeAccount;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Input extends { readonly query?: infer Query } ? NonNullable<Query> : unknown;
  readonly body: Input extends { readonly body: infer Body } ? Body : unknown;
}

export interface HandledEndpoint<Input = never> {
  readonly endpoint: Endpoint;
  readonly respond: (call: HandledCall<Input>) => FakeResponse;
}

/** Pairs an endpoint with its handler; the types of a call follow from the endpoint. */
export const handle = <Input>(
  endpoint: Endpoint<Input>,
  respond: HandledEndpoint<Input>["respond"],
): HandledEndpoint => ({ endpoint, respond });

/** Differences between the two APIs, apart from the behavior of their endpoints. */
export interface FakeApi {
  readonly name: "v2" | "transactional";
  readonly handlers: readonly HandledEndpoint[];
  readonly admits: (request: FakeRequest, account: FakeAccount) => boolean;
  readonly error: (status: number, error: string, headers?: Record<string, string>) => FakeResponse;
  readonly invalid: (errors: readonly ValidationIssue[]) => FakeResponse;
}
