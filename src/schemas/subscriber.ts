import type * as z from "zod/mini";
import { integer, integerOrNull, open, text, textOrNull } from "./fields.ts";

/** Specification: "Subscriber (as returned on removal)". */
export const subscriberSchema = /* @__PURE__ */ open({
  /** Identifies the subscriber on the list. */
  phone_number: text,
  /** ISO 8601. */
  cleaned_at: textOrNull,
  /** ISO 8601. */
  subscribed_at: text,
  /** ISO 8601; set when the subscriber was unsubscribed. */
  opted_out_at: textOrNull,
  /** How the subscriber opted in, such as by a keyword. */
  opt_in_method: textOrNull,
  /** The keyword that the phone texted. */
  keyword_name: textOrNull,
  /** The id of the carrier. */
  carrier: integerOrNull,
  /** The name of the carrier. */
  carrier_name: textOrNull,
  /** The global id of the carrier. */
  global_carrier_id: textOrNull,
  /** The global name of the carrier. */
  global_carrier_name: textOrNull,
  /** Messages that the phone received. */
  total_messages_received: integer,
});

/** A phone number on a list, as the service tells it on removal (specification: "Subscriber"). */
export interface Subscriber extends z.infer<typeof subscriberSchema> {}
