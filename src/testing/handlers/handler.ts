import type { ValidationIssue } from "../../errors.ts";
import type { Endpoint } from "../../wire/endpoint.ts";
import type { FakeResponse } from "../exchange/fake-response.ts";
import type { FakeAccount } from "../resources/stored-list.ts";
import type { FakeWorld } from "../world.ts";

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
