/**
 * The client of the transactional API alone, and the rules of its messages.
 *
 * @module messaging-service-client/transactional
 */

export type { TransactionalClientOptions } from "./clients/options.ts";
export { type SendFileOptions, TransactionalClient } from "./clients/transactional-client.ts";
export * from "./common.ts";
export { phoneReasons } from "./errors.ts";
export type { AllowRecipient } from "./http/recipients.ts";
export { type CheckedFile, type CheckFileOptions, checkFile } from "./reports/check-file.ts";
export { allowedContentTypes, isAllowedContentType, maxFileBytes } from "./rules/content-type.ts";
export { type FitSmsOptions, type FittedSms, fitSms } from "./rules/fit-sms.ts";
export { analyzeGsm7, type Gsm7Analysis, toGsm7 } from "./rules/gsm7.ts";
export { isFileUrl, isWebhookUrl, maxWebhookUrlLength } from "./rules/https-url.ts";
export { checkPhone, isUsOrCanadianNumber, type PhoneCheck, toE164 } from "./rules/phone.ts";
export { maxRcsTextLength, maxSmsLength } from "./rules/texts.ts";
export type {
  RcsFileMessage,
  RcsTextMessage,
  Transaction,
  ValidationErrorBody,
} from "./schemas/index.ts";
