import * as z from "zod/mini";
import {
  number as amount,
  boolean as flag,
  integer,
  listOf,
  oneOf,
  string as text,
  stringOrNull as textOrNull,
} from "../../schemas/fields.ts";
import { listSchema } from "../../schemas/list.ts";
import { momtReportSchema } from "../../schemas/momt-report.ts";

const textOrNumber = z.union([z.string(), z.number()]);
const textMap = z.record(z.string(), z.string());

/** A field that broke a rule. */
export const problemViewSchema = z.object({
  /** The keys and indexes that lead to the field. */
  path: listOf(textOrNumber),
  /** Message for people: the problem, then what would be right. */
  message: text,
});
export interface ProblemView extends z.infer<typeof problemViewSchema> {}

/** The body of every error of the control API. */
export const controlErrorSchema = z.object({
  /** A short summary. */
  error: text,
  /** Every field that broke a rule; empty unless the status is 400. */
  errors: listOf(problemViewSchema),
});

/** State of a phone on a list. */
export const optInViewSchema = z.object({
  /** The list. */
  list_id: integer,
  /** `asked`: a step of a double opt-in waits for its reply. */
  state: oneOf(["not_subscribed", "asked", "subscribed"]),
  /** Index of the step that waits for a reply, from 0; present while `state` is `asked`. */
  step: z.optional(integer),
  /** Time at which that step was asked, ISO 8601; present while `state` is `asked`. */
  askedAt: z.optional(text),
  /** Time at which its reminder will be sent, ISO 8601; absent when none will be. */
  reminderAt: z.optional(text),
});
export interface OptInView extends z.infer<typeof optInViewSchema> {}

/** A phone that the fake knows: from a message, a list or a setting. */
export const phoneViewSchema = z.object({
  /** The phone, in E.164. */
  phoneNumber: text,
  /** Whether RCS reaches the phone. */
  rcsReachable: flag,
  /** Whether SMS reaches the phone. */
  smsReachable: flag,
  /** Time of the latest message to or from the phone, ISO 8601; `null` when there was none. */
  latestMessageAt: textOrNull,
  /** The lists that the phone subscribed to or is asked about. */
  optIns: listOf(optInViewSchema),
});
export interface PhoneView extends z.infer<typeof phoneViewSchema> {}

/** A failure that waits for requests. */
export const faultViewSchema = z.object({
  /** Identifies the failure. */
  id: integer,
  /** Number of requests that will still meet it; `null` when there is no limit. */
  timesLeft: z.nullable(integer),
  /** The only endpoint whose requests meet it; absent for any. */
  endpoint: z.optional(text),
  /** The only phone whose requests meet it, in E.164; absent for any. */
  phone: z.optional(text),
  /** The share of these requests that meet it, above 0 and up to 1; absent for all. */
  share: z.optional(amount),
  /** Kind of fault; absent when a status is sent instead. */
  fault: z.optional(text),
  /** The status that is sent instead of doing what was asked; absent where a fault is given. */
  status: z.optional(integer),
  /** Milliseconds of real time that `slow` waits. */
  delayMs: z.optional(amount),
});
export interface FaultView extends z.infer<typeof faultViewSchema> {}

/** A list, and what only the fake knows about it. */
export const listViewSchema = z.extend(listSchema, {
  /** The account that owns the list. */
  account_id: integer,
  /** Whether the list is deleted. */
  deleted: flag,
  /** Whether the confirmation message of an opt-in is left out. */
  bypass_opt_in_response: flag,
});
export interface ListView extends z.infer<typeof listViewSchema> {}

/** The clock of the fake. */
export const clockViewSchema = z.object({
  /** Time of the clock, ISO 8601. */
  now: text,
  /** Time at which the next reminder or scheduled message is due, ISO 8601; `null` when there is none. */
  nextDueAt: textOrNull,
});

/** Everything that the fake holds but messages and requests. */
export const stateViewSchema = z.object({
  /** The first account, without its key. */
  account: z.object({
    /** Identifies the account. */
    id: integer,
    /** The e-mail that version 2 logs in with. */
    email: text,
    /** The name of the account. */
    username: text,
  }),
  /** The clock of the fake. */
  clock: clockViewSchema,
  /** Every list, deleted ones included. */
  lists: listOf(listViewSchema),
  /** Every phone that the fake knows. */
  phones: listOf(phoneViewSchema),
  /** Every report. */
  reports: listOf(momtReportSchema),
  /** The failures that are armed. */
  faults: listOf(faultViewSchema),
  /** The endpoints that a fault can be tied to. */
  endpoints: listOf(text),
});
export interface StateView extends z.infer<typeof stateViewSchema> {}

/** A webhook and the response of the application. */
export const webhookViewSchema = z.object({
  /** Identifies the webhook. */
  id: integer,
  /** Time of the fake's clock, ISO 8601. */
  at: text,
  /** The send that it is about. */
  transactionId: text,
  /** Outcome of the send: `delivered`, `fell_back` or `failed`. */
  event: text,
  /** The `webhookUrl` of the send. */
  url: text,
  /** Body, sent as JSON. */
  body: z.optional(z.unknown()),
  /** Status of the application's response; absent where there was none. */
  status: z.optional(integer),
  /** Beginning of the application's response body. */
  response: z.optional(text),
  /** Reason why the webhook was not sent or got no response. */
  error: z.optional(text),
});
export interface WebhookView extends z.infer<typeof webhookViewSchema> {}

const fallbackOf = z.optional(
  z.object({
    /** The RCS text; absent for a file. */
    text: z.optional(text),
    /** The URL of the RCS file; absent for a text. */
    file: z.optional(text),
  }),
);

const messageFields = {
  /** Time of the fake's clock, ISO 8601. */
  at: text,
  /** The channel that carried the message. */
  channel: oneOf(["sms", "rcs"]),
  /** The text; absent for a file. */
  text: z.optional(text),
  /** The URL of a file; absent for a text. */
  file: z.optional(text),
  /** The list that it belongs to; absent where it belongs to none. */
  list_id: z.optional(integer),
  /** The send that it belongs to; absent where it belongs to none. */
  transactionId: z.optional(text),
  /** The RCS text or file that did not reach the phone; present where this is its fallback. */
  fallbackOf,
};

/** A text or file that the service sent to a phone, as in `service.outbox`. */
export const sentMessageSchema = z.object({
  ...messageFields,
  /** The phone, in E.164. */
  to: text,
  /** The kind of send, or the field of the list or step that holds the text. */
  cause: text,
});

/** A text or file between the service and a phone. */
export const messageViewSchema = z.object({
  ...messageFields,
  /** Identifies the message; later ones have greater numbers. */
  id: integer,
  /** The phone, in E.164. */
  phone: text,
  /** As seen from the service: `sent` to the phone, or `received` from it. */
  direction: oneOf(["sent", "received"]),
  /** The kind of send, or the field of the list or step that holds the text; absent where the phone sent it. */
  cause: z.optional(text),
  /** The content type of the file, as far as its extension tells. */
  contentType: z.optional(text),
  /** Septets of an SMS; absent for RCS, and where GSM 7-bit cannot hold the text. */
  septets: z.optional(integer),
  /** Segments of an SMS; absent for RCS, and where GSM 7-bit cannot hold the text. */
  segments: z.optional(integer),
});
export interface MessageView extends z.infer<typeof messageViewSchema> {}

/** A request that the fake received. */
export const requestViewSchema = z.object({
  /** Identifies the request; later ones have greater numbers. */
  id: integer,
  /** Time of the fake's clock at its arrival, ISO 8601. */
  at: text,
  /** HTTP method. */
  method: text,
  /** Path, without the query. */
  path: text,
  /** Method and path template; absent where there is no such endpoint. */
  endpoint: z.optional(text),
  /** Query parameters, decoded. */
  query: textMap,
  /** Names in lower case; credentials are replaced by `[redacted]`. */
  headers: textMap,
  /** Parsed where it is JSON; absent where there is none. */
  body: z.optional(z.unknown()),
  /** The status of the response; 0 where none was sent. */
  status: integer,
  /** Milliseconds of real time until the response. */
  durationMs: amount,
  /** The fault that it met, or `status`; absent where it met none. */
  failure: z.optional(text),
  /** The fields that the fake refused. */
  errors: listOf(problemViewSchema),
});
export interface RequestView extends z.infer<typeof requestViewSchema> {}
