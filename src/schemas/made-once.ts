// Functions that return the schemas, each made at the first call. Declarations of the entry point `schemas` refer to them.
export { accountSchema } from "./account.ts";
export { listCreateSchema, listSchema, listsQuerySchema } from "./list.ts";
export { momtReportSchema } from "./momt-report.ts";
export { optInRequestSchema, optInSettingsResultSchema } from "./opt-in.ts";
export { optInSettingsSchema } from "./opt-in-settings.ts";
export { pageSchema } from "./page.ts";
export {
  rcsFileMessageSchema,
  rcsTextMessageSchema,
  transactionSchema,
  validationErrorSchema,
} from "./rcs-message.ts";
export { scheduledMessageSchema, scheduledMessagesQuerySchema } from "./scheduled-message.ts";
export { subscriberSchema } from "./subscriber.ts";
