export const optInStates = ["not_subscribed", "asked", "subscribed"] as const;

/** State of a phone on a list; `asked` means that a step of a double opt-in waits for its reply. */
export type OptInState = (typeof optInStates)[number];

/** Event between a phone and a list. */
export type OptInEvent =
  | "keyword"
  | "valid_reply"
  | "invalid_reply"
  | "no_reply"
  | "stop"
  | "help"
  | "yes"
  | "other_text"
  | "removed";

/** Condition on the list, or on the step that waits for its reply. */
export type OptInCondition =
  | "single opt-in"
  | "double opt-in with steps"
  | "double opt-in without steps"
  | "success_action is nextrequest"
  | "success_action is optinsubscriber"
  | "follow_up is true";

/** Message to the phone. A confirmation is the message for a first or a repeat opt-in, unless it is bypassed. */
export type OptInMessage =
  | "confirmation"
  | "request_message"
  | "retry_message"
  | "no_response_message"
  | "message_already_subscribed"
  | "message_stop"
  | "message_help"
  | "message_yes"
  | "message_reply";

/** Row of the opt-in machine. */
export interface OptInTransition {
  /** State of the phone before. */
  readonly from: OptInState;
  /** Event of the phone. */
  readonly on: OptInEvent;
  /** Additional condition. Default: none. */
  readonly when?: OptInCondition;
  /** State of the phone after. */
  readonly to: OptInState;
  /** Step that is asked when `to` is `asked`; `same` keeps waiting without asking again. */
  readonly step?: "first" | "next" | "again" | "same";
  /** Message to the phone. Default: none. */
  readonly message?: OptInMessage;
  /** Whether the specification describes the row; the other rows are the fake's own. */
  readonly documented: boolean;
}

/** Builds a row that the specification describes. */
const documented = (
  from: OptInState,
  on: OptInEvent,
  to: OptInState,
  rest: Pick<OptInTransition, "when" | "step" | "message"> = {},
): OptInTransition => ({ from, on, to, ...rest, documented: true });

const own: typeof documented = (...row) => ({ ...documented(...row), documented: false });

/**
 * The opt-in machine of the fake service. The table in the docs is generated from it.
 *
 * Specification: "States and transitions", and the notes on the messages of "List" and "Opt-in request".
 */
export const optInTransitions: readonly OptInTransition[] = [
  // A keyword.
  documented("not_subscribed", "keyword", "subscribed", {
    when: "single opt-in",
    message: "confirmation",
  }),
  documented("not_subscribed", "keyword", "asked", {
    when: "double opt-in with steps",
    step: "first",
    message: "request_message",
  }),
  own("not_subscribed", "keyword", "subscribed", {
    when: "double opt-in without steps",
    message: "confirmation",
  }),
  own("asked", "keyword", "asked", { step: "first", message: "request_message" }),
  own("subscribed", "keyword", "subscribed", { message: "message_already_subscribed" }),
  // A reply to a step, or none.
  documented("asked", "valid_reply", "asked", {
    when: "success_action is nextrequest",
    step: "next",
    message: "request_message",
  }),
  documented("asked", "valid_reply", "subscribed", {
    when: "success_action is optinsubscriber",
    message: "confirmation",
  }),
  documented("asked", "invalid_reply", "asked", { step: "again", message: "retry_message" }),
  documented("asked", "no_reply", "asked", {
    when: "follow_up is true",
    step: "same",
    message: "no_response_message",
  }),
  // STOP and HELP.
  own("asked", "stop", "not_subscribed", { message: "message_stop" }),
  own("subscribed", "stop", "not_subscribed", { message: "message_stop" }),
  own("not_subscribed", "stop", "not_subscribed", { message: "message_stop" }),
  documented("subscribed", "removed", "not_subscribed"),
  own("asked", "help", "asked", { step: "same", message: "message_help" }),
  own("subscribed", "help", "subscribed", { message: "message_help" }),
  own("not_subscribed", "help", "not_subscribed", { message: "message_help" }),
  // Any other text of a subscriber.
  own("subscribed", "yes", "subscribed", { message: "message_yes" }),
  own("subscribed", "other_text", "subscribed", { message: "message_reply" }),
];
