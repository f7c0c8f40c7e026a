import * as z from "zod/mini";
import {
  COLLECTED_DATA,
  followUpProblems,
  hourProblems,
  SUCCESS_ACTIONS,
  stepOrderProblems,
} from "../rules/opt-in-steps.ts";
import { flag, follows, listOf, mustBe, oneOf, open, textOrNull } from "./fields.ts";
import { OF_A_TYPE, type OptInRequest } from "./opt-in.ts";

/** The messages of a step that may be left out. */
interface StepMessages {
  /** The reminder; used only when `follow_up` is true. */
  readonly no_response_message?: string | null | undefined;
  /** Sent after a first-time opt-in completes. */
  readonly opt_in_message?: string | null | undefined;
  /** Sent after a repeat opt-in completes. */
  readonly second_opt_in_message?: string | null | undefined;
  /** When true, the confirmation message is not sent. */
  readonly bypass_opt_in_response?: boolean | undefined;
}

/** When a reminder is sent to who does not reply. */
type FollowUp =
  | {
      /** Whether a reminder is sent when there is no reply. */
      readonly follow_up: true;
      /** Hours to wait before the reminder. */
      readonly follow_up_hour: number;
    }
  | {
      /** Whether a reminder is sent when there is no reply. */
      readonly follow_up: false;
      /** Hours to wait before the reminder. */
      readonly follow_up_hour?: number | null | undefined;
    };

/** A step of a double opt-in, to be configured (specification: "Opt-in request"). */
export type OptInStep = StepMessages &
  FollowUp & {
    /** What the reply must be. */
    readonly collected_data: (typeof COLLECTED_DATA)[number];
    /** Sent after the keyword, or after the step before; must ask for the collected data. */
    readonly request_message: string;
    /** Sent when a reply is not valid for the collected data. */
    readonly retry_message: string;
    /** `optinsubscriber` for the last step, `nextrequest` for every earlier one. */
    readonly success_action: (typeof SUCCESS_ACTIONS)[number];
  };

/** Settings of a single opt-in: the keyword alone subscribes (specification: "Configure opt-in type"). */
export interface SingleOptInSettings {
  /** Tells the two kinds of settings apart. */
  readonly opt_in_type: "single";
  /** When true, the confirmation message is not sent: for who uses a scheduled welcome message. */
  readonly bypass_opt_in_response?: boolean | undefined;
  /** Sent after a first-time opt-in. */
  readonly first_optin_message?: string | null | undefined;
  /** Sent after a repeat opt-in. */
  readonly second_optin_message?: string | null | undefined;
}

/** Settings of a double opt-in: the keyword starts the steps (specification: "Configure opt-in type"). */
export interface DoubleOptInSettings {
  /** Tells the two kinds of settings apart. */
  readonly opt_in_type: "double";
  /** When true, the confirmation message is not sent: for who uses a scheduled welcome message. */
  readonly bypass_opt_in_response?: boolean | undefined;
  /** The steps in their order, new ones or as the service returned them. */
  readonly opt_in_requests?: readonly (OptInStep | OptInRequest)[] | undefined;
}

/** How phones get onto a list (specification: "Configure opt-in type"). */
export type OptInSettings = SingleOptInSettings | DoubleOptInSettings;

const optionalFlag = /* @__PURE__ */ z.optional(flag);
const optionalTextOrNull = /* @__PURE__ */ z.optional(textOrNull);

// zod's own integer would keep the rules of the whole list from being looked at.
const hours = /* @__PURE__ */ z
  .number(/* @__PURE__ */ mustBe("an integer"))
  .check(/* @__PURE__ */ follows(hourProblems));

// Which fields the service requires is not documented: the types above ask for those that its table
// does not mark nullable, and at run time only what a rule names is asked for.
const stepSchema = /* @__PURE__ */ open({
  collected_data: /* @__PURE__ */ z.optional(/* @__PURE__ */ oneOf(COLLECTED_DATA)),
  request_message: optionalTextOrNull,
  retry_message: optionalTextOrNull,
  follow_up: optionalFlag,
  follow_up_hour: /* @__PURE__ */ z.optional(/* @__PURE__ */ z.nullable(hours)),
  no_response_message: optionalTextOrNull,
  success_action: /* @__PURE__ */ z.optional(
    /* @__PURE__ */ z.nullable(/* @__PURE__ */ oneOf(SUCCESS_ACTIONS)),
  ),
  opt_in_message: optionalTextOrNull,
  second_opt_in_message: optionalTextOrNull,
  bypass_opt_in_response: optionalFlag,
}).check(
  /* @__PURE__ */ follows(followUpProblems),
  /* @__PURE__ */ z.overwrite((step) => {
    const { id, list_id, created_at, updated_at, ...sent } = step as Partial<OptInRequest>;
    return sent as typeof step;
  }),
);

/** Specification: "Configure opt-in type", its body and its rules. */
export const optInSettingsSchema = /* @__PURE__ */ z.discriminatedUnion(
  "opt_in_type",
  [
    /* @__PURE__ */ open({
      opt_in_type: /* @__PURE__ */ z.literal("single"),
      bypass_opt_in_response: optionalFlag,
      first_optin_message: optionalTextOrNull,
      second_optin_message: optionalTextOrNull,
    }),
    /* @__PURE__ */ open({
      opt_in_type: /* @__PURE__ */ z.literal("double"),
      bypass_opt_in_response: optionalFlag,
      opt_in_requests: /* @__PURE__ */ z.optional(
        /* @__PURE__ */ listOf(stepSchema).check(/* @__PURE__ */ follows(stepOrderProblems)),
      ),
    }),
  ],
  OF_A_TYPE,
) as unknown as z.ZodMiniType<OptInSettings, OptInSettings>;
