import type * as z from "zod/mini";
import * as f from "./fields.ts";

export const subscriberSchema = /* @__PURE__ */ f.once(() =>
  f.looseObject({
    /** Phone number, which identifies the subscriber. Its format is not documented. */
    phone_number: f.string(),
    /** Time at which the subscriber was cleaned, ISO 8601; `null` if never. */
    cleaned_at: f.timestampOrNull(),
    /** Time at which the subscriber subscribed, ISO 8601. */
    subscribed_at: f.timestamp(),
    /** Time at which the subscriber left the list or was removed from it, ISO 8601; `null` if never. */
    opted_out_at: f.timestampOrNull(),
    /** Method of the opt-in, such as a keyword. */
    opt_in_method: f.stringOrNull(),
    /** Keyword of the opt-in. */
    keyword_name: f.stringOrNull(),
    /** Id of the carrier. */
    carrier: f.integerOrNull(),
    /** Name of the carrier. */
    carrier_name: f.stringOrNull(),
    /** Global id of the carrier. */
    global_carrier_id: f.stringOrNull(),
    /** Global name of the carrier. */
    global_carrier_name: f.stringOrNull(),
    /** Number of messages that the phone received. */
    total_messages_received: f.integer(),
  }),
);

/** Subscriber of a list, as the service returns it on removal. */
export interface Subscriber extends z.infer<ReturnType<typeof subscriberSchema>> {}
