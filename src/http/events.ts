import type { AnyMessagingServiceError } from "../errors/any-error.ts";
import type { Outcome } from "../errors/outcome.ts";
import type { ValidationIssue } from "../errors/validation-issue.ts";

/** What every event tells: which call it belongs to. */
interface CallEvent {
  /** The same for all events of one call. */
  readonly callId: string;
  /** Method and path template, without anybody's data. */
  readonly endpoint: string;
}

/** An attempt starts. */
export interface RequestEvent extends CallEvent {
  /** Which event it is. */
  readonly type: "request";
  /** From 1. */
  readonly attempt: number;
}

/** An attempt was answered, whatever the status. */
export interface ResponseEvent extends CallEvent {
  /** Which event it is. */
  readonly type: "response";
  /** From 1. */
  readonly attempt: number;
  /** HTTP status. */
  readonly status: number;
  /** Milliseconds from the start of the attempt to the end of the body. */
  readonly durationMs: number;
  /** The service's id of the request, where it sent one. */
  readonly requestId?: string;
}

/** An attempt failed and will be repeated. */
export interface RetryEvent extends CallEvent {
  /** Which event it is. */
  readonly type: "retry";
  /** The attempt that failed. */
  readonly attempt: number;
  /** Milliseconds until the next one asks the throttle for a slot. */
  readonly delayMs: number;
  /** The error's code. */
  readonly reason: AnyMessagingServiceError["code"];
  /** HTTP status, where there was an answer. */
  readonly status?: number;
}

/** The throttle made a call wait; sent when the wait is over. */
export interface ThrottledEvent extends CallEvent {
  /** Which event it is. */
  readonly type: "throttled";
  /** Milliseconds between asking for a slot and getting it. */
  readonly waitMs: number;
}

/** A response had fields that are not as documented. */
export interface ResponseMismatchEvent extends CallEvent {
  /** Which event it is. */
  readonly type: "response_mismatch";
  /** One for each field, an index of an array standing for all of them. */
  readonly issues: readonly ValidationIssue[];
}

/** A call failed, for whatever reason; sent once. */
export interface FailedEvent extends CallEvent {
  /** Which event it is. */
  readonly type: "failed";
  /** The error's code. */
  readonly code: AnyMessagingServiceError["code"];
  /** The error's answer to "may I send this again?". */
  readonly outcome: Outcome;
  /** How many attempts were made. */
  readonly attempts: number;
  /** Milliseconds since the call began. */
  readonly durationMs: number;
}

/** What `onEvent` receives; never holds a credential, a message text or a phone number. */
export type ClientEvent =
  | RequestEvent
  | ResponseEvent
  | RetryEvent
  | ThrottledEvent
  | ResponseMismatchEvent
  | FailedEvent;
