/**
 * The zod schemas that the clients apply, and the types inferred from them.
 *
 * Objects are loose: undocumented fields are kept.
 *
 * @module messaging-service-client/schemas
 */
import * as account from "./account.ts";
import * as list from "./list.ts";
import * as momtReport from "./momt-report.ts";
import * as optIn from "./opt-in.ts";
import * as optInSettings from "./opt-in-settings.ts";
import * as page from "./page.ts";
import * as rcsMessage from "./rcs-message.ts";
import * as scheduledMessage from "./scheduled-message.ts";
import * as subscriber from "./subscriber.ts";

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

/** Specification: "Account". */
export const accountSchema: ReturnType<typeof account.accountSchema> =
  /* @__PURE__ */ account.accountSchema();
/**
 * Specification: "Create list". Which fields are required is not documented.
 *
 * A list can be copied: a field may be `null` if it may be `null` in a list, and fields that only responses have are left
 * out.
 */
export const listCreateSchema: ReturnType<typeof list.listCreateSchema> =
  /* @__PURE__ */ list.listCreateSchema();
/** Specification: "List". */
export const listSchema: ReturnType<typeof list.listSchema> = /* @__PURE__ */ list.listSchema();
/** Specification: "List lists". */
export const listsQuerySchema: ReturnType<typeof list.listsQuerySchema> =
  /* @__PURE__ */ list.listsQuerySchema();
/** Specification: "MOMT report". */
export const momtReportSchema: ReturnType<typeof momtReport.momtReportSchema> =
  /* @__PURE__ */ momtReport.momtReportSchema();
/** Specification: "Opt-in request (double opt-in step)", as the service returns it. */
export const optInRequestSchema: ReturnType<typeof optIn.optInRequestSchema> =
  /* @__PURE__ */ optIn.optInRequestSchema();
/** Specification: "Configure opt-in type", its two responses. */
export const optInSettingsResultSchema: ReturnType<typeof optIn.optInSettingsResultSchema> =
  /* @__PURE__ */ optIn.optInSettingsResultSchema();
/** Specification: "Configure opt-in type", its body and its rules. */
export const optInSettingsSchema: ReturnType<typeof optInSettings.optInSettingsSchema> =
  /* @__PURE__ */ optInSettings.optInSettingsSchema();
/** Specification: "Pagination envelope". The items stand beside these fields, in an array named after the resource. */
export const pageSchema: ReturnType<typeof page.pageSchema> = /* @__PURE__ */ page.pageSchema();
/** Specification: "Send an RCS file message". The content type is checked and left out. */
export const rcsFileMessageSchema: ReturnType<typeof rcsMessage.rcsFileMessageSchema> =
  /* @__PURE__ */ rcsMessage.rcsFileMessageSchema();
/** Specification: "Send an RCS text message". */
export const rcsTextMessageSchema: ReturnType<typeof rcsMessage.rcsTextMessageSchema> =
  /* @__PURE__ */ rcsMessage.rcsTextMessageSchema();
/** Specification: "Transaction response (version 3)". */
export const transactionSchema: ReturnType<typeof rcsMessage.transactionSchema> =
  /* @__PURE__ */ rcsMessage.transactionSchema();
/** Specification: "Validation error (version 3)". */
export const validationErrorSchema: ReturnType<typeof rcsMessage.validationErrorSchema> =
  /* @__PURE__ */ rcsMessage.validationErrorSchema();
/** Specification: "Scheduled message". */
export const scheduledMessageSchema: ReturnType<typeof scheduledMessage.scheduledMessageSchema> =
  /* @__PURE__ */ scheduledMessage.scheduledMessageSchema();
/** Specification: "Scheduled messages", its query. */
export const scheduledMessagesQuerySchema: ReturnType<
  typeof scheduledMessage.scheduledMessagesQuerySchema
> = /* @__PURE__ */ scheduledMessage.scheduledMessagesQuerySchema();
/** Specification: "Subscriber (as returned on removal)". */
export const subscriberSchema: ReturnType<typeof subscriber.subscriberSchema> =
  /* @__PURE__ */ subscriber.subscriberSchema();
