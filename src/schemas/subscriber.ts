import type * as z from "zod/mini";
import {
  integer,
  integerOrNull,
  looseObject,
  once,
  string,
  stringOrNull,
  timestamp,
  timestampOrNull,
} from "./fields.ts";

export const subscriberSchema = /* @__PURE__ */ once(() =>
  looseObject({
    /** Phone number, which identifies the subscriber. Its format is not documented. */
    phone_number: string(),
    /** Time at which the subscriber was cleaned, ISO 8601; `null` if never. */
    cleaned_at: timestampOrNull(),
    /** Time at which the subscriber subscribed, ISO 8601. */
    subscribed_at: timestamp(),
    /** Time at which the subscriber left the list or was removed from it, ISO 8601; `null` if never. */
    opted_out_at: timestampOrNull(),
    /** Method of the opt-in, such as a keyword. */
    opt_in_method: stringOrNull(),
    /** Keyword of the opt-in. */
    keyword_name: stringOrNull(),
    /** Id of the carrier. */
    carrier: integerOrNull(),
    /** Name of the carrier. */
    carrier_name: stringOrNull(),
    /** Global id of the carrier. */
    global_carrier_id: stringOrNull(),
    /** Global name of the carrier. */
    global_carrier_name: stringOrNull(),
    /** Number of messages that the phone received. */
    total_messages_received: integer(),
  }),
);

/** Subscriber of a list, as the service returns it on removal. */
export interface Subscriber extends z.infer<ReturnType<typeof subscriberSchema>> {}
