import * as z from "zod/mini";
import { smsFailoverProblems } from "../rules/gsm7/sms-failover.ts";
import { fileUrlProblems, httpsUrlProblems } from "../rules/https-url.ts";
import { parsePhone } from "../rules/phone.ts";
import { rcsTextProblems } from "../rules/rcs-text.ts";
import { addIssue, looseObject, rule, string } from "./shared/fields.ts";

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
  /* @__PURE__ */ looseObject({
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
  /* @__PURE__ */ z.strictObject(
    {
      /** Text of up to 3000 characters; bold, italic, underline, strikethrough and emojis are supported. */
      text: /* @__PURE__ */ string.check(/* @__PURE__ */ rule(rcsTextProblems)),
    },
    {
      error: ({ code }) =>
        code === "unrecognized_keys" ? "supports `text` only" : "must be an object with a `text`",
    },
  ),
);

/** An RCS text with its SMS fallback (specification: "Send an RCS text message"). */
export interface RcsTextMessage extends z.input<typeof rcsTextMessageSchema> {}

// @__NO_SIDE_EFFECTS__
const fileMessage = <T extends z.ZodMiniType>(url: T) =>
  /* @__PURE__ */ message(
    /* @__PURE__ */ looseObject({
      /** The file, which the service fetches. */
      file: /* @__PURE__ */ looseObject({
        /** An https URL of at most 255 characters. The file must have an allowed content type and at most 100 MB. */
        url,
      }),
    }),
  );

/** A file message whose content type is known, so that the extension of its URL does not matter. */
export const typedFileMessageSchema = /* @__PURE__ */ fileMessage(httpsUrl);

/** Specification: "Send an RCS file message". */
export const rcsFileMessageSchema = /* @__PURE__ */ fileMessage(
  /* @__PURE__ */ string.check(/* @__PURE__ */ rule(fileUrlProblems)),
);

/** An RCS file with its SMS fallback (specification: "Send an RCS file message"). */
export interface RcsFileMessage extends z.input<typeof rcsFileMessageSchema> {}
