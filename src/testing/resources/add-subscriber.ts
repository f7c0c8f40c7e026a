import { type Subscriber, subscriberSchema } from "../../schemas/subscriber.ts";
import { assertFields, assertResource, toPhoneNumber } from "../assert-usage.ts";
import type { FakeClock } from "../state/fake-clock.ts";
import { assertTimestamps } from "./assert-timestamps.ts";
import { madeUpPhone } from "./made-up-phone.ts";
import { given, type NewSubscriber } from "./new-resources.ts";
import type { StoredList } from "./stored-list.ts";

const CALL = "addSubscriber";

/** Adds a subscriber to a list, or replaces the one with the same phone number. */
export const addSubscriber = (
  list: StoredList,
  clock: FakeClock,
  fields: NewSubscriber = {},
): Subscriber => {
  assertFields(CALL, fields);
  const { phone_number = madeUpPhone(list.subscribers), ...rest } = fields;
  const subscriber: Subscriber = {
    phone_number: toPhoneNumber(CALL, phone_number),
    cleaned_at: null,
    subscribed_at: clock.timestamp,
    opted_out_at: null,
    opt_in_method: "Keyword",
    keyword_name: list.resource.keyword_names[0] ?? null,
    carrier: 1,
    carrier_name: "Example Wireless",
    global_carrier_id: "1",
    global_carrier_name: "Example Wireless",
    total_messages_received: 0,
    ...given(rest),
  };
  assertResource(CALL, subscriberSchema, subscriber);
  assertTimestamps(CALL, subscriber, ["cleaned_at", "subscribed_at", "opted_out_at"]);
  list.subscribers.set(subscriber.phone_number, subscriber);
  return subscriber;
};
