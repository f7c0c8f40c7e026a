/** Where a phone stands with a list. `asked`: a step of a double opt-in waits for its reply. */
export type OptInState = "not_subscribed" | "asked" | "subscribed";

/** What happens to it. */
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

/** What must hold besides, of the list or of the step that waits for its reply. */
export type OptInCondition =
  | "single opt-in"
  | "double opt-in with steps"
  | "double opt-in without steps"
  | "success_action is nextrequest"
  | "success_action is optinsubscriber"
  | "follow_up is true";

/** What the phone is answered. A confirmation is the message for a first or for a repeat opt-in, unless it is bypassed. */
export type OptInAnswer =
  | "confirmation"
  | "request_message"
  | "retry_message"
  | "no_response_message"
  | "message_already_subscribed"
  | "message_stop"
  | "message_help"
  | "message_yes"
  | "message_reply";

/** One row of the opt-in machine. */
export interface OptInTransition {
  /** Where the phone stands before. */
  readonly from: OptInState;
  /** What happens. */
  readonly on: OptInEvent;
  /** What must hold besides. */
  readonly when?: OptInCondition;
  /** Where the phone stands after. */
  readonly to: OptInState;
  /** Where `to` is `asked`: the step that is asked; `same` waits on without being asked again. */
  readonly step?: "first" | "next" | "again" | "same";
  /** What the phone is answered; absent: nothing. */
  readonly answer?: OptInAnswer;
  /** Whether the specification tells it; the other rows are the fake's own. */
  readonly documented: boolean;
}

/**
 * The opt-in machine of the fake service, of which the diagram in the docs is drawn.
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
    answer: "confirmation",
    documented: true,
  },
  {
    from: "not_subscribed",
    on: "keyword",
    when: "double opt-in with steps",
    to: "asked",
    step: "first",
    answer: "request_message",
    documented: true,
  },
  {
    from: "not_subscribed",
    on: "keyword",
    when: "double opt-in without steps",
    to: "subscribed",
    answer: "confirmation",
    documented: false,
  },
  {
    from: "asked",
    on: "keyword",
    to: "asked",
    step: "first",
    answer: "request_message",
    documented: false,
  },
  {
    from: "subscribed",
    on: "keyword",
    to: "subscribed",
    answer: "message_already_subscribed",
    documented: false,
  },
  // A reply to a step, or none.
  {
    from: "asked",
    on: "valid_reply",
    when: "success_action is nextrequest",
    to: "asked",
    step: "next",
    answer: "request_message",
    documented: true,
  },
  {
    from: "asked",
    on: "valid_reply",
    when: "success_action is optinsubscriber",
    to: "subscribed",
    answer: "confirmation",
    documented: true,
  },
  {
    from: "asked",
    on: "invalid_reply",
    to: "asked",
    step: "again",
    answer: "retry_message",
    documented: true,
  },
  {
    from: "asked",
    on: "no_reply",
    when: "follow_up is true",
    to: "asked",
    step: "same",
    answer: "no_response_message",
    documented: true,
  },
  // Leaving, and asking for help.
  { from: "asked", on: "stop", to: "not_subscribed", answer: "message_stop", documented: false },
  {
    from: "subscribed",
    on: "stop",
    to: "not_subscribed",
    answer: "message_stop",
    documented: false,
  },
  {
    from: "not_subscribed",
    on: "stop",
    to: "not_subscribed",
    answer: "message_stop",
    documented: false,
  },
  { from: "subscribed", on: "removed", to: "not_subscribed", documented: true },
  { from: "asked", on: "removed", to: "not_subscribed", documented: false },
  {
    from: "asked",
    on: "help",
    to: "asked",
    step: "same",
    answer: "message_help",
    documented: false,
  },
  { from: "subscribed", on: "help", to: "subscribed", answer: "message_help", documented: false },
  {
    from: "not_subscribed",
    on: "help",
    to: "not_subscribed",
    answer: "message_help",
    documented: false,
  },
  // Any other text of a subscriber.
  { from: "subscribed", on: "yes", to: "subscribed", answer: "message_yes", documented: false },
  {
    from: "subscribed",
    on: "other_text",
    to: "subscribed",
    answer: "message_reply",
    documented: false,
  },
];
