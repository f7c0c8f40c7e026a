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

/** Specification: "Subscriber (as returned on removal)". */
export const subscriberSchema = /* @__PURE__ */ once(() =>
  looseObject({
    /** Phone number, which identifies the subscriber on the list. */
    phone_number: string(),
    /** Time at which the subscriber was cleaned, ISO 8601. */
    cleaned_at: timestampOrNull(),
    /** Time at which the subscriber subscribed, ISO 8601. */
    subscribed_at: timestamp(),
    /** Time at which the subscriber was unsubscribed, ISO 8601. */
    opted_out_at: timestampOrNull(),
    /** Way in which the subscriber opted in, such as by a keyword. */
    opt_in_method: stringOrNull(),
    /** Keyword that the phone texted. */
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

/** Phone number on a list, as the service returns it on removal (specification: "Subscriber"). */
export interface Subscriber extends z.infer<ReturnType<typeof subscriberSchema>> {}
