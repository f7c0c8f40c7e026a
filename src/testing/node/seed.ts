import type { FakeService } from "../fake-service.ts";

/** Fills a service with sample data, and with further lists to page through. */
export const seed = (service: FakeService, furtherLists: number): void => {
  const { id } = service.addList({
    name: "VIP",
    keyword_names: ["VIP"],
    first_optin_message: "Welcome! Reply STOP to leave.",
    second_optin_message: "Welcome back! Reply STOP to leave.",
    message_stop: "You left the VIP list.",
    message_help: "VIP offers, twice a month. Reply STOP to leave.",
    message_already_subscribed: "You are on the VIP list already.",
  });
  service.addList({
    name: "Newsletter",
    keyword_names: ["NEWS"],
    message_stop: "You left the newsletter.",
    message_help: "Our newsletter by e-mail. Reply STOP to leave.",
    opt_in_requests: [
      {
        collected_data: "email_address",
        request_message: "What is your e-mail address?",
        retry_message: "That is no e-mail address. Please try again.",
        follow_up: true,
        follow_up_hour: 2,
        no_response_message: "We only need your e-mail address.",
        success_action: "nextrequest",
      },
      {
        collected_data: "yes",
        request_message: "Reply YES to get our newsletter.",
        retry_message: "Reply YES to join or STOP to leave.",
        follow_up: false,
        success_action: "optinsubscriber",
        opt_in_message: "You are on the list.",
        second_opt_in_message: "You are on the list again.",
      },
    ],
  });
  for (let subscribers = 0; subscribers < 3; subscribers += 1) service.addSubscriber(id);
  service.addScheduledMessage(id, { content: "Sale starts tomorrow." });
  service.addReport();
  for (let number = 1; number <= furtherLists; number += 1) {
    service.addList({ name: `List ${number}`, keyword_names: [`LIST${number}`] });
  }
};
