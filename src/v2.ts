/**
 * The client of version 2 alone, without the phone metadata of the transactional client.
 *
 * @module messaging-service-client/v2
 */

export type { V2ClientOptions } from "./clients/options.ts";
export { V2Client } from "./clients/v2-client.ts";
export * from "./common.ts";
export type { ListRequestOptions } from "./http/settings.ts";
export type { Page } from "./paging/page.ts";
export type { PagePromise } from "./paging/page-promise.ts";
export type { Accounts } from "./resources/accounts.ts";
export type { Lists, Subscribers } from "./resources/lists.ts";
export type { MomtReports, WaitOptions } from "./resources/momt-reports.ts";
export type { ScheduledMessages } from "./resources/scheduled-messages.ts";
export { collectedDataTypes, successActions } from "./rules/opt-in-steps.ts";
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
} from "./schemas/index.ts";
export { maxPageSize } from "./schemas/page.ts";
