import type { OptInStep } from "messaging-service-client";
import type { FakeService, NewList, SentMessage } from "messaging-service-client/testing";
import { createFake } from "./fake-service.ts";

export const PHONE = "+12065550123";
export const OTHER_PHONE = "+12065550150";

/** Every message of a list. */
export const MESSAGES = {
  first_optin_message: "Welcome!",
  second_optin_message: "Welcome back!",
  message_already_subscribed: "You are on the list already.",
  message_stop: "You are off the list.",
  message_help: "Call us.",
  message_yes: "Yes to you, too!",
  message_reply: "Nobody reads this.",
} as const;

export const single = {
  name: "Single",
  keyword_names: ["VIP", "Gold"],
  ...MESSAGES,
} satisfies NewList;

export const zipStep = {
  collected_data: "zip_code",
  request_message: "Your ZIP code?",
  retry_message: "Five digits, please.",
  follow_up: true,
  follow_up_hour: 2,
  no_response_message: "We only need your ZIP code.",
  success_action: "nextrequest",
} as const satisfies OptInStep;

export const emailStep = {
  collected_data: "email_address",
  request_message: "Your e-mail address?",
  retry_message: "An e-mail address, please.",
  follow_up: false,
  success_action: "nextrequest",
} as const satisfies OptInStep;

export const yesStep = {
  collected_data: "yes",
  request_message: "Reply YES to join.",
  retry_message: "YES to join, STOP to leave.",
  follow_up: true,
  follow_up_hour: 24,
  no_response_message: "Still there? Reply YES to join.",
  success_action: "optinsubscriber",
  opt_in_message: "You are in!",
  second_opt_in_message: "You are in again!",
} as const satisfies OptInStep;

/** The only step of a double opt-in, without a reminder. */
export const onlyStep = {
  collected_data: "yes",
  request_message: "Reply YES to join.",
  retry_message: "Reply YES or STOP.",
  follow_up: false,
  success_action: "optinsubscriber",
} as const satisfies OptInStep;

/** A double opt-in that asks for a ZIP code, an e-mail address and YES. */
export const double = {
  name: "Double",
  keyword_names: ["CLUB"],
  ...MESSAGES,
  opt_in_requests: [zipStep, emailStep, yesStep],
} satisfies NewList;

/** Returns a double opt-in with one step. */
export const doubleOf = (step: OptInStep, list: NewList = {}): NewList => ({
  ...double,
  opt_in_requests: [{ ...step, success_action: "optinsubscriber" }],
  ...list,
});

/** Returns a function that sends texts from a phone and returns the replies. */
export const texting =
  (service: FakeService, from = PHONE, list_id?: number) =>
  (...texts: readonly string[]): readonly (string | undefined)[] =>
    texts.flatMap((text) =>
      service.receiveText({ from, text, list_id }).map(({ text: reply }) => reply),
    );

/** Creates a fake service with a list, and a function that sends texts from a phone. */
export const openList = (list: NewList) => {
  const service = createFake();
  const { id } = service.addList(list);
  return { service, id, text: texting(service) };
};

/** Returns the cause of each message. */
export const causesOf = (messages: readonly SentMessage[]): readonly string[] =>
  messages.map(({ cause }) => cause);

/** Returns whether a phone is subscribed to a list. */
export const isSubscribed = (service: FakeService, listId: number, phone = PHONE): boolean =>
  service
    .subscribersOf(listId)
    .some(({ phone_number, opted_out_at }) => phone_number === phone && opted_out_at === null);
