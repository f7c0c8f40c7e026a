import * as z from "zod/mini";
import { COLLECTED_DATA, SUCCESS_ACTIONS } from "../rules/opt-in-steps.ts";
import { flag, integer, integerOrNull, listOf, open, openSet, text, textOrNull } from "./fields.ts";

/** Specification: "Opt-in request (double opt-in step)", as the service returns it. */
export const optInRequestSchema = /* @__PURE__ */ open({
  /** Identifies the step. */
  id: integer,
  /** The list that the step belongs to. */
  list_id: integer,
  /** What the reply must be: `zip_code`, `email_address`, `first_name` or `yes`. */
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
  /** `nextrequest`, or `optinsubscriber` for the last step. */
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

const singleOptInResultSchema = /* @__PURE__ */ open({
  /** Tells the two responses apart. */
  opt_in_type: /* @__PURE__ */ z.literal("single"),
  /** Sent after a first-time opt-in. */
  first_optin_message: textOrNull,
  /** Sent after a repeat opt-in. */
  second_optin_message: textOrNull,
});

const doubleOptInResultSchema = /* @__PURE__ */ open({
  /** The service's words that the settings were updated. */
  status: text,
  /** Tells the two responses apart. */
  opt_in_type: /* @__PURE__ */ z.literal("double"),
  /** The steps, with their ids and timestamps. */
  opt_in_requests: /* @__PURE__ */ listOf(optInRequestSchema),
});

/** What the service answers to single opt-in settings (specification: "Configure opt-in type"). */
export interface SingleOptInResult extends z.infer<typeof singleOptInResultSchema> {}

/** What the service answers to double opt-in settings (specification: "Configure opt-in type"). */
export interface DoubleOptInResult extends z.infer<typeof doubleOptInResultSchema> {}

/** Specification: "Configure opt-in type", its two responses. */
export const optInSettingsResultSchema = /* @__PURE__ */ z.discriminatedUnion(
  "opt_in_type",
  [singleOptInResultSchema, doubleOptInResultSchema],
  OF_A_TYPE,
);

/** What the service answers to settings of either type. */
export type OptInSettingsResult = SingleOptInResult | DoubleOptInResult;
