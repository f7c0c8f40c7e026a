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
  optionalBoolean,
  optionalString,
  rule,
  strictObject,
  string,
} from "./fields.ts";

/** Converts a number to E.164: the service receives one format, whichever the caller wrote. */
const phoneNumber = /* @__PURE__ */ string.check((payload) => {
  const parsed = parsePhone(payload.value);
  if ("e164" in parsed) payload.value = parsed.e164;
  else addIssue(payload.issues, payload.value, parsed);
});
const httpsUrl = /* @__PURE__ */ string.check(/* @__PURE__ */ rule(httpsUrlProblems));
const smsFailover = /* @__PURE__ */ string.check(/* @__PURE__ */ rule(smsFailoverProblems));

/** Returns the schema of a message with a payload; both messages have the other fields in common. */
// @__NO_SIDE_EFFECTS__
const message = <T extends z.ZodMiniType>(rcsPayload: T) =>
  looseObject({
    /** U.S. or Canadian phone number in any common format. The client sends it as E.164. */
    phoneNumber,
    /** https URL of at most 255 characters, to which the service sends webhooks for this message. */
    webhookUrl: httpsUrl,
    /** Content of the RCS message. */
    rcsPayload,
    /** Text that is sent as an SMS if RCS fails: 1 to 160 characters of GSM 7-bit. */
    smsFailover,
  });

/** Schema of an {@link RcsTextMessage} (specification: "Send an RCS text message"). */
export const rcsTextMessageSchema = /* @__PURE__ */ message(
  /* @__PURE__ */ strictObject(
    {
      /** Text of at most 3000 characters. It supports bold, italic, underline, strikethrough and emoji. */
      text: /* @__PURE__ */ string.check(/* @__PURE__ */ rule(rcsTextProblems)),
    },
    ({ code }) =>
      code === "unrecognized_keys" ? "supports `text` only" : "must be an object with a `text`",
  ),
);

/** RCS text with its SMS fallback (specification: "Send an RCS text message"). */
export interface RcsTextMessage extends z.input<typeof rcsTextMessageSchema> {}

/** Schema of a file message as the service receives it (specification: "Send an RCS file message"). */
export const fileMessageSchema = /* @__PURE__ */ message(
  /* @__PURE__ */ looseObject({
    /** File of the message. */
    file: /* @__PURE__ */ looseObject({
      /**
       * URL of at most 255 characters that begins with `https://`. The file must have an allowed content type and at most 100 MB
       * (specification: "Limits").
       */
      url: /* @__PURE__ */ string.check(/* @__PURE__ */ rule(fileUrlProblems)),
    }),
  }),
);

// @__NO_SIDE_EFFECTS__
const typedFileMessage = () =>
  looseObject({
    ...fileMessageSchema.shape,
    /**
     * Content type of the file, if you know it: one of `allowedContentTypes`. The client checks it and never sends it. Default:
     * the type of the URL's extension.
     */
    contentType: z.optional(z.unknown()) as z.ZodMiniOptional<z.ZodMiniType<string, string>>,
  }).check(
    /* @__PURE__ */ rule((value) => fileTypeProblems(value, value.contentType)),
    leaveOut({ contentType: true }),
  );

/** Schema of an {@link RcsFileMessage} (specification: "Send an RCS file message"). It checks and removes `contentType`. */
export const rcsFileMessageSchema = /* @__PURE__ */ typedFileMessage();

/** RCS file with its SMS fallback (specification: "Send an RCS file message"). */
export interface RcsFileMessage extends z.input<typeof rcsFileMessageSchema> {}

/** Schema of a {@link Transaction} (specification: "Transaction response"). */
export const transactionSchema = /* @__PURE__ */ looseObject({
  /** Text that says that the message was accepted. */
  message: string,
  /** Unique id for tracking the message. */
  transactionId: string,
});

/**
 * Acceptance of a message. The service may report to the `webhookUrl` whether the message arrives; what it sends there is
 * not documented (specification: "Transaction response").
 */
export interface Transaction extends z.infer<typeof transactionSchema> {}

const optionalNumber = /* @__PURE__ */ z.optional(number);

/** Schema of a {@link ValidationErrorBody} (specification: "Validation error"). */
export const validationErrorSchema = /* @__PURE__ */ looseObject({
  /** Short summary of the error. */
  error: optionalString,
  /** One issue for each field that broke a rule. */
  errors: /* @__PURE__ */ listOf(
    /* @__PURE__ */ looseObject({
      /** Code from the validation library of the service, such as `invalid_string`. */
      code: string,
      /** Description of the failure for people. */
      message: string,
      /** Keys and indexes that lead to the field. */
      path: /* @__PURE__ */ listOf(
        /* @__PURE__ */ z.union(
          [/* @__PURE__ */ z.string(), /* @__PURE__ */ z.number()],
          "must be a string or a number",
        ),
      ),
      /** Kind of check that failed, such as `url`. */
      validation: optionalString,
      /** Smallest allowed length or value. */
      minimum: optionalNumber,
      /** Largest allowed length or value. */
      maximum: optionalNumber,
      /** Expected type. */
      type: optionalString,
      /** Whether `minimum` or `maximum` itself is allowed. */
      inclusive: optionalBoolean,
      /** Whether the length or value must be exactly `minimum` or `maximum`. */
      exact: optionalBoolean,
    }),
  ),
});

/** Body of a response with HTTP 400 of the transactional API (specification: "Validation error"). */
export interface ValidationErrorBody extends z.infer<typeof validationErrorSchema> {}
