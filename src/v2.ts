/**
 * The client for version 2 alone, without the phone metadata of the transactional client.
 *
 * @module messaging-service-client/v2
 */

export * from "./common.ts";
export type { ListRequestOptions } from "./core/call/settings.ts";
export type { V2ClientOptions } from "./core/clients/options.ts";
export { V2Client } from "./core/clients/v2-client.ts";
export type { Page } from "./core/paging/page.ts";
export type { PagePromise } from "./core/paging/page-promise.ts";
export type { Accounts } from "./core/resources/accounts.ts";
export type { Lists, Subscribers } from "./core/resources/lists.ts";
export type { MomtReports } from "./core/resources/momt-reports.ts";
export type { WaitOptions } from "./core/resources/report-wait.ts";
export type { ScheduledMessages } from "./core/resources/scheduled-messages.ts";
export { collectedDataTypes, successActions } from "./core/rules/opt-in-steps.ts";
export type {
  Account,
  DoubleOptInResult,
  DoubleOptInSettings,
  List,
  ListCreate,
  ListsQuery,
  MomtReport,
  OptInRequest,
  OptInSettings,
  OptInSettingsResult,
  OptInStep,
  OptInStepWithoutReminder,
  OptInStepWithReminder,
  ScheduledMessage,
  ScheduledMessagesQuery,
  SingleOptInResult,
  SingleOptInSettings,
  Subscriber,
} from "./core/schemas/index.ts";
export { maxPageSize } from "./core/schemas/page.ts";
