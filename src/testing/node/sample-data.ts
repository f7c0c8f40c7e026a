import type { FakeService } from "../fake-service.ts";

/** Description of the sample data for the help text, in lines of at most 80 characters. */
export const SAMPLE_DATA = `The fake starts with sample data: the list "VIP" (keyword VIP, single opt-in,
3 subscribers, a scheduled message), the list "Newsletter" (keyword NEWS, double
opt-in), and a report. With --empty, it starts with an account and nothing else.`;

/** Fills a service with sample data. */
export const addSampleData = (service: FakeService): void => {
  const { id } = service.addList({
    name: "VIP",
    keyword_names: ["VIP"],
    first_optin_message: "Welcome! Reply STOP to leave.",
    second_optin_message: "Welcome back! Reply STOP to leave.",
    message_stop: "You left the VIP list.",
    message_help: "VIP offers, twice a month. Reply STOP to leave.",
    message_already_subscribed: "You are already on the VIP list.",
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
        retry_message: "That is not an e-mail address. Please try again.",
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
};
