import type { NewList, OptInState, OptInTransition } from "messaging-service-client/testing";
import {
  double,
  doubleOf,
  emailStep,
  single,
  yesStep,
  zipStep,
} from "../../support/fakes/opt-in-lists.ts";

/** A row of the opt-in machine, driven from outside. */
export interface Scenario extends Pick<OptInTransition, "from" | "on" | "when"> {
  readonly list: NewList;
  /** Texts that bring the phone into the state `from`. */
  readonly texts: readonly string[];
  /** Whether the phone is then added to the list by hand. */
  readonly isSubscribedMeanwhile?: true;
  /** A text, hours that pass, or a removal. */
  readonly event: string | { readonly hours: number } | "DELETE";
  /** Causes of the messages that the phone receives. */
  readonly replies: readonly string[];
  readonly to: OptInState;
  /** `retry_message` of the step that waits for a reply afterwards. */
  readonly waiting?: string;
}

const asDouble = { opt_in_type: "double", opt_in_requests: [] } as const;
const oneStep = doubleOf(yesStep);

/** The scenarios, one for each row. */
export const scenarios: readonly Scenario[] = [
  // Keywords.
  {
    from: "not_subscribed",
    on: "keyword",
    when: "single opt-in",
    list: single,
    texts: [],
    event: "VIP",
    replies: ["first_optin_message"],
    to: "subscribed",
  },
  {
    from: "not_subscribed",
    on: "keyword",
    when: "double opt-in with steps",
    list: double,
    texts: [],
    event: "CLUB",
    replies: ["request_message"],
    to: "asked",
    waiting: zipStep.retry_message,
  },
  {
    from: "not_subscribed",
    on: "keyword",
    when: "double opt-in without steps",
    list: { ...single, ...asDouble },
    texts: [],
    event: "VIP",
    replies: ["first_optin_message"],
    to: "subscribed",
  },
  {
    from: "asked",
    on: "keyword",
    list: double,
    texts: ["CLUB", "98101", "ann@example.com"],
    event: "CLUB",
    replies: ["request_message"],
    to: "asked",
    waiting: zipStep.retry_message,
  },
  {
    from: "subscribed",
    on: "keyword",
    list: single,
    texts: ["VIP"],
    event: "VIP",
    replies: ["message_already_subscribed"],
    to: "subscribed",
  },
  // A reply to a step, or none.
  {
    from: "asked",
    on: "valid_reply",
    when: "success_action is nextrequest",
    list: double,
    texts: ["CLUB"],
    event: "98101",
    replies: ["request_message"],
    to: "asked",
    waiting: emailStep.retry_message,
  },
  {
    from: "asked",
    on: "valid_reply",
    when: "success_action is optinsubscriber",
    list: oneStep,
    texts: ["CLUB"],
    event: "YES",
    replies: ["opt_in_message"],
    to: "subscribed",
  },
  {
    from: "asked",
    on: "invalid_reply",
    list: double,
    texts: ["CLUB"],
    event: "no idea",
    replies: ["retry_message"],
    to: "asked",
    waiting: zipStep.retry_message,
  },
  {
    from: "asked",
    on: "no_reply",
    when: "follow_up is true",
    list: double,
    texts: ["CLUB"],
    event: { hours: 2 },
    replies: ["no_response_message"],
    to: "asked",
    waiting: zipStep.retry_message,
  },
  // STOP and HELP.
  {
    from: "asked",
    on: "stop",
    list: double,
    texts: ["CLUB"],
    event: "STOP",
    replies: ["message_stop"],
    to: "not_subscribed",
  },
  {
    from: "subscribed",
    on: "stop",
    list: single,
    texts: ["VIP"],
    event: "STOP",
    replies: ["message_stop"],
    to: "not_subscribed",
  },
  {
    from: "not_subscribed",
    on: "stop",
    list: single,
    texts: ["VIP", "STOP"],
    event: "STOP",
    replies: ["message_stop"],
    to: "not_subscribed",
  },
  {
    from: "subscribed",
    on: "removed",
    list: single,
    texts: ["VIP"],
    event: "DELETE",
    replies: [],
    to: "not_subscribed",
  },
  {
    from: "asked",
    on: "removed",
    list: double,
    texts: ["CLUB", "98101"],
    isSubscribedMeanwhile: true,
    event: "DELETE",
    replies: [],
    to: "not_subscribed",
  },
  {
    from: "asked",
    on: "help",
    list: double,
    texts: ["CLUB", "98101"],
    event: "HELP",
    replies: ["message_help"],
    to: "asked",
    waiting: emailStep.retry_message,
  },
  {
    from: "subscribed",
    on: "help",
    list: single,
    texts: ["VIP"],
    event: "HELP",
    replies: ["message_help"],
    to: "subscribed",
  },
  {
    from: "not_subscribed",
    on: "help",
    list: single,
    texts: ["VIP", "STOP"],
    event: "HELP",
    replies: ["message_help"],
    to: "not_subscribed",
  },
  // All other texts of a subscriber.
  {
    from: "subscribed",
    on: "yes",
    list: single,
    texts: ["VIP"],
    event: "YES",
    replies: ["message_yes"],
    to: "subscribed",
  },
  {
    from: "subscribed",
    on: "other_text",
    list: single,
    texts: ["VIP"],
    event: "Nice!",
    replies: ["message_reply"],
    to: "subscribed",
  },
];
