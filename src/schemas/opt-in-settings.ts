import * as z from "zod/mini";
import {
  collectedDataTypes,
  followUpProblems,
  hourProblems,
  stepOrderProblems,
  successActions,
} from "../rules/opt-in-steps.ts";
import {
  leaveOut,
  listOf,
  literal,
  looseObject,
  mustBe,
  once,
  oneOf,
  optionalBoolean,
  optionalStringOrNull,
  rule,
} from "./fields.ts";
import { byOptInType, type OptInRequest } from "./opt-in.ts";

/** Fields of every step of a double opt-in to configure. */
interface StepFields {
  /** Kind of reply that the step asks for. */
  readonly collected_data: (typeof collectedDataTypes)[number];
  /** Question that is sent after the keyword, or after the step before. Must ask for the collected data. */
  readonly request_message: string;
  /** Message that is sent when a reply is not valid for the collected data. */
  readonly retry_message: string;
  /** Effect of a valid reply: `optinsubscriber` for the last step, `nextrequest` for every earlier one. */
  readonly success_action: (typeof successActions)[number];
  /** Text of the reminder. Used only when `follow_up` is true. */
  readonly no_response_message?: string | null | undefined;
  /** Message that is sent after a first-time opt-in completes. */
  readonly opt_in_message?: string | null | undefined;
  /** Message that is sent after a repeat opt-in completes. */
  readonly second_opt_in_message?: string | null | undefined;
  /** Whether the confirmation message of this step is left out. */
  readonly bypass_opt_in_response?: boolean | undefined;
}

/** Step of a double opt-in that sends a reminder. */
export interface OptInStepWithReminder extends StepFields {
  /** Whether a reminder is sent when there is no reply. */
  readonly follow_up: true;
  /** Hours to wait before the reminder, an integer. Required when `follow_up` is true. */
  readonly follow_up_hour: number;
}

/** Step of a double opt-in that sends no reminder. */
export interface OptInStepWithoutReminder extends StepFields {
  /** Whether a reminder is sent when there is no reply. */
  readonly follow_up: false;
  /** Hours to wait before the reminder, an integer. Required when `follow_up` is true. */
  readonly follow_up_hour?: number | null | undefined;
}

/** Step of a double opt-in to configure (specification: "Opt-in request"). */
export type OptInStep = OptInStepWithReminder | OptInStepWithoutReminder;

/**
 * Step of a double opt-in as the service returned it, known by the fields that only responses have.
 *
 * It names no other field, because TypeScript explains a mistake in a step by the type that shares most fields with it.
 */
export interface ReturnedOptInStep
  extends Pick<OptInRequest, "id" | "list_id" | "created_at" | "updated_at"> {}

const STEP_RESPONSE_FIELDS: Readonly<Record<keyof ReturnedOptInStep, true>> = {
  id: true,
  list_id: true,
  created_at: true,
  updated_at: true,
};

/** Settings of a single opt-in: the keyword alone subscribes (specification: "Configure opt-in type"). */
export interface SingleOptInSettings {
  /** Type of the settings; discriminates the two. */
  readonly opt_in_type: "single";
  /** Whether the confirmation message is left out, for accounts that use a scheduled welcome message. */
  readonly bypass_opt_in_response?: boolean | undefined;
  /** Message that is sent after a first-time opt-in. */
  readonly first_optin_message?: string | null | undefined;
  /** Message that is sent after a repeat opt-in. */
  readonly second_optin_message?: string | null | undefined;
}

/** Settings of a double opt-in: the keyword starts the steps (specification: "Configure opt-in type"). */
export interface DoubleOptInSettings {
  /** Type of the settings; discriminates the two. */
  readonly opt_in_type: "double";
  /** Whether the confirmation message is left out, for accounts that use a scheduled welcome message. */
  readonly bypass_opt_in_response?: boolean | undefined;
  /** Steps in their order, new ones or as the service returned them. */
  readonly opt_in_requests?: readonly (OptInStep | ReturnedOptInStep)[] | undefined;
}

/** Settings of how phones subscribe to a list (specification: "Configure opt-in type"). */
export type OptInSettings = SingleOptInSettings | DoubleOptInSettings;

// A number, because zod would skip the rules of the whole list after an issue of its own integer check.
const hours = /* @__PURE__ */ once(() => z.number(mustBe("an integer")).check(rule(hourProblems)));

// The specification does not say which fields are required. The types above require those that its table does not
// mark as nullable; at run time, only those that a rule names are required.
const stepSchema = /* @__PURE__ */ once(() =>
  looseObject({
    collected_data: z.optional(oneOf(collectedDataTypes)),
    request_message: optionalStringOrNull(),
    retry_message: optionalStringOrNull(),
    follow_up: optionalBoolean(),
    follow_up_hour: z.optional(z.nullable(hours())),
    no_response_message: optionalStringOrNull(),
    success_action: z.optional(z.nullable(oneOf(successActions))),
    opt_in_message: optionalStringOrNull(),
    second_opt_in_message: optionalStringOrNull(),
    bypass_opt_in_response: optionalBoolean(),
  }).check(rule(followUpProblems), leaveOut(STEP_RESPONSE_FIELDS)),
);

export const singleSettingsSchema = /* @__PURE__ */ once(() =>
  looseObject({
    opt_in_type: literal("single"),
    bypass_opt_in_response: optionalBoolean(),
    first_optin_message: optionalStringOrNull(),
    second_optin_message: optionalStringOrNull(),
  }),
);

export const doubleSettingsSchema = /* @__PURE__ */ once(() =>
  looseObject({
    opt_in_type: literal("double"),
    bypass_opt_in_response: optionalBoolean(),
    opt_in_requests: z.optional(listOf(stepSchema()).check(rule(stepOrderProblems))),
  }),
);

/** Specification: "Configure opt-in type", its body and its rules. */
export const optInSettingsSchema = /* @__PURE__ */ once(() =>
  byOptInType<OptInSettings>(singleSettingsSchema(), doubleSettingsSchema()),
);
