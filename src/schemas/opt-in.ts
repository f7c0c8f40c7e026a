import * as z from "zod/mini";
import { collectedDataTypes, successActions } from "../rules/opt-in-steps.ts";
import {
  boolean,
  integer,
  integerOrNull,
  listOf,
  looseObject,
  mustBe,
  once,
  openEnum,
  string,
  stringOrNull,
  timestamp,
} from "./fields.ts";

export const optInRequestSchema = /* @__PURE__ */ once(() =>
  looseObject({
    /** Id of the step. */
    id: integer(),
    /** Id of the list that the step belongs to. */
    list_id: integer(),
    /** Kind of reply that the step asks for: `zip_code`, `email_address`, `first_name` or `yes`. */
    collected_data: openEnum(collectedDataTypes),
    /** Question that asks for the collected data. It is sent after the keyword, or after the previous step. */
    request_message: string(),
    /** Message that is sent when the reply is not valid for the collected data. */
    retry_message: string(),
    /** Whether a reminder is sent when there is no reply. */
    follow_up: boolean(),
    /** Hours to wait before the reminder. */
    follow_up_hour: integerOrNull(),
    /** Text of the reminder. */
    no_response_message: stringOrNull(),
    /** Effect of a valid reply: `nextrequest` sends the next step, and `optinsubscriber` of the last step subscribes the phone. */
    success_action: z.nullable(openEnum(successActions)),
    /** Message that is sent after a first-time double opt-in completes. */
    opt_in_message: stringOrNull(),
    /** Message that is sent after a repeat double opt-in completes. */
    second_opt_in_message: stringOrNull(),
    /** Whether the confirmation message of this step is not sent. */
    bypass_opt_in_response: boolean(),
    /** Time at which the step was created, ISO 8601. */
    created_at: timestamp(),
    /** Time at which the step was last changed, ISO 8601. */
    updated_at: timestamp(),
  }),
);

/** Step of a double opt-in, as the service returns it. */
export interface OptInRequest extends z.infer<ReturnType<typeof optInRequestSchema>> {}

/** Returns the schema of opt-in settings or of the response to them; `opt_in_type` discriminates single from double. */
// @__NO_SIDE_EFFECTS__
export const byOptInType = <T>(single: z.ZodMiniObject, double: z.ZodMiniObject) =>
  z.discriminatedUnion("opt_in_type", [single, double], {
    error: ({ code, input }) =>
      code === "invalid_union"
        ? mustBe("single or double").error({ input: Object(input).opt_in_type })
        : mustBe("an object").error({ input }),
  }) as unknown as z.ZodMiniType<T, T>;

export const singleOptInResultSchema = /* @__PURE__ */ once(() =>
  looseObject({
    /** Type of opt-in, which discriminates the two responses. */
    opt_in_type: z.literal("single"),
    /** Message that is sent after a first-time opt-in. */
    first_optin_message: stringOrNull(),
    /** Message that is sent after a repeat opt-in. */
    second_optin_message: stringOrNull(),
  }),
);

export const doubleOptInResultSchema = /* @__PURE__ */ once(() =>
  looseObject({
    /** Text that says that the settings were updated. */
    status: string(),
    /** Type of opt-in, which discriminates the two responses. */
    opt_in_type: z.literal("double"),
    /** Steps with their ids and timestamps. */
    opt_in_requests: listOf(optInRequestSchema()),
  }),
);

/** Response to single opt-in settings. */
export interface SingleOptInResult extends z.infer<ReturnType<typeof singleOptInResultSchema>> {}

/** Response to double opt-in settings. */
export interface DoubleOptInResult extends z.infer<ReturnType<typeof doubleOptInResultSchema>> {
  /** Steps with their ids and timestamps. */
  opt_in_requests: OptInRequest[];
}

/** Response to opt-in settings; `opt_in_type` discriminates single from double. */
export type OptInSettingsResult = SingleOptInResult | DoubleOptInResult;

export const optInSettingsResultSchema = /* @__PURE__ */ once(() =>
  byOptInType<OptInSettingsResult>(singleOptInResultSchema(), doubleOptInResultSchema()),
);
