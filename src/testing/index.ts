/**
 * A fake of the service in memory, for tests and for development. It needs no network and sends no real message.
 *
 * @module messaging-service-client/testing
 */

export { createFakeService } from "./create-fake-service.ts";
export type { FakeRequest, FakeResponse } from "./exchange/fake-response.ts";
export type { RecordedRequest } from "./exchange/recorded-request.ts";
export type { FakeService, ReceivedText } from "./fake-service.ts";
export type { FakeServiceOptions } from "./fake-service-options.ts";
export type { ArmedFailure, FailureEffect, Fault, NextFailure } from "./faults/failure.ts";
export type { LatencyOptions } from "./faults/latency.ts";
export type { RequestFilter } from "./faults/request-filter.ts";
export type { FakeEndpoint } from "./handlers/endpoint-ids.ts";
export type { RateLimitOptions, RateLimits } from "./handlers/rate-limit.ts";
export type { LedgerCheck } from "./ledger-checks/ledger-check.ts";
export { ledgerChecks } from "./ledger-checks/ledger-checks.ts";
export type {
  OptInCondition,
  OptInEvent,
  OptInMessage,
  OptInState,
  OptInTransition,
} from "./opt-in/opt-in-transitions.ts";
export { optInTransitions } from "./opt-in/opt-in-transitions.ts";
export type { FakePhone, PhoneOptIn } from "./phones/fake-phone.ts";
export type {
  DeliveryEvent,
  PhoneMessage,
  ReceivedMessage,
  SentMessage,
} from "./phones/phone-message.ts";
export type {
  NewAccount,
  NewList,
  NewReport,
  NewScheduledMessage,
  NewSubscriber,
} from "./resources/new-resources.ts";
export type { FakeAccount, FakeList } from "./resources/stored-list.ts";
export type { FakeServiceEvent, FakeServiceListener } from "./state/events.ts";
export type { Duration } from "./state/fake-clock.ts";
export type { AcceptedSend, HostedFile } from "./state/fake-store.ts";
export type { IdMode } from "./state/ids.ts";
export type { FakeState } from "./state/saved-state.ts";
export type { PostWebhook, Webhook, WebhookOutcome } from "./webhooks/webhook.ts";
export type { WebhookBody } from "./webhooks/webhooks.ts";
