// Configures a double opt-in of two steps: `node double-opt-in.ts 2`, where 2 is the id of a list.
import { type DoubleOptInSettings, V2Client, ValidationError } from "messaging-service-client";

const listId = Number(process.argv[2]);

const settings: DoubleOptInSettings = {
  opt_in_type: "double",
  opt_in_requests: [
    {
      collected_data: "first_name",
      request_message: "Welcome! What is your first name?",
      retry_message: "Please reply with your first name only.",
      follow_up: true,
      follow_up_hour: 24, // required, because `follow_up` is true
      no_response_message: "Still there? We only need your first name.",
      success_action: "nextrequest",
    },
    {
      collected_data: "yes",
      request_message: "Reply YES to join. Msg & data rates may apply.",
      retry_message: "Reply YES to join, or STOP to leave.",
      follow_up: false,
      success_action: "optinsubscriber", // only the last step subscribes the phone
      opt_in_message: "You are in! Reply HELP for help, STOP to leave.",
      second_opt_in_message: "Welcome back!",
    },
  ],
};

const v2 = new V2Client();
try {
  const { status, opt_in_requests } = await v2.lists.configureOptIn(listId, settings);
  console.log(status);
  for (const [index, step] of opt_in_requests.entries()) {
    console.log(`  ${index + 1}. ${step.collected_data}: ${step.request_message}`);
  }
} catch (error) {
  if (!ValidationError.is(error)) throw error;
  for (const { path, message } of error.errors) console.error(`${path.join(".")} ${message}`);
  process.exitCode = 1;
}
