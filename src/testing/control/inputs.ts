import * as z from "zod/mini";
import {
  number as amount,
  boolean as flag,
  integer,
  listOf,
  mustBe,
  oneOf,
  string as text,
} from "../../schemas/fields.ts";
import { listSchema } from "../../schemas/list.ts";
import { momtReportSchema } from "../../schemas/momt-report.ts";
import { rcsTextMessageSchema } from "../../schemas/rcs-message.ts";
import { scheduledMessageSchema } from "../../schemas/scheduled-message.ts";
import { subscriberSchema } from "../../schemas/subscriber.ts";
import { faults } from "../faults/failure.ts";
import { endpointIds, type FakeEndpoint } from "../handlers/endpoint-ids.ts";

/** Builds the schema of a body that refuses unknown fields, so that a misspelled one is noticed. */
const body = <const T extends z.core.$ZodShape>(shape: T) =>
  z.strictObject(shape, mustBe("a JSON object"));

/** Returns the fields of a schema, all of them optional. */
const some = <T extends z.core.$ZodShape>(schema: z.ZodMiniObject<T, z.core.$strip>) =>
  z.partial(schema).shape;

/** The endpoints that a fault can be tied to, in an order that no bundler changes. */
export const endpoints = endpointIds.toSorted() as [FakeEndpoint, ...FakeEndpoint[]];

/** A number of the United States or Canada in any common format; becomes E.164. */
export const phoneSchema = rcsTextMessageSchema.shape.phoneNumber;

const notNegative = z.optional(amount.check(z.minimum(0, "must be 0 or more")));

/** Query of `GET /__fake/outbox` and `GET /__fake/messages`. */
export const messagesQuerySchema = z.object({
  /** Only messages to this phone, in any common format. */
  to: z.optional(phoneSchema),
});

/** Body of `POST /__fake/texts`. */
export const textInputSchema = body({
  /** The phone that sends the text, in any common format. */
  from: phoneSchema,
  /** The text. */
  text,
  /** The list that the text is for. Default: found by keyword, or the list that last texted the phone. */
  list_id: z.optional(integer),
});

/** Body of `POST /__fake/clock`: a duration whose parts add up, or `until`. */
export const clockInputSchema = body({
  /** Days of 24 hours. */
  days: notNegative,
  /** Hours. */
  hours: notNegative,
  /** Minutes. */
  minutes: notNegative,
  /** Seconds. */
  seconds: notNegative,
  /** Milliseconds. */
  milliseconds: notNegative,
  /** `next_due`: until the next reminder or scheduled message. */
  until: z.optional(oneOf(["next_due"])),
});

/** Body of `POST /__fake/faults`: a `fault` or a `status`, and which requests meet it. */
export const faultInputSchema = body({
  /** Kind of fault. */
  fault: z.optional(oneOf(faults)),
  /** Milliseconds of real time that `slow` waits. Default: 1000. */
  delayMs: notNegative,
  /** The status to respond with, 200 to 599, instead of doing what was asked. */
  status: z.optional(integer),
  /** Headers of that response, such as `retry-after`. */
  headers: z.optional(z.record(z.string(), text, mustBe("an object of strings"))),
  /** Body of that response: a string as it is, anything else as JSON. */
  body: z.optional(z.unknown()),
  /** Number of requests that meet it. Default: 1; with `share` no limit. */
  times: z.optional(integer),
  /** The only endpoint whose requests meet it, such as `GET /api/v2/lists`. */
  endpoint: z.optional(oneOf(endpoints)),
  /** The only phone whose requests meet it, in any common format. */
  phone: z.optional(phoneSchema),
  /** The share of these requests that meet it, above 0 and up to 1. */
  share: z.optional(amount),
  /** The seed of the generator that chooses this share. */
  seed: z.optional(integer),
});

const { counts: _, opt_in_requests: __, ...listFields } = some(listSchema);

/** Body of `POST /__fake/lists`: the fields of `addList`. */
export const listInputSchema = body({
  ...listFields,
  /** The steps of a double opt-in, new ones or as the service returned them. */
  opt_in_requests: z.optional(listOf(z.looseObject({}, mustBe("an object")))),
  /** Whether the confirmation message is left out. */
  bypass_opt_in_response: z.optional(flag),
  /** Whether the list is deleted. */
  deleted: z.optional(flag),
  /** The account that owns the list. Default: the first one. */
  account_id: z.optional(integer),
});

/** Body of `POST /__fake/subscribers`: the fields of `addSubscriber`, and the list. */
export const subscriberInputSchema = body({
  ...some(subscriberSchema),
  /** The list that the subscriber is added to. */
  list_id: integer,
});

/** Body of `POST /__fake/scheduled_messages`: the fields of `addScheduledMessage`, and the list. */
export const scheduledMessageInputSchema = body({
  ...some(scheduledMessageSchema),
  /** The list that the message goes to. */
  list_id: integer,
});

/** Body of `POST /__fake/reports`: the fields of `addReport`. */
export const reportInputSchema = body({
  ...some(momtReportSchema),
  /** Minutes of the fake's clock until the report is complete; `null` leaves it as given. Default: 10. */
  minutes: z.optional(z.nullable(amount)),
});

/** Body of `PUT /__fake/phones/{PHONE}`. */
export const phoneInputSchema = body({
  /** Whether RCS reaches the phone. */
  rcsReachable: z.optional(flag),
  /** Whether SMS reaches the phone. */
  smsReachable: z.optional(flag),
});

/** Body of a call without fields. */
export const emptyInputSchema = body({});
