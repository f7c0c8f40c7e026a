/**
 * The service in memory, for tests and for development: it needs no network, and texts no one.
 *
 * @module messaging-service-client/testing
 */

export type { FakeAnswer, FakeRequest } from "./fake-answer.ts";
export type { FakeService, FakeServiceOptions, RecordedRequest } from "./fake-service.ts";
export { createFakeService } from "./fake-service.ts";
export type { Fault, NextFailure } from "./faults.ts";
export type { LedgerCheck } from "./ledger-checks/ledger-check.ts";
export { ledgerChecks } from "./ledger-checks/ledger-checks.ts";
export type { ReceivedText } from "./opt-in/opt-in-machine.ts";
export type {
  OptInAnswer,
  OptInCondition,
  OptInEvent,
  OptInState,
  OptInTransition,
} from "./opt-in/opt-in-transitions.ts";
export { optInTransitions } from "./opt-in/opt-in-transitions.ts";
export type { Duration } from "./state/fake-clock.ts";
export type {
  NewAccount,
  NewList,
  NewReport,
  NewScheduledMessage,
  NewSubscriber,
} from "./state/fake-resources.ts";
export type { AcceptedSend, FakeAccount, HostedFile } from "./state/fake-store.ts";
export type { SentMessage } from "./state/outbox.ts";
export type { RateLimitOptions } from "./state/rate-limit.ts";
