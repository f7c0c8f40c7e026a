import type { ValidationIssue } from "../errors.ts";
import type { Endpoint } from "../wire/endpoint.ts";
import type { FakeAnswer } from "./fake-answer.ts";
import type { FakeClock } from "./fake-clock.ts";
import type { FakeResources } from "./fake-resources.ts";
import type { FakeAccount, FakeStore } from "./fake-store.ts";
import type { OptInMachine } from "./opt-in-machine.ts";
import type { Outbox } from "./outbox.ts";

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
  readonly alsoWrong?: ((world: FakeWorld, body: unknown) => Iterable<ValidationIssue>) | undefined;
}

export const handler = <Input>(
  endpoint: Endpoint<Input>,
  answer: (call: HandledCall<Input>) => FakeAnswer,
  alsoWrong?: Handler["alsoWrong"],
): Handler => ({ endpoint, answer: answer as Handler["answer"], alsoWrong });
