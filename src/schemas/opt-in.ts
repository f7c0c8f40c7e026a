import * as z from "zod/mini";
import { COLLECTED_DATA, SUCCESS_ACTIONS } from "../rules/opt-in-steps.ts";
import { flag, integer, integerOrNull, listOf, open, openSet, text, textOrNull } from "./fields.ts";

/** Specification: "Opt-in request (double opt-in step)", as the service returns it. */
export const optInRequestSchema = /* @__PURE__ */ open({
  id: integer,
  list_id: integer,
  collected_data: /* @__PURE__ */ openSet(COLLECTED_DATA),
  /** Sent to the phone number after it texts the keyword; asks for the collected data. */
  request_message: text,
  /** Sent when the reply is not valid for the collected data. */
  retry_message: text,
  /** Whether a reminder is sent when there is no reply. */
  follow_up: flag,
  /** Hours to wait before the reminder. */
  follow_up_hour: integerOrNull,
  /** The reminder. */
  no_response_message: textOrNull,
  success_action: /* @__PURE__ */ z.nullable(/* @__PURE__ */ openSet(SUCCESS_ACTIONS)),
  /** Sent after a first-time double opt-in completes. */
  opt_in_message: textOrNull,
  /** Sent after a repeat double opt-in completes. */
  second_opt_in_message: textOrNull,
  /** When true, the confirmation message is not sent. */
  bypass_opt_in_response: flag,
  /** ISO 8601. */
  created_at: text,
  /** ISO 8601. */
  updated_at: text,
});

/** A step of a double opt-in, as the service returns it (specification: "Opt-in request"). */
export interface OptInRequest extends z.infer<typeof optInRequestSchema> {}

/** What something whose `opt_in_type` is neither is told. */
export const OF_A_TYPE = "must be an object whose opt_in_type is single or double";

/** Specification: "Configure opt-in type", its two responses. */
export const optInSettingsResultSchema = /* @__PURE__ */ z.discriminatedUnion(
  "opt_in_type",
  [
    /* @__PURE__ */ open({
      opt_in_type: /* @__PURE__ */ z.literal("single"),
      first_optin_message: textOrNull,
      second_optin_message: textOrNull,
    }),
    /* @__PURE__ */ open({
      status: text,
      opt_in_type: /* @__PURE__ */ z.literal("double"),
      opt_in_requests: /* @__PURE__ */ listOf(optInRequestSchema),
    }),
  ],
  OF_A_TYPE,
);

/** What the service answers to settings of either type. */
export type OptInSettingsResult = z.infer<typeof optInSettingsResultSchema>;
/** What the service answers to single opt-in settings. */
export type SingleOptInResult = Extract<OptInSettingsResult, { opt_in_type: "single" }>;
/** What the service answers to double opt-in settings. */
export type DoubleOptInResult = Extract<OptInSettingsResult, { opt_in_type: "double" }>;
