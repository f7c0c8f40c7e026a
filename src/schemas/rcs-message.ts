import * as z from "zod/mini";
import { fileTypeProblems } from "../rules/content-type.ts";
import { smsFailoverProblems } from "../rules/gsm7/sms-failover.ts";
import { fileUrlProblems, httpsUrlProblems } from "../rules/https-url.ts";
import { parsePhone } from "../rules/phone.ts";
import { rcsTextProblems } from "../rules/rcs-text.ts";
import { addIssue, leaveOut, looseObject, rule, strictObject, string } from "./shared/fields.ts";

/** Converts a number to E.164, so that every accepted format reaches the service alike. */
const phoneNumber = /* @__PURE__ */ string.check((payload) => {
  const parsed = parsePhone(payload.value);
  if ("e164" in parsed) payload.value = parsed.e164;
  else addIssue(payload.issues, payload.value, parsed);
});
const httpsUrl = /* @__PURE__ */ string.check(/* @__PURE__ */ rule(httpsUrlProblems));
const smsFailover = /* @__PURE__ */ string.check(/* @__PURE__ */ rule(smsFailoverProblems));

/** Fields that both messages have around their payload. */
// @__NO_SIDE_EFFECTS__
const message = <T extends z.ZodMiniType>(rcsPayload: T) =>
  looseObject({
    /** U.S. or Canadian phone number in any common format; sent as E.164. */
    phoneNumber,
    /** URL that the service sends webhooks for this message to: https, at most 255 characters. */
    webhookUrl: httpsUrl,
    /** Content of the RCS message. */
    rcsPayload,
    /** Text that is sent as an SMS if RCS fails: 1 to 160 characters of GSM 7-bit. */
    smsFailover,
  });

/** Specification: "Send an RCS text message". */
export const rcsTextMessageSchema = /* @__PURE__ */ message(
  /* @__PURE__ */ strictObject(
    {
      /** Text of up to 3000 characters; bold, italic, underline, strikethrough and emojis are supported. */
      text: /* @__PURE__ */ string.check(/* @__PURE__ */ rule(rcsTextProblems)),
    },
    ({ code }) =>
      code === "unrecognized_keys" ? "supports `text` only" : "must be an object with a `text`",
  ),
);

/** An RCS text with its SMS fallback (specification: "Send an RCS text message"). */
export interface RcsTextMessage extends z.input<typeof rcsTextMessageSchema> {}

/** Specification: "Send an RCS file message", as the service receives it. */
export const fileMessageSchema = /* @__PURE__ */ message(
  /* @__PURE__ */ looseObject({
    /** The file, which the service fetches. */
    file: /* @__PURE__ */ looseObject({
      /** URL of at most 255 characters that begins with `https://`. The file has an allowed content type and at most 100 MB. */
      url: /* @__PURE__ */ string.check(/* @__PURE__ */ rule(fileUrlProblems)),
    }),
  }),
);

// @__NO_SIDE_EFFECTS__
const typedFileMessage = () =>
  looseObject({
    ...fileMessageSchema.shape,
    /**
     * Content type of the file, if you know it: one of `allowedContentTypes`; never sent. Default: the type of the URL's
     * extension.
     */
    contentType: z.optional(z.unknown()) as z.ZodMiniOptional<z.ZodMiniType<string, string>>,
  }).check(
    rule((value) => fileTypeProblems(value, value.contentType)),
    leaveOut({ contentType: true }),
  );

/** Specification: "Send an RCS file message". The content type is checked and left out. */
export const rcsFileMessageSchema = /* @__PURE__ */ typedFileMessage();

/** An RCS file with its SMS fallback (specification: "Send an RCS file message"). */
export interface RcsFileMessage extends z.input<typeof rcsFileMessageSchema> {}
