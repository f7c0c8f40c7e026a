import * as z from "zod/mini";
import { listSchema } from "../../schemas/list.ts";
import { momtReportSchema } from "../../schemas/momt-report.ts";
import { rcsTextMessageSchema } from "../../schemas/rcs-message.ts";
import { scheduledMessageSchema } from "../../schemas/scheduled-message.ts";
import {
  number as amount,
  boolean as flag,
  integer,
  listOf,
  mustBe,
  oneOf,
  string as text,
} from "../../schemas/shared/fields.ts";
import { subscriberSchema } from "../../schemas/subscriber.ts";
import { faults } from "../faults/failure.ts";
import { endpointIds, type FakeEndpoint } from "../handlers/endpoint-ids.ts";

/** Builds the schema of a body that refuses unknown fields, so that a misspelled one is reported. */
const body = <const T extends z.core.$ZodShape>(shape: T) =>
  z.strictObject(shape, mustBe("a JSON object"));

/** Returns the fields of a schema, all of them optional. */
const some = <T extends z.core.$ZodShape>(schema: z.ZodMiniObject<T, z.core.$strip>) =>
  z.partial(schema).shape;

/** Endpoints that a fault can be tied to, in an order that does not depend on the bundler. */
export const endpoints = endpointIds.toSorted() as [FakeEndpoint, ...FakeEndpoint[]];

/** U.S. or Canadian phone number in any common format; converted to E.164. */
export const phoneSchema = rcsTextMessageSchema.shape.phoneNumber;

const notNegative = z.optional(amount.check(z.minimum(0, "must be 0 or more")));

/** Query of `GET /__fake/outbox` and `GET /__fake/messages`. */
export const messagesQuerySchema = z.object({
  /** Phone whose messages are returned, in any common format. Default: all phones. */
  to: z.optional(phoneSchema),
});

/** Body of `POST /__fake/texts`. */
export const textInputSchema = body({
  /** Phone that sends the text, in any common format. */
  from: phoneSchema,
  /** The text. */
  text,
  /** Id of the list that the text is for. Default: the list with its keyword, or the list that last texted the phone. */
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
  /** Target of the move: `next_due` is the next reminder or scheduled message. */
  until: z.optional(oneOf(["next_due"])),
});

/** Body of `POST /__fake/faults`: a `fault` or a `status`, and the requests that meet it. */
export const faultInputSchema = body({
  /** Kind of fault. */
  fault: z.optional(oneOf(faults)),
  /** Real time in milliseconds by which `slow` delays a response, 0 to 1 000 000 000. Default: 1000. */
  delayMs: notNegative,
  /** Status of the response, 200 to 599, instead of handling the request. */
  status: z.optional(integer),
  /** Headers of that response, such as `retry-after`. Default: none. */
  headers: z.optional(z.record(z.string(), text, mustBe("an object of strings"))),
  /** Body of that response: a string as it is, anything else as JSON. */
  body: z.optional(z.unknown()),
  /** Number of requests that meet the fault. Default: 1; with `share`, no limit. */
  times: z.optional(integer),
  /** Endpoint whose requests meet the fault, such as `GET /api/v2/lists`. Default: every endpoint. */
  endpoint: z.optional(oneOf(endpoints)),
  /** Phone whose requests meet the fault, in any common format. Default: every phone. */
  phone: z.optional(phoneSchema),
  /** Share of these requests that meet the fault, above 0 and up to 1. Default: 1. */
  share: z.optional(amount),
  /** Seed of the random generator that chooses this share. Default: 1. */
  seed: z.optional(integer),
});

const { counts: _, opt_in_requests: __, ...listFields } = some(listSchema);

/** Body of `POST /__fake/lists`: the fields of `addList`. */
export const listInputSchema = body({
  ...listFields,
  /** Steps of a double opt-in, new ones or as the service returned them. */
  opt_in_requests: z.optional(listOf(z.looseObject({}, mustBe("an object")))),
  /** Whether the confirmation message is left out. */
  bypass_opt_in_response: z.optional(flag),
  /** Whether the list is deleted. */
  deleted: z.optional(flag),
  /** Id of the account that owns the list. Default: the first account. */
  account_id: z.optional(integer),
});

/** Body of `POST /__fake/subscribers`: the fields of `addSubscriber`, and the list. */
export const subscriberInputSchema = body({
  ...some(subscriberSchema),
  /** Id of the list that the subscriber is added to. */
  list_id: integer,
});

/** Body of `POST /__fake/scheduled_messages`: the fields of `addScheduledMessage`, and the list. */
export const scheduledMessageInputSchema = body({
  ...some(scheduledMessageSchema),
  /** Id of the list that the message goes to. */
  list_id: integer,
});

/** Body of `POST /__fake/reports`: the fields of `addReport`. */
export const reportInputSchema = body({
  ...some(momtReportSchema),
  /** Minutes of the fake's clock until the report is complete, 0 to 1 000 000 000; `null` leaves the report as given. Default: 10. */
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
