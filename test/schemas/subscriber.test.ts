import { describe } from "vitest";
import { subscriberSchema } from "../../src/schemas/index.ts";
import { testFields, testResponses } from "../support/tables/field-table.ts";
import { bareSubscriber, subscriber } from "../support/tables/response-fixtures.ts";

describe("subscriberSchema", () => {
  testResponses(subscriberSchema, {
    "a subscriber with every field set": subscriber,
    "a subscriber with every nullable field null": bareSubscriber,
  });

  testFields(subscriberSchema, subscriber, {
    phone_number: "string",
    cleaned_at: "timestamp or null",
    subscribed_at: "timestamp",
    opted_out_at: "timestamp or null",
    opt_in_method: "string or null",
    keyword_name: "string or null",
    carrier: "integer or null",
    carrier_name: "string or null",
    global_carrier_id: "string or null",
    global_carrier_name: "string or null",
    total_messages_received: "integer",
  });
});
