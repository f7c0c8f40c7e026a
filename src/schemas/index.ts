/**
 * The zod schemas that the clients apply, and the types inferred from them.
 *
 * Objects keep undocumented fields, except the `rcsPayload` of a text, which supports `text` only.
 *
 * @module messaging-service-client/schemas
 */
import * as once from "./made-once.ts";

export type { Account } from "./account.ts";
export type { List, ListCreate, ListsQuery } from "./list.ts";
export type { MomtReport } from "./momt-report.ts";
export type {
  DoubleOptInResult,
  OptInRequest,
  OptInSettingsResult,
  SingleOptInResult,
} from "./opt-in.ts";
export type {
  DoubleOptInSettings,
  OptInSettings,
  OptInStep,
  OptInStepWithoutReminder,
  OptInStepWithReminder,
  ReturnedOptInStep,
  SingleOptInSettings,
} from "./opt-in-settings.ts";
export type { PageQuery } from "./page.ts";
export type {
  RcsFileMessage,
  RcsTextMessage,
  Transaction,
  ValidationErrorBody,
} from "./rcs-message.ts";
export type { ScheduledMessage, ScheduledMessagesQuery } from "./scheduled-message.ts";
export type { Subscriber } from "./subscriber.ts";

/** Schema of an {@link Account} (specification: "Account"). */
export const accountSchema: ReturnType<typeof once.accountSchema> =
  /* @__PURE__ */ once.accountSchema();
/**
 * Schema of a {@link ListCreate} (specification: "Create list"). Which fields are required is not documented.
 *
 * You can pass a list as the service returned it: a field may be `null` wherever a list may have `null`, and the schema
 * removes the fields that only responses have.
 */
export const listCreateSchema: ReturnType<typeof once.listCreateSchema> =
  /* @__PURE__ */ once.listCreateSchema();
/** Schema of a {@link List}, as the service returns it (specification: "List"). */
export const listSchema: ReturnType<typeof once.listSchema> = /* @__PURE__ */ once.listSchema();
/** Schema of a {@link ListsQuery} (specification: "List lists"). */
export const listsQuerySchema: ReturnType<typeof once.listsQuerySchema> =
  /* @__PURE__ */ once.listsQuerySchema();
/** Schema of a {@link MomtReport} (specification: "MOMT report"). */
export const momtReportSchema: ReturnType<typeof once.momtReportSchema> =
  /* @__PURE__ */ once.momtReportSchema();
/** Schema of an {@link OptInRequest}, as the service returns it (specification: "Opt-in request"). */
export const optInRequestSchema: ReturnType<typeof once.optInRequestSchema> =
  /* @__PURE__ */ once.optInRequestSchema();
/** Schema of an {@link OptInSettingsResult} (specification: "Configure opt-in type"). */
export const optInSettingsResultSchema: ReturnType<typeof once.optInSettingsResultSchema> =
  /* @__PURE__ */ once.optInSettingsResultSchema();
/** Schema of {@link OptInSettings}, with their rules (specification: "Configure opt-in type"). */
export const optInSettingsSchema: ReturnType<typeof once.optInSettingsSchema> =
  /* @__PURE__ */ once.optInSettingsSchema();
/**
 * Schema of the five fields of a page (specification: "Pagination envelope"). The items are in an array beside these fields,
 * such as `lists`.
 */
export const pageSchema: ReturnType<typeof once.pageSchema> = /* @__PURE__ */ once.pageSchema();
/** Schema of an {@link RcsFileMessage} (specification: "Send an RCS file message"). It checks and removes `contentType`. */
export const rcsFileMessageSchema: ReturnType<typeof once.rcsFileMessageSchema> =
  /* @__PURE__ */ once.rcsFileMessageSchema();
/** Schema of an {@link RcsTextMessage} (specification: "Send an RCS text message"). */
export const rcsTextMessageSchema: ReturnType<typeof once.rcsTextMessageSchema> =
  /* @__PURE__ */ once.rcsTextMessageSchema();
/** Schema of a {@link Transaction} (specification: "Transaction response"). */
export const transactionSchema: ReturnType<typeof once.transactionSchema> =
  /* @__PURE__ */ once.transactionSchema();
/** Schema of a {@link ValidationErrorBody} (specification: "Validation error"). */
export const validationErrorSchema: ReturnType<typeof once.validationErrorSchema> =
  /* @__PURE__ */ once.validationErrorSchema();
/** Schema of a {@link ScheduledMessage} (specification: "Scheduled message"). */
export const scheduledMessageSchema: ReturnType<typeof once.scheduledMessageSchema> =
  /* @__PURE__ */ once.scheduledMessageSchema();
/** Schema of a {@link ScheduledMessagesQuery} (specification: "Scheduled messages"). */
export const scheduledMessagesQuerySchema: ReturnType<typeof once.scheduledMessagesQuerySchema> =
  /* @__PURE__ */ once.scheduledMessagesQuerySchema();
/** Schema of a {@link Subscriber} (specification: "Subscriber (as returned on removal)"). */
export const subscriberSchema: ReturnType<typeof once.subscriberSchema> =
  /* @__PURE__ */ once.subscriberSchema();
