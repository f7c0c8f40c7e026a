import * as z from "zod/mini";
import {
  accountSchema,
  listSchema,
  momtReportSchema,
  scheduledMessageSchema,
} from "../../core/schemas/index.ts";
import { durationSchema } from "../fake/fake-clock.ts";
import * as f from "../fake/fake-fields.ts";
import { newListFields, newSubscriberSchema } from "../fake/fake-lists.ts";
import { messageFields } from "../fake/messages.ts";
import { fakeListSchema } from "../fake/store.ts";
import { fakePhoneSchema } from "../fake/world.ts";
import { armedFailureSchema, failureSchema } from "../service/armed-failures.ts";

export type { FieldProblem } from "../fake/fake-fields.ts";
export type { Webhook } from "../fake/messages.ts";
export type { RecordedRequest } from "../fake/recorded-requests.ts";
export type { FakePhone } from "../fake/world.ts";
export type { ArmedFailure } from "../service/armed-failures.ts";

/** Builds the schema of a body. It refuses unknown fields, because they may be misspelled. */
export const body = <const T extends z.core.$ZodShape>(shape: T) =>
  z.strictObject(shape, f.mustBe("a JSON object"));

export const some = <T extends z.core.$ZodShape>(schema: z.ZodMiniObject<T, z.core.$strip>) =>
  z.partial(schema).shape;

export const outboxQuerySchema = z.strictObject({
  /** Recipient of the messages, in any common format. Default: all phones. */
  to: z.optional(f.phoneSchema),
});

export const messagesQuerySchema = z
  .strictObject({
    ...outboxQuerySchema.shape,
    /** Part of the text. Default: any text or file. */
    text: z.optional(f.string),
    /** Maximum wait for a message that matches `to` and `text`, in milliseconds up to 600 000; then 408. Default: none. */
    wait: z.optional(
      f.string.check(
        f.that(
          "must be a number of milliseconds from 0 to 600000",
          (wait) => /^\d+$/.test(wait) && Number(wait) <= 600_000,
        ),
      ),
    ),
  })
  .check(
    f.rule(function* ({ to, text, wait }) {
      if (wait !== undefined && to === undefined && text === undefined)
        yield { code: "custom", path: ["wait"], message: "must be given with to or text" };
    }),
  );

/** Body of `POST /__fake/clock`: a duration whose parts add up, or `until`. */
export const clockInputSchema = body({
  ...durationSchema.shape,
  /** Target of the move: `next_due` is the next reminder or scheduled message. */
  until: z.optional(f.oneOf(["next_due"])),
}).check(
  f.rule(function* ({ until, ...duration }) {
    if (until !== undefined && Object.keys(duration).length > 0)
      yield { code: "custom", path: ["until"], message: "cannot be given with a duration" };
  }),
);

export const faultInputSchema = body(failureSchema.shape);

/** Body of `POST /__fake/faults`. */
export interface FaultInput extends f.DeepReadonly<z.input<typeof faultInputSchema>> {}

const { counts: _, ...listFields } = some(listSchema);

/** Body of `POST /__fake/lists`: the fields of `addList`. */
export const listInputSchema = body({ ...listFields, ...newListFields.shape });

/** Body of `POST /__fake/subscribers`: the fields of `addSubscriber`, and the list. */
export const subscriberInputSchema = body({
  ...some(newSubscriberSchema),
  /** Id of the list that the subscriber is added to. */
  list_id: f.integer,
});

/** Body of `POST /__fake/scheduled_messages`: the fields of `addScheduledMessage`, and the list. */
export const scheduledMessageInputSchema = body({
  ...some(scheduledMessageSchema),
  /** Id of the list that the message goes to. */
  list_id: f.integer,
});

const reachable = z.pick(fakePhoneSchema, { rcsReachable: true, smsReachable: true });

export const phoneInputSchema = body(some(reachable));

/** Body of every error of the control API. */
export const controlErrorSchema = z.object({
  /** Short summary. */
  error: f.string,
  /** Every field that broke a rule; empty unless the status is 400. */
  errors: f.listOf(f.problemSchema),
});

export const clockViewSchema = z.object({
  /** Time of the clock, ISO 8601. */
  now: f.string,
  /** Time at which the next reminder or scheduled message is due, ISO 8601; `null` when there is none. */
  nextDueAt: f.stringOrNull,
});

export const stateViewSchema = z.object({
  /** The first account, without its key. */
  account: z.object(accountSchema.shape),
  /** Clock of the fake. */
  clock: clockViewSchema,
  /** Every list, deleted ones included. */
  lists: f.listOf(fakeListSchema),
  /** Every phone that the fake knows. */
  phones: f.listOf(fakePhoneSchema),
  /** Every report. */
  reports: f.listOf(momtReportSchema),
  /** Armed failures. */
  faults: f.listOf(armedFailureSchema),
  /** Endpoints that a fault can be limited to. */
  endpoints: f.listOf(f.string),
});

/** State of the fake, except messages and requests. */
export interface StateView extends f.DeepReadonly<z.infer<typeof stateViewSchema>> {}

/** List as the control API shows it. */
export type ListView = StateView["lists"][number];

export const messageViewSchema = z.object({
  ...messageFields,
  /** Id of the message; later messages have greater ids. */
  id: f.integer,
  /** The phone, in E.164. */
  phone: f.string,
  /** Direction as seen from the service: `sent` to the phone, or `received` from it. */
  direction: f.oneOf(["sent", "received"]),
  /**
   * Reason for the message: the kind of send, or the field of the list or step that contains the text; absent if the
   * phone sent it.
   */
  cause: z.exactOptional(f.string),
  /** Content type of the file, if its extension shows it. */
  contentType: z.exactOptional(f.string),
  /** Number of septets of an SMS; absent for RCS, and if GSM 7-bit cannot represent the text. */
  septets: z.exactOptional(f.integer),
  /** Number of segments of an SMS; absent for RCS, and if GSM 7-bit cannot represent the text. */
  segments: z.exactOptional(f.integer),
});

/** Message as the control API shows it. */
export interface MessageView extends f.DeepReadonly<z.infer<typeof messageViewSchema>> {}
