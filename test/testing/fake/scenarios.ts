import type { NewList } from "messaging-service-client/testing";
import type { OptInState, OptInTransition } from "../../../src/testing/fake/opt-in-transitions.ts";
import {
  double,
  doubleOf,
  emailStep,
  single,
  yesStep,
  zipStep,
} from "../../support/fakes/opt-in-lists.ts";

/** A row of the opt-in machine, reproduced through the API of the fake. */
export interface Scenario extends Pick<OptInTransition, "from" | "on" | "when"> {
  readonly list: NewList;
  /** Texts that put the phone into the state `from`. */
  readonly texts: readonly string[];
  /** The event: a text, a number of hours, or a removal. */
  readonly event: string | { readonly hours: number } | "DELETE";
  /** Causes of the messages that the phone receives. */
  readonly replies: readonly string[];
  readonly to: OptInState;
  /** `retry_message` of the step that waits for a reply afterwards. */
  readonly waiting?: string;
}

const oneStep = doubleOf(yesStep);
const withoutSteps: NewList = { ...single, opt_in_type: "double", opt_in_requests: [] };
const ZIP = zipStep.retry_message;
const EMAIL = emailStep.retry_message;
const [NEW, ASKED, ON] = ["not_subscribed", "asked", "subscribed"] as const;

type Row = readonly [
  ...[on: Scenario["on"], from: OptInState, list: NewList, texts: string, event: Scenario["event"]],
  ...[reply: string | undefined, to: OptInState, more?: Pick<Scenario, "when" | "waiting">],
];

const rows: readonly Row[] = [
  // Keywords.
  ["keyword", NEW, single, "", "VIP", "first_optin_message", ON, { when: "single opt-in" }],
  [
    ...(["keyword", NEW, double, "", "CLUB", "request_message", ASKED] as const),
    { when: "double opt-in with steps", waiting: ZIP },
  ],
  [
    ...(["keyword", NEW, withoutSteps, "", "VIP", "first_optin_message", ON] as const),
    { when: "double opt-in without steps" },
  ],
  [
    ...(["keyword", ASKED, double, "CLUB 98101 ann@example.com", "CLUB"] as const),
    ...(["request_message", ASKED, { waiting: ZIP }] as const),
  ],
  ["keyword", ON, single, "VIP", "VIP", "message_already_subscribed", ON],
  // Replies to a step, and no reply.
  [
    ...(["valid_reply", ASKED, double, "CLUB", "98101", "request_message", ASKED] as const),
    { when: "success_action is nextrequest", waiting: EMAIL },
  ],
  [
    ...(["valid_reply", ASKED, oneStep, "CLUB", "YES", "opt_in_message", ON] as const),
    { when: "success_action is optinsubscriber" },
  ],
  ["invalid_reply", ASKED, double, "CLUB", "no idea", "retry_message", ASKED, { waiting: ZIP }],
  [
    ...(["no_reply", ASKED, double, "CLUB", { hours: 2 }, "no_response_message", ASKED] as const),
    { when: "follow_up is true", waiting: ZIP },
  ],
  // STOP and HELP.
  ["stop", ASKED, double, "CLUB", "STOP", "message_stop", NEW],
  ["stop", ON, single, "VIP", "STOP", "message_stop", NEW],
  ["stop", NEW, single, "VIP STOP", "STOP", "message_stop", NEW],
  ["removed", ON, single, "VIP", "DELETE", undefined, NEW],
  ["help", ASKED, double, "CLUB 98101", "HELP", "message_help", ASKED, { waiting: EMAIL }],
  ["help", ON, single, "VIP", "HELP", "message_help", ON],
  ["help", NEW, single, "VIP STOP", "HELP", "message_help", NEW],
  // Any other text from a subscriber.
  ["yes", ON, single, "VIP", "YES", "message_yes", ON],
  ["other_text", ON, single, "VIP", "Nice!", "message_reply", ON],
];

/** One scenario for each row. */
export const scenarios: readonly Scenario[] = rows.map(
  ([on, from, list, texts, event, reply, to, more]) => ({
    ...{ on, from, list, event, to, ...more },
    texts: texts.split(" ").filter(Boolean),
    replies: reply === undefined ? [] : [reply],
  }),
);
