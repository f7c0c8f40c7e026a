/**
 * Fake of the service in memory, for tests and for development. It needs no network and sends no real message.
 *
 * @module messaging-service-client/testing
 */

export { createFakeService } from "./create-fake-service.ts";
export type { FakeRequest, FakeResponse } from "./fake/exchange.ts";
export type { Duration } from "./fake/fake-clock.ts";
export type { FakeServiceEvent } from "./fake/fake-events.ts";
export type { NewList, NewSubscriber } from "./fake/fake-lists.ts";
export type { Fault } from "./fake/fault-table.ts";
export type {
  AcceptedSend,
  PhoneMessage,
  ReceivedMessage,
  SentMessage,
  Webhook,
} from "./fake/messages.ts";
export type { RecordedRequest } from "./fake/recorded-requests.ts";
export type { NewReport } from "./fake/reports.ts";
export type { FakeState } from "./fake/saved-state.ts";
export type { NewScheduledMessage } from "./fake/scheduled-sends.ts";
export type { FakeAccount, FakeList } from "./fake/store.ts";
export type { PostWebhook, WebhookBody } from "./fake/webhooks.ts";
export type { FakePhone, NewAccount } from "./fake/world.ts";
export type { FakeService, FakeServiceOptions } from "./fake-service.ts";
export { type LedgerCheck, ledgerChecks } from "./ledger-checks/ledger-checks.ts";
export type { ArmedFailure, NextFailure } from "./service/armed-failures.ts";
export type { RateLimits } from "./service/limits.ts";
export type { LatencyOptions, RequestFilter } from "./service/request-filter.ts";
export type { FakeEndpoint } from "./service/router.ts";
