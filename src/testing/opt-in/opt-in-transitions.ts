/** State of a phone on a list; `asked` means that a step of a double opt-in waits for its reply. */
export type OptInState = "not_subscribed" | "asked" | "subscribed";

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
  /** Condition that must hold as well. Default: none. */
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

/**
 * The opt-in machine of the fake service; the diagram in the docs is drawn from it.
 *
 * Specification: "States and transitions", and the notes on the messages of "List" and "Opt-in request".
 */
export const optInTransitions: readonly OptInTransition[] = [
  // A keyword.
  {
    from: "not_subscribed",
    on: "keyword",
    when: "single opt-in",
    to: "subscribed",
    message: "confirmation",
    documented: true,
  },
  {
    from: "not_subscribed",
    on: "keyword",
    when: "double opt-in with steps",
    to: "asked",
    step: "first",
    message: "request_message",
    documented: true,
  },
  {
    from: "not_subscribed",
    on: "keyword",
    when: "double opt-in without steps",
    to: "subscribed",
    message: "confirmation",
    documented: false,
  },
  {
    from: "asked",
    on: "keyword",
    to: "asked",
    step: "first",
    message: "request_message",
    documented: false,
  },
  {
    from: "subscribed",
    on: "keyword",
    to: "subscribed",
    message: "message_already_subscribed",
    documented: false,
  },
  // A reply to a step, or none.
  {
    from: "asked",
    on: "valid_reply",
    when: "success_action is nextrequest",
    to: "asked",
    step: "next",
    message: "request_message",
    documented: true,
  },
  {
    from: "asked",
    on: "valid_reply",
    when: "success_action is optinsubscriber",
    to: "subscribed",
    message: "confirmation",
    documented: true,
  },
  {
    from: "asked",
    on: "invalid_reply",
    to: "asked",
    step: "again",
    message: "retry_message",
    documented: true,
  },
  {
    from: "asked",
    on: "no_reply",
    when: "follow_up is true",
    to: "asked",
    step: "same",
    message: "no_response_message",
    documented: true,
  },
  // STOP and HELP.
  { from: "asked", on: "stop", to: "not_subscribed", message: "message_stop", documented: false },
  {
    from: "subscribed",
    on: "stop",
    to: "not_subscribed",
    message: "message_stop",
    documented: false,
  },
  {
    from: "not_subscribed",
    on: "stop",
    to: "not_subscribed",
    message: "message_stop",
    documented: false,
  },
  { from: "subscribed", on: "removed", to: "not_subscribed", documented: true },
  { from: "asked", on: "removed", to: "not_subscribed", documented: false },
  {
    from: "asked",
    on: "help",
    to: "asked",
    step: "same",
    message: "message_help",
    documented: false,
  },
  { from: "subscribed", on: "help", to: "subscribed", message: "message_help", documented: false },
  {
    from: "not_subscribed",
    on: "help",
    to: "not_subscribed",
    message: "message_help",
    documented: false,
  },
  // Any other text of a subscriber.
  { from: "subscribed", on: "yes", to: "subscribed", message: "message_yes", documented: false },
  {
    from: "subscribed",
    on: "other_text",
    to: "subscribed",
    message: "message_reply",
    documented: false,
  },
];
