/**
 * The client for the transactional API alone, and the rules of its messages.
 *
 * @module messaging-service-client/transactional
 */

export * from "./common.ts";
export type { AllowRecipient } from "./core/call/recipients.ts";
export * from "./core/clients/transactional-client.ts";
export { phoneReasons } from "./core/errors.ts";
export {
  allowedContentTypes,
  isAllowedContentType,
  maxFileBytes,
} from "./core/rules/content-type.ts";
export { type FitSmsOptions, type FittedSms, fitSms } from "./core/rules/fit-sms.ts";
export { analyzeGsm7, type Gsm7Analysis, toGsm7 } from "./core/rules/gsm7.ts";
export { isFileUrl, isWebhookUrl, maxWebhookUrlLength } from "./core/rules/https-url.ts";
export { checkPhone, isUsOrCanadianNumber, type PhoneCheck, toE164 } from "./core/rules/phone.ts";
export { maxRcsTextLength, maxSmsLength } from "./core/rules/texts.ts";
export { type CheckedFile, type CheckFileOptions, checkFile } from "./reports/check-file.ts";
