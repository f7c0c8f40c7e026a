import * as z from "zod/mini";
import { fileTypeProblems } from "../rules/content-type.ts";
import { fileUrlProblems, httpsUrlProblems } from "../rules/https-url.ts";
import { parsePhone } from "../rules/phone.ts";
import { rcsTextProblems, smsFailoverProblems } from "../rules/texts.ts";
import {
  addIssue,
  leaveOut,
  listOf,
  looseObject,
  number,
  once,
  optionalBoolean,
  optionalString,
  rule,
  strictObject,
  string,
} from "./fields.ts";

/** Converts a number to E.164, so that every accepted format reaches the service alike. */
const phoneNumber = /* @__PURE__ */ once(() =>
  string().check((payload) => {
    const parsed = parsePhone(payload.value);
    if ("e164" in parsed) payload.value = parsed.e164;
    else addIssue(payload.issues, payload.value, parsed);
  }),
);
const httpsUrl = /* @__PURE__ */ once(() => string().check(rule(httpsUrlProblems)));
const smsFailover = /* @__PURE__ */ once(() => string().check(rule(smsFailoverProblems)));

/** Fields that both messages have around their payload. */
// @__NO_SIDE_EFFECTS__
const message = <T extends z.ZodMiniType>(rcsPayload: T) =>
  looseObject({
    /** U.S. or Canadian phone number in any common format; sent as E.164. */
    phoneNumber: phoneNumber(),
    /** URL that the service sends webhooks for this message to: https, at most 255 characters. */
    webhookUrl: httpsUrl(),
    /** Content of the RCS message. */
    rcsPayload,
    /** Text that is sent as an SMS if RCS fails: 1 to 160 characters of GSM 7-bit. */
    smsFailover: smsFailover(),
  });

/** Specification: "Send an RCS text message". */
export const rcsTextMessageSchema = /* @__PURE__ */ once(() =>
  message(
    strictObject(
      {
        /** Text of up to 3000 characters; bold, italic, underline, strikethrough and emojis are supported. */
        text: string().check(rule(rcsTextProblems)),
      },
      ({ code }) =>
        code === "unrecognized_keys" ? "supports `text` only" : "must be an object with a `text`",
    ),
  ),
);

/** An RCS text with its SMS fallback (specification: "Send an RCS text message"). */
export interface RcsTextMessage extends z.input<ReturnType<typeof rcsTextMessageSchema>> {}

/** Specification: "Send an RCS file message", as the service receives it. */
export const fileMessageSchema = /* @__PURE__ */ once(() =>
  message(
    looseObject({
      /** The file, which the service fetches. */
      file: looseObject({
        /** URL of at most 255 characters that begins with `https://`. The file has an allowed content type and at most 100 MB. */
        url: string().check(rule(fileUrlProblems)),
      }),
    }),
  ),
);

// @__NO_SIDE_EFFECTS__
const typedFileMessage = () =>
  looseObject({
    ...fileMessageSchema().shape,
    /**
     * Content type of the file, if you know it: one of `allowedContentTypes`; never sent. Default: the type of the URL's
     * extension.
     */
    contentType: z.optional(z.unknown()) as z.ZodMiniOptional<z.ZodMiniType<string, string>>,
  }).check(
    /* @__PURE__ */ rule((value) => fileTypeProblems(value, value.contentType)),
    leaveOut({ contentType: true }),
  );

/** Specification: "Send an RCS file message". The content type is checked and left out. */
export const rcsFileMessageSchema = /* @__PURE__ */ once(typedFileMessage);

/** An RCS file with its SMS fallback (specification: "Send an RCS file message"). */
export interface RcsFileMessage extends z.input<ReturnType<typeof rcsFileMessageSchema>> {}

/** Specification: "Transaction response (version 3)". */
export const transactionSchema = /* @__PURE__ */ once(() =>
  looseObject({
    /** Confirmation in words that the message was accepted. */
    message: string(),
    /** Unique id for tracking the message. */
    transactionId: string(),
  }),
);

/**
 * Acceptance of a message. The service may report to the `webhookUrl` whether the message arrives; what it sends there is
 * not documented (specification: "Transaction response").
 */
export interface Transaction extends z.infer<ReturnType<typeof transactionSchema>> {}

const optionalNumber = /* @__PURE__ */ once(() => z.optional(number()));

/** Specification: "Validation error (version 3)". */
export const validationErrorSchema = /* @__PURE__ */ once(() =>
  looseObject({
    /** Short summary. */
    error: optionalString(),
    /** Every field that failed. */
    errors: listOf(
      looseObject({
        /** Kind of failure. */
        code: string(),
        /** Description of the failure for people. */
        message: string(),
        /** Keys and indexes that lead to the field. */
        path: listOf(z.union([z.string(), z.number()], "must be a string or a number")),
        /** Kind of check that failed. */
        validation: optionalString(),
        /** Smallest allowed length or value. */
        minimum: optionalNumber(),
        /** Largest allowed length or value. */
        maximum: optionalNumber(),
        /** Expected type. */
        type: optionalString(),
        /** Whether `minimum` or `maximum` itself is allowed. */
        inclusive: optionalBoolean(),
        /** Whether the length or value must be exactly this one. */
        exact: optionalBoolean(),
      }),
    ),
  }),
);

/** Body of a version 3 HTTP 400 (specification: "Validation error"). */
export interface ValidationErrorBody extends z.infer<ReturnType<typeof validationErrorSchema>> {}
