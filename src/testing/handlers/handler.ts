import type { ValidationIssue } from "../../errors/validation-issue.ts";
import type { Endpoint } from "../../wire/endpoint.ts";
import type { FakeAnswer } from "../fake-answer.ts";
import type { OptInMachine } from "../opt-in/opt-in-machine.ts";
import type { FakeClock } from "../state/fake-clock.ts";
import type { FakeResources } from "../state/fake-resources.ts";
import type { FakeAccount, FakeStore } from "../state/fake-store.ts";
import type { Outbox } from "../state/outbox.ts";

/** What handlers work on. */
export interface FakeWorld {
  readonly clock: FakeClock;
  readonly store: FakeStore;
  readonly resources: FakeResources;
  readonly machine: OptInMachine;
  readonly outbox: Outbox;
}

/** A call whose credentials, query and body are in order. */
export interface HandledCall<Input> {
  readonly world: FakeWorld;
  readonly account: FakeAccount;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Input extends { readonly query?: infer Query } ? NonNullable<Query> : unknown;
  readonly body: Input extends { readonly body: infer Body } ? Body : unknown;
}

/** How the fake answers one endpoint. */
export interface Handler {
  readonly endpoint: Endpoint;
  readonly answer: (call: HandledCall<never>) => FakeAnswer;
  /** What only the service can see to be wrong with a body, told together with what its schema finds. */
  readonly refine?: ((world: FakeWorld, body: unknown) => Iterable<ValidationIssue>) | undefined;
}

export const handler = <Input>(
  endpoint: Endpoint<Input>,
  answer: (call: HandledCall<Input>) => FakeAnswer,
  refine?: Handler["refine"],
): Handler => ({ endpoint, answer: answer as Handler["answer"], refine });
