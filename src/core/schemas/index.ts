/**
 * The zod schemas that the clients apply, and the types inferred from them.
 *
 * Objects keep undocumented fields, except the `rcsPayload` of a text, which supports `text` only.
 *
 * @module messaging-service-client/schemas
 */
import * as account from "./account.ts";
import * as list from "./list.ts";
import * as momtReport from "./momt-report.ts";
import * as optIn from "./opt-in.ts";
import * as page from "./page.ts";
import * as rcsMessage from "./rcs-message.ts";
import * as scheduledMessage from "./scheduled-message.ts";
import * as subscriber from "./subscriber.ts";

export type { Account } from "./account.ts";
export type { List, ListCreate, ListsQuery } from "./list.ts";
export type { MomtReport } from "./momt-report.ts";
export type {
  DoubleOptInResult,
  DoubleOptInSettings,
  OptInRequest,
  OptInSettings,
  OptInSettingsResult,
  OptInStep,
  OptInStepWithoutReminder,
  OptInStepWithReminder,
  SingleOptInResult,
  SingleOptInSettings,
} from "./opt-in.ts";
export type {
  RcsFileMessage,
  RcsTextMessage,
  Transaction,
  ValidationErrorBody,
} from "./rcs-message.ts";
export type { ScheduledMessage, ScheduledMessagesQuery } from "./scheduled-message.ts";
export type { Subscriber } from "./subscriber.ts";

/** Schema of an {@link Account}. */
export const accountSchema = /* @__PURE__ */ account.accountSchema();
/**
 * Schema of a {@link ListCreate}. Which fields are required is not documented.
 *
 * You can pass a list as the service returned it: a field may be `null` wherever a list may have `null`, and the schema
 * removes the fields that only responses have.
 */
export const listCreateSchema = /* @__PURE__ */ list.listCreateSchema();
/** Schema of a {@link List}, as the service returns it. */
export const listSchema = /* @__PURE__ */ list.listSchema();
/** Schema of a {@link ListsQuery}. */
export const listsQuerySchema = /* @__PURE__ */ list.listsQuerySchema();
/** Schema of a {@link MomtReport}. */
export const momtReportSchema = /* @__PURE__ */ momtReport.momtReportSchema();
/** Schema of an {@link OptInRequest}, as the service returns it. */
export const optInRequestSchema = /* @__PURE__ */ optIn.optInRequestSchema();
/** Schema of an {@link OptInSettingsResult}. */
export const optInSettingsResultSchema = /* @__PURE__ */ optIn.optInSettingsResultSchema();
/** Schema of {@link OptInSettings}, with their rules. */
export const optInSettingsSchema = /* @__PURE__ */ optIn.optInSettingsSchema();
/**
 * Schema of the five fields of a page. The items are in an array beside these fields,
 * such as `lists`.
 */
export const pageSchema = /* @__PURE__ */ page.pageSchema();
/** Schema of an {@link RcsFileMessage}, whose URL must not have the extension of a disallowed content type. */
export const rcsFileMessageSchema = /* @__PURE__ */ rcsMessage.rcsFileMessageSchema();
/** Schema of an {@link RcsTextMessage}. */
export const rcsTextMessageSchema = /* @__PURE__ */ rcsMessage.rcsTextMessageSchema();
/** Schema of a {@link Transaction}. */
export const transactionSchema = /* @__PURE__ */ rcsMessage.transactionSchema();
/** Schema of a {@link ValidationErrorBody}. */
export const validationErrorSchema = /* @__PURE__ */ rcsMessage.validationErrorSchema();
/** Schema of a {@link ScheduledMessage}. */
export const scheduledMessageSchema = /* @__PURE__ */ scheduledMessage.scheduledMessageSchema();
/** Schema of a {@link ScheduledMessagesQuery} whose days are strings. */
export const scheduledMessagesQuerySchema =
  /* @__PURE__ */ scheduledMessage.scheduledMessagesQuerySchema();
/** Schema of a {@link Subscriber}. */
export const subscriberSchema = /* @__PURE__ */ subscriber.subscriberSchema();
