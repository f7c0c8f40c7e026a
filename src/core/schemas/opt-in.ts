import * as z from "zod/mini";
import {
  collectedDataTypes,
  followUpProblems,
  stepOrderProblems,
  successActions,
} from "../rules/opt-in-steps.ts";
import * as f from "./fields.ts";

export const optInRequestSchema = /* @__PURE__ */ f.once(() =>
  f.looseObject({
    /** Id of the step. */
    id: f.integer(),
    /** Id of the list that the step belongs to. */
    list_id: f.integer(),
    /** Kind of reply that the step asks for: `zip_code`, `email_address`, `first_name` or `yes`. */
    collected_data: f.openEnum(collectedDataTypes),
    /** Question that asks for the collected data. It is sent after the keyword, or after the previous step. */
    request_message: f.string(),
    /** Message that is sent when the reply is not valid for the collected data. */
    retry_message: f.string(),
    /** Whether a reminder is sent when there is no reply. */
    follow_up: f.boolean(),
    /** Hours to wait before the reminder. */
    follow_up_hour: f.integerOrNull(),
    /** Text of the reminder. */
    no_response_message: f.stringOrNull(),
    /**
     * Effect of a valid reply: `nextrequest` sends the next step; `optinsubscriber`, on the last step, subscribes the phone
     * number.
     */
    success_action: z.nullable(f.openEnum(successActions)),
    /** Message that is sent after a first-time double opt-in completes. */
    opt_in_message: f.stringOrNull(),
    /** Message that is sent after a repeat double opt-in completes. */
    second_opt_in_message: f.stringOrNull(),
    /** Whether the confirmation message of this step is not sent. */
    bypass_opt_in_response: f.boolean(),
    /** Time at which the step was created, ISO 8601. */
    created_at: f.timestamp(),
    /** Time at which the step was last changed, ISO 8601. */
    updated_at: f.timestamp(),
  }),
);

/** Step of a double opt-in, as the service returns it. */
export interface OptInRequest extends z.infer<ReturnType<typeof optInRequestSchema>> {}

/**
 * Returns the schema of opt-in settings or of the response to them; `opt_in_type` discriminates single from double. It is much
 * smaller than a union of zod.
 */
// @__NO_SIDE_EFFECTS__
const byOptInType = <T>(single: z.ZodMiniType, double: z.ZodMiniType) =>
  f.looseObject({ opt_in_type: z.enum(["single", "double"], f.mustBe("single or double")) }).check(
    z.check(
      (payload) => {
        const isSingle = payload.value.opt_in_type === "single";
        const { data, error } = z.safeParse(isSingle ? single : double, payload.value);
        if (error) payload.issues.push(...(error.issues as never[]));
        else payload.value = data as never;
      },
      // `documentedWords` reads the schemas from here.
      { options: [single, double] } as object,
    ),
  ) as unknown as z.ZodMiniType<T, T>;

export const singleOptInResultSchema = /* @__PURE__ */ f.once(() =>
  f.looseObject({
    /** Type of opt-in, which discriminates the two responses. */
    opt_in_type: z.literal("single"),
    /** Message that is sent after a first-time opt-in. */
    first_optin_message: f.stringOrNull(),
    /** Message that is sent after a repeat opt-in. */
    second_optin_message: f.stringOrNull(),
  }),
);

export const doubleOptInResultSchema = /* @__PURE__ */ f.once(() =>
  f.looseObject({
    /** Text that confirms that the settings were updated. */
    status: f.string(),
    /** Type of opt-in, which discriminates the two responses. */
    opt_in_type: z.literal("double"),
    /** Steps with their ids and timestamps. */
    opt_in_requests: f.listOf(optInRequestSchema()),
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

export const optInSettingsResultSchema = /* @__PURE__ */ f.once(() =>
  byOptInType<OptInSettingsResult>(singleOptInResultSchema(), doubleOptInResultSchema()),
);

/** Fields of every new step of a double opt-in. */
interface StepFields {
  /** Kind of reply that the step asks for: `zip_code`, `email_address`, `first_name` or `yes`. */
  readonly collected_data: (typeof collectedDataTypes)[number];
  /** Question that must ask for the collected data. It is sent after the keyword, or after the previous step. */
  readonly request_message: string;
  /** Message that is sent when a reply is not valid for the collected data. */
  readonly retry_message: string;
  /** Effect of a valid reply: `optinsubscriber` for the last step, `nextrequest` for every earlier step. */
  readonly success_action: (typeof successActions)[number];
  /** Text of the reminder. Used only if `follow_up` is `true`. */
  readonly no_response_message?: string | null | undefined;
  /** Message that is sent after a first-time opt-in completes. */
  readonly opt_in_message?: string | null | undefined;
  /** Message that is sent after a repeat opt-in completes. */
  readonly second_opt_in_message?: string | null | undefined;
  /** Whether to send no confirmation message for this step. */
  readonly bypass_opt_in_response?: boolean | undefined;
}

/** New step of a double opt-in that sends a reminder if there is no reply. */
export interface OptInStepWithReminder extends StepFields {
  /** Whether a reminder is sent when there is no reply. */
  readonly follow_up: true;
  /** Hours to wait before the reminder, an integer. Required when `follow_up` is true. */
  readonly follow_up_hour: number;
}

/** New step of a double opt-in that sends no reminder. */
export interface OptInStepWithoutReminder extends StepFields {
  /** Whether a reminder is sent when there is no reply. */
  readonly follow_up: false;
  /** Hours to wait before a reminder, an integer. Required only when `follow_up` is true. */
  readonly follow_up_hour?: number | null | undefined;
}

/** New step of a double opt-in. */
export type OptInStep = OptInStepWithReminder | OptInStepWithoutReminder;

// This type lists no other fields, because TypeScript explains a mistake in a step by the type that shares the most fields with
// it.
/**
 * Step of a double opt-in as the service returned it, recognized by the fields that only responses have. You can send the step
 * back, because the client removes these fields.
 */
interface ReturnedOptInStep
  extends Pick<OptInRequest, "id" | "list_id" | "created_at" | "updated_at"> {}

/** Settings of a double opt-in, in which the keyword starts the steps. */
export interface DoubleOptInSettings {
  /** Type of opt-in, which discriminates the two kinds of settings. */
  readonly opt_in_type: "double";
  /** Whether to send no confirmation message, for accounts that use a scheduled welcome message instead. */
  readonly bypass_opt_in_response?: boolean | undefined;
  /**
   * Steps in their order: new steps, or steps as the service returned them. The last step has `success_action:
   * "optinsubscriber"`, every earlier step has `"nextrequest"`. The client permits settings without steps. What the service then
   * does is not documented.
   */
  readonly opt_in_requests?: readonly (OptInStep | ReturnedOptInStep)[] | undefined;
}

/** Settings of a list's opt-in; `opt_in_type` discriminates single from double. */
export type OptInSettings = SingleOptInSettings | DoubleOptInSettings;

// The specification does not say which fields are required. The types above require the fields that its table does not mark
// as nullable. At run time, only `follow_up_hour` and `success_action` are required, because a documented rule names them.
const stepSchema = /* @__PURE__ */ f.once(() =>
  f
    .withoutFieldsOf(
      optInRequestSchema(),
      f.looseObject({
        collected_data: z.optional(f.oneOf(collectedDataTypes)),
        request_message: f.optionalStringOrNull(),
        retry_message: f.optionalStringOrNull(),
        follow_up: f.optionalBoolean(),
        follow_up_hour: z.optional(f.integerOrNull()),
        no_response_message: f.optionalStringOrNull(),
        success_action: z.optional(z.nullable(f.oneOf(successActions))),
        opt_in_message: f.optionalStringOrNull(),
        second_opt_in_message: f.optionalStringOrNull(),
        bypass_opt_in_response: f.optionalBoolean(),
      }),
    )
    .check(f.rule(followUpProblems)),
);

export const singleSettingsSchema = /* @__PURE__ */ f.once(() =>
  f.looseObject({
    /** Type of opt-in, which discriminates the two kinds of settings. */
    opt_in_type: z.literal("single"),
    /** Whether to send no confirmation message, for accounts that use a scheduled welcome message instead. */
    bypass_opt_in_response: f.optionalBoolean(),
    /** Message that is sent after a first-time opt-in. */
    first_optin_message: f.optionalStringOrNull(),
    /** Message that is sent after a repeat opt-in. */
    second_optin_message: f.optionalStringOrNull(),
  }),
);

/** Settings of a single opt-in, in which the keyword alone subscribes a phone number. */
export interface SingleOptInSettings extends z.input<ReturnType<typeof singleSettingsSchema>> {}

export const doubleSettingsSchema = /* @__PURE__ */ f.once(() =>
  f.looseObject({
    opt_in_type: z.literal("double"),
    bypass_opt_in_response: f.optionalBoolean(),
    opt_in_requests: z.optional(f.listOf(stepSchema()).check(f.rule(stepOrderProblems))),
  }),
);

export const optInSettingsSchema = /* @__PURE__ */ f.once(() =>
  byOptInType<OptInSettings>(singleSettingsSchema(), doubleSettingsSchema()),
);
