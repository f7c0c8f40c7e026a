import type { AnyMessagingServiceError } from "../errors/any-error.ts";
import type { Outcome } from "../errors/outcome.ts";
import type { ValidationIssue } from "../errors/validation-issue.ts";

/** The call that an event belongs to. */
interface CallEvent {
  /** Id of the call: the same on all its events and on its error. */
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

/** An attempt got a response, whatever its status. */
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

/** An attempt failed, and another one follows. */
export interface RetryEvent extends CallEvent {
  /** Which event it is. */
  readonly type: "retry";
  /** The attempt that failed. */
  readonly attempt: number;
  /** Milliseconds until the next one asks the throttle for a slot. */
  readonly delayMs: number;
  /** The error's code. */
  readonly reason: AnyMessagingServiceError["code"];
  /** HTTP status, where there was a response. */
  readonly status?: number;
}

/** The throttle made a call wait. Emitted when the wait is over. */
export interface ThrottledEvent extends CallEvent {
  /** Which event it is. */
  readonly type: "throttled";
  /** Milliseconds between asking for a slot and getting it. */
  readonly waitMs: number;
}

/** A response has fields that are not as documented. */
export interface ResponseMismatchEvent extends CallEvent {
  /** Which event it is. */
  readonly type: "response_mismatch";
  /** One for each field; one index stands for all items of an array. */
  readonly issues: readonly ValidationIssue[];
}

/** A call succeeded. Emitted once. */
export interface SucceededEvent extends CallEvent {
  /** Which event it is. */
  readonly type: "succeeded";
  /** Number of attempts that were made. */
  readonly attempts: number;
  /** Milliseconds since the call began. */
  readonly durationMs: number;
  /** The service's id of the last request, where it sent one. */
  readonly requestId?: string;
}

/** A call failed, for whatever reason. Emitted once. */
export interface FailedEvent extends CallEvent {
  /** Which event it is. */
  readonly type: "failed";
  /** The error's code. */
  readonly code: AnyMessagingServiceError["code"];
  /** The error's answer to "may I send this again?". */
  readonly outcome: Outcome;
  /** Number of attempts that were made. */
  readonly attempts: number;
  /** Milliseconds since the call began. */
  readonly durationMs: number;
}

/** An event as `onEvent` receives it. It never holds a credential, a message text or a phone number. */
export type ClientEvent =
  | RequestEvent
  | ResponseEvent
  | RetryEvent
  | ThrottledEvent
  | ResponseMismatchEvent
  | SucceededEvent
  | FailedEvent;

/** A function that is told what happens to a call. */
export type EventListener = (event: ClientEvent) => unknown;
