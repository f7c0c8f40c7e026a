import * as z from "zod/mini";
import { quoteName } from "../quote.ts";
import { fileTypeProblems } from "../rules/content-type.ts";
import { fileUrlProblems, httpsUrlProblems, maxWebhookUrlLength } from "../rules/https-url.ts";
import { isE164, parsePhone } from "../rules/phone.ts";
import { halfPairProblems, type Problem } from "../rules/problem.ts";
import {
  maxRcsTextLength,
  maxSmsLength,
  rcsTextProblems,
  smsFailoverProblems,
} from "../rules/texts.ts";
import * as f from "./fields.ts";

/** Converts a phone number to E.164, so the service receives the same format whatever the caller wrote. */
const phoneNumber = /* @__PURE__ */ f.once(() =>
  f.string().check(
    z.check(
      (payload) => {
        const parsed = parsePhone(payload.value);
        if ("e164" in parsed) payload.value = parsed.e164;
        else f.addIssue(payload.issues, payload.value, parsed);
      },
      { matches: isE164 } satisfies f.RuleDefinition as object,
    ),
  ),
);
const httpsUrl = /* @__PURE__ */ f.once(() =>
  f.string().check(f.rule(httpsUrlProblems, { maximum: maxWebhookUrlLength })),
);
const smsFailover = /* @__PURE__ */ f.once(() =>
  f.string().check(f.rule(smsFailoverProblems, { minimum: 1, maximum: maxSmsLength })),
);

const MAX_DEPTH = 100;

/** Yields the problems of every string in the value of an undocumented field, because such fields are also sent. */
function* undocumentedProblems(
  value: unknown,
  path: readonly string[] = [],
  seen = new Set<unknown>(),
): Generator<Problem> {
  if (typeof value === "string") {
    for (const problem of halfPairProblems(value)) yield { ...problem, path };
  } else if (path.length < MAX_DEPTH && !seen.has(value)) {
    seen.add(value);
    for (const [name, item] of Object.entries(Object(value))) {
      yield* undocumentedProblems(item, [...path, quoteName(name)], seen);
    }
  }
}

const undocumented = /* @__PURE__ */ f.once(() =>
  z.unknown().check(f.rule((value) => undocumentedProblems(value))),
);

/** Returns the schema of an object within a message. The undocumented fields of the object are sent as they are. */
// @__NO_SIDE_EFFECTS__
const sentObject = <T extends z.core.$ZodShape>(shape: T) =>
  z.catchall(f.looseObject(shape), undocumented()) as unknown as z.ZodMiniObject<T, z.core.$strip>;

/** Returns the schema of a message with the given payload. Both kinds of message have the same other fields. */
// @__NO_SIDE_EFFECTS__
const message = <T extends z.ZodMiniType>(rcsPayload: T) =>
  sentObject({
    /** U.S. or Canadian phone number in any common format. The client sends it as E.164. */
    phoneNumber: phoneNumber(),
    /**
     * https URL of at most 255 characters, to which the service sends webhooks for this message. `https://localhost` is allowed,
     * but the service cannot reach your machine at that address.
     */
    webhookUrl: httpsUrl(),
    /** Content of the RCS message. */
    rcsPayload,
    /** Text that is sent as an SMS if RCS fails: 1 to 160 characters of GSM 7-bit. */
    smsFailover: smsFailover(),
  });

export const rcsTextMessageSchema = /* @__PURE__ */ f.once(() =>
  message(
    f.strictObject(
      {
        /** Text of at most 3000 characters. It supports bold, italic, underline, strikethrough and emoji. */
        text: f.string().check(f.rule(rcsTextProblems, { maximum: maxRcsTextLength })),
      },
      ({ code }) =>
        code === "unrecognized_keys" ? "supports `text` only" : "must be an object with a `text`",
    ),
  ),
);

/** RCS text with its SMS fallback. */
export interface RcsTextMessage extends z.input<ReturnType<typeof rcsTextMessageSchema>> {}

/** Schema of a file message for which the extension of the URL is not checked, because its host may serve a different type. */
export const fileMessageSchema = /* @__PURE__ */ f.once(() =>
  message(
    sentObject({
      /** File of the message. */
      file: sentObject({
        /**
         * URL of at most 255 characters that begins with `https://`. The file must have an allowed content type and at most
         * 100 MB.
         */
        url: f.string().check(f.rule(fileUrlProblems, { maximum: maxWebhookUrlLength })),
      }),
    }),
  ),
);

export const rcsFileMessageSchema = /* @__PURE__ */ f.once(() =>
  fileMessageSchema().check(f.rule((message) => fileTypeProblems(message, undefined))),
);

/** RCS file with its SMS fallback. */
export interface RcsFileMessage extends z.input<ReturnType<typeof rcsFileMessageSchema>> {}

export const transactionSchema = /* @__PURE__ */ f.once(() =>
  f.looseObject({
    /** Text that confirms that the message was accepted. */
    message: f.string(),
    /** Unique id for tracking the message. */
    transactionId: f.string(),
  }),
);

/**
 * Acceptance of a message. The service may report to the `webhookUrl` whether the message arrives; what it sends there is
 * not documented.
 */
export interface Transaction extends z.infer<ReturnType<typeof transactionSchema>> {}

const optionalNumber = /* @__PURE__ */ f.once(() => z.optional(f.number()));

export const validationErrorSchema = /* @__PURE__ */ f.once(() =>
  f.looseObject({
    /** Short summary of the error. */
    error: f.optionalString(),
    /** One issue for each field that broke a rule. */
    errors: f.listOf(
      f.looseObject({
        /** Code from the validation library of the service, such as `invalid_string`. */
        code: f.string(),
        /** Description of the failure for people. */
        message: f.string(),
        /** Keys and indexes that lead to the field. */
        path: f.listOf(z.union([z.string(), z.number()], "must be a string or a number")),
        /** Kind of check that failed, such as `url`. */
        validation: f.optionalString(),
        /** Smallest allowed length or value. */
        minimum: optionalNumber(),
        /** Largest allowed length or value. */
        maximum: optionalNumber(),
        /** Expected type. */
        type: f.optionalString(),
        /** Whether `minimum` or `maximum` itself is allowed. */
        inclusive: f.optionalBoolean(),
        /** Whether the length or value must be exactly `minimum` or `maximum`. */
        exact: f.optionalBoolean(),
      }),
    ),
  }),
);

/** Body of a response with HTTP 400 of the transactional API. */
export interface ValidationErrorBody extends z.infer<ReturnType<typeof validationErrorSchema>> {}
