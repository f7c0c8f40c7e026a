import * as z from "zod/mini";
import { listSchema } from "../../schemas/list.ts";
import { momtReportSchema } from "../../schemas/momt-report.ts";
import {
  number as amount,
  boolean as flag,
  integer,
  listOf,
  oneOf,
  string as text,
  stringOrNull as textOrNull,
} from "../../schemas/shared/fields.ts";

const textOrNumber = z.union([z.string(), z.number()]);
const textMap = z.record(z.string(), z.string());

/** Field that broke a rule. */
export const problemViewSchema = z.object({
  /** Keys and indexes that lead to the field. */
  path: listOf(textOrNumber),
  /** Message for people: the problem, then what would be right. */
  message: text,
});
export interface ProblemView extends z.infer<typeof problemViewSchema> {}

/** Body of every error of the control API. */
export const controlErrorSchema = z.object({
  /** Short summary. */
  error: text,
  /** Every field that broke a rule; empty unless the status is 400. */
  errors: listOf(problemViewSchema),
});

/** State of a phone on a list. */
export const optInViewSchema = z.object({
  /** Id of the list. */
  list_id: integer,
  /** State of the opt-in; `asked` means that a step of a double opt-in waits for its reply. */
  state: oneOf(["not_subscribed", "asked", "subscribed"]),
  /** Index of the step that waits for a reply, starting at 0; present while `state` is `asked`. */
  step: z.optional(integer),
  /** Time at which that step was asked, ISO 8601; present while `state` is `asked`. */
  askedAt: z.optional(text),
  /** Time at which its reminder will be sent, ISO 8601; absent when none will be. */
  reminderAt: z.optional(text),
});
export interface OptInView extends z.infer<typeof optInViewSchema> {}

/** Phone that the fake knows from a message, a list or a setting. */
export const phoneViewSchema = z.object({
  /** Phone number in E.164. */
  phoneNumber: text,
  /** Whether RCS reaches the phone. */
  rcsReachable: flag,
  /** Whether SMS reaches the phone. */
  smsReachable: flag,
  /** Time of the latest message to or from the phone, ISO 8601; `null` when there was none. */
  latestMessageAt: textOrNull,
  /** Lists that the phone subscribed to or is being asked about. */
  optIns: listOf(optInViewSchema),
});
export interface PhoneView extends z.infer<typeof phoneViewSchema> {}

/** Armed failure, which waits for requests. */
export const faultViewSchema = z.object({
  /** Id of the failure. */
  id: integer,
  /** Number of requests that will still meet the failure; `null` when there is no limit. */
  timesLeft: z.nullable(integer),
  /** Endpoint whose requests meet the failure; absent for every endpoint. */
  endpoint: z.optional(text),
  /** Phone whose requests meet the failure, in E.164; absent for every phone. */
  phone: z.optional(text),
  /** Share of these requests that meet the failure, above 0 and up to 1; absent for all of them. */
  share: z.optional(amount),
  /** Kind of fault; absent when a status is sent instead. */
  fault: z.optional(text),
  /** Status of the response, instead of handling the request; absent for a fault. */
  status: z.optional(integer),
  /** Real time in milliseconds by which `slow` delays a response. */
  delayMs: z.optional(amount),
});
export interface FaultView extends z.infer<typeof faultViewSchema> {}

/** List, with the fields that only the fake has. */
export const listViewSchema = z.extend(listSchema, {
  /** Id of the account that owns the list. */
  account_id: integer,
  /** Whether the list is deleted. */
  deleted: flag,
  /** Whether the confirmation message of an opt-in is left out. */
  bypass_opt_in_response: flag,
});
export interface ListView extends z.infer<typeof listViewSchema> {}

/** Clock of the fake. */
export const clockViewSchema = z.object({
  /** Time of the clock, ISO 8601. */
  now: text,
  /** Time at which the next reminder or scheduled message is due, ISO 8601; `null` when there is none. */
  nextDueAt: textOrNull,
});

/** State of the fake, except messages and requests. */
export const stateViewSchema = z.object({
  /** The first account, without its key. */
  account: z.object({
    /** Id of the account. */
    id: integer,
    /** E-mail address that the account signs in with. */
    email: text,
    /** Name of the account's user. */
    username: text,
  }),
  /** Clock of the fake. */
  clock: clockViewSchema,
  /** Every list, deleted ones included. */
  lists: listOf(listViewSchema),
  /** Every phone that the fake knows. */
  phones: listOf(phoneViewSchema),
  /** Every report. */
  reports: listOf(momtReportSchema),
  /** Armed failures. */
  faults: listOf(faultViewSchema),
  /** Endpoints that a fault can be tied to. */
  endpoints: listOf(text),
});
export interface StateView extends z.infer<typeof stateViewSchema> {}

/** Webhook and the response of the application. */
export const webhookViewSchema = z.object({
  /** Id of the webhook. */
  id: integer,
  /** Time of the fake's clock, ISO 8601. */
  at: text,
  /** Transaction id of the send. */
  transactionId: text,
  /** Outcome of the send: `delivered`, `fell_back` or `failed`. */
  event: text,
  /** The `webhookUrl` of the send. */
  url: text,
  /** Body, sent as JSON. */
  body: z.optional(z.unknown()),
  /** Status of the application's response; absent if there was none. */
  status: z.optional(integer),
  /** Beginning of the application's response body. */
  response: z.optional(text),
  /** Reason why the webhook was not sent or got no response. */
  error: z.optional(text),
});
export interface WebhookView extends z.infer<typeof webhookViewSchema> {}

const fallbackOf = z.optional(
  z.object({
    /** RCS text; absent for a file. */
    text: z.optional(text),
    /** URL of the RCS file; absent for a text. */
    file: z.optional(text),
  }),
);

const messageFields = {
  /** Time of the fake's clock, ISO 8601. */
  at: text,
  /** Channel that carried the message. */
  channel: oneOf(["sms", "rcs"]),
  /** Text of the message; absent for a file. */
  text: z.optional(text),
  /** URL of the file; absent for a text. */
  file: z.optional(text),
  /** Id of the list that the message belongs to; absent if there is none. */
  list_id: z.optional(integer),
  /** Transaction id of the send that the message belongs to; absent if there is none. */
  transactionId: z.optional(text),
  /** RCS text or file that did not reach the phone; present if this message is its fallback. */
  fallbackOf,
};

/** Text or file that the service sent to a phone, as in `service.outbox`. */
export const sentMessageSchema = z.object({
  ...messageFields,
  /** The phone, in E.164. */
  to: text,
  /** Reason for the message: the kind of send, or the field of the list or step that holds the text. */
  cause: text,
});

/** Text or file between the service and a phone. */
export const messageViewSchema = z.object({
  ...messageFields,
  /** Id of the message; later messages have greater ids. */
  id: integer,
  /** The phone, in E.164. */
  phone: text,
  /** Direction as seen from the service: `sent` to the phone, or `received` from it. */
  direction: oneOf(["sent", "received"]),
  /**
   * Reason for the message: the kind of send, or the field of the list or step that holds the text; absent if the phone
   * sent it.
   */
  cause: z.optional(text),
  /** Content type of the file, if its extension shows it. */
  contentType: z.optional(text),
  /** Number of septets of an SMS; absent for RCS, and if GSM 7-bit cannot represent the text. */
  septets: z.optional(integer),
  /** Number of segments of an SMS; absent for RCS, and if GSM 7-bit cannot represent the text. */
  segments: z.optional(integer),
});
export interface MessageView extends z.infer<typeof messageViewSchema> {}

/** Request that the fake received. */
export const requestViewSchema = z.object({
  /** Id of the request; later requests have greater ids. */
  id: integer,
  /** Time of the fake's clock at its arrival, ISO 8601. */
  at: text,
  /** HTTP method. */
  method: text,
  /** Path, without the query. */
  path: text,
  /** Method and path template; absent if there is no such endpoint. */
  endpoint: z.optional(text),
  /** Query parameters, decoded. */
  query: textMap,
  /** Headers by lower-case name; credentials are replaced by `[redacted]`. */
  headers: textMap,
  /** Body, parsed if it is JSON; absent if there is none. */
  body: z.optional(z.unknown()),
  /** Status of the response; 0 if none was sent. */
  status: integer,
  /** Real time in milliseconds until the response. */
  durationMs: amount,
  /** Fault that the request met, or `status`; absent if it met none. */
  failure: z.optional(text),
  /** Fields that the fake refused. */
  errors: listOf(problemViewSchema),
});
export interface RequestView extends z.infer<typeof requestViewSchema> {}
