/**
 * The zod schemas that the clients apply, and the types inferred from them.
 *
 * Objects keep undocumented fields, except the `rcsPayload` of a text, which supports `text` only.
 *
 * @module messaging-service-client/schemas
 */
export { type Account, accountSchema } from "./account.ts";
export {
  type List,
  type ListCreate,
  type ListsQuery,
  listCreateSchema,
  listSchema,
  listsQuerySchema,
} from "./list.ts";
export { type MomtReport, momtReportSchema } from "./momt-report.ts";
export {
  type DoubleOptInResult,
  type OptInRequest,
  type OptInSettingsResult,
  optInRequestSchema,
  optInSettingsResultSchema,
  type SingleOptInResult,
} from "./opt-in.ts";
export {
  type DoubleOptInSettings,
  type OptInSettings,
  type OptInStep,
  type OptInStepWithoutReminder,
  type OptInStepWithReminder,
  optInSettingsSchema,
  type ReturnedOptInStep,
  type SingleOptInSettings,
} from "./opt-in-settings.ts";
export { type PageQuery, pageSchema } from "./page.ts";
export {
  type RcsFileMessage,
  type RcsTextMessage,
  rcsFileMessageSchema,
  rcsTextMessageSchema,
  type Transaction,
  transactionSchema,
  type ValidationErrorBody,
  validationErrorSchema,
} from "./rcs-message.ts";
export {
  type ScheduledMessage,
  type ScheduledMessagesQuery,
  scheduledMessageSchema,
  scheduledMessagesQuerySchema,
} from "./scheduled-message.ts";
export { type Subscriber, subscriberSchema } from "./subscriber.ts";
