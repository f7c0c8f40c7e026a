import {
  type ErrorCode,
  MessagingServiceError,
  type Outcome,
  type ValidationIssue,
} from "../errors.ts";
import { ignoreErrors, orUndefined } from "../options.ts";
import { type ResponseHead, requestIdOf } from "../responses/fetched-response.ts";
import type { Redactor } from "../responses/redact.ts";
import type { Endpoint } from "../wire/endpoint.ts";

/**
 * Event that `onEvent` receives; `type` discriminates it. Except in a path of `request()`, it never contains a credential, a message
 * text or a phone number.
 */
export type ClientEvent = {
  /** Id of the call, the same on all its events and on its error. */
  readonly callId: string;
  /** Method and path template of the call, without the values of its parameters, such as `GET /api/v2/lists/{ID}`. */
  readonly endpoint: string;
  /** Present on calls of `request()`, whose path you wrote. The paths of all other calls contain no data. */
  readonly isCustom?: true;
} & (
  | {
      /** An attempt starts. */
      readonly type: "request";
      /** Number of the attempt, starting at 1. */
      readonly attempt: number;
    }
  | {
      /** An attempt has received a response, whatever its status. */
      readonly type: "response";
      /** Number of the attempt, starting at 1. */
      readonly attempt: number;
      /** HTTP status; 0 for a redirect in a browser, which hides the status. */
      readonly status: number;
      /** Time in milliseconds from the start of the attempt to the end of the body. */
      readonly durationMs: number;
      /** The service's id of the request, if it sent one. */
      readonly requestId?: string;
    }
  | {
      /** An attempt has failed, and a retry follows after a pause. */
      readonly type: "retry";
      /** Number of the attempt that failed, starting at 1. */
      readonly attempt: number;
      /** Time in milliseconds until the next attempt requests a slot from the throttle. */
      readonly delayMs: number;
      /** Code of the attempt's error. */
      readonly reason: ErrorCode;
      /** HTTP status of the response that caused the error, if one did. */
      readonly status?: number;
    }
  | {
      /** A call has to wait for the throttle, perhaps for an hour. The event is emitted once for each wait, within about 100 ms. */
      readonly type: "queued";
      /** Expected length of the wait in milliseconds, if the throttle knows it. A hold may extend the wait. */
      readonly expectedWaitMs?: number;
    }
  | {
      /** A call that was queued has received its slot. */
      readonly type: "throttled";
      /** Length of the wait in milliseconds. */
      readonly waitMs: number;
    }
  | {
      /** A response has fields of undocumented types. */
      readonly type: "response_mismatch";
      /** One issue for each such field. If many items of an array have such a field, the issue names the first item. */
      readonly issues: readonly ValidationIssue[];
    }
  | {
      /** A call has succeeded. This is the last event of the call. */
      readonly type: "succeeded";
      /** Number of attempts that were made. */
      readonly attempts: number;
      /** Duration of the call in milliseconds, from its start: waits, attempts and pauses. */
      readonly durationMs: number;
      /** The service's id of the last request, if it sent one. */
      readonly requestId?: string;
      /** The service's id of the message; only after a send. */
      readonly transactionId?: string;
    }
  | {
      /** A call has failed, for whatever reason. This is the last event of the call. */
      readonly type: "failed";
      /**
       * Code of the call's error; `validation` for the `TypeError` of an invalid option, which has no code; `abort` also if `skip`,
       * the ledger or a pause of a durable send prevented the attempt.
       */
      readonly code: ErrorCode;
      /** Outcome of the error, which determines whether the call may be sent again. */
      readonly outcome: Outcome;
      /** Number of attempts that were made. */
      readonly attempts: number;
      /** Duration of the call in milliseconds, from its start: waits, attempts and pauses. */
      readonly durationMs: number;
    }
);

export type RequestEvent = Extract<ClientEvent, { readonly type: "request" }>;

type EventDetails<Event = ClientEvent> = Event extends ClientEvent
  ? Omit<Event, "callId" | "endpoint" | "isCustom">
  : never;

/** Emits the events of one call to its listeners. Nothing that a listener does changes the call. */
export class CallEvents {
  listeners: readonly ((event: ClientEvent) => unknown)[];
  readonly #endpoint: Pick<Endpoint, "id" | "isCustom">;
  readonly #nextCallId: () => string;
  readonly #redactor: Redactor;
  readonly #startedAt = performance.now();
  #callId: string | undefined;

  constructor(
    endpoint: Pick<Endpoint, "id" | "isCustom">,
    nextCallId: () => string,
    redactor: Redactor,
    listeners: readonly ((event: ClientEvent) => unknown)[],
  ) {
    this.#endpoint = endpoint;
    this.#nextCallId = nextCallId;
    this.#redactor = redactor;
    this.listeners = listeners;
  }

  get callId(): string {
    this.#callId ??= this.#nextCallId();
    return this.#callId;
  }

  emit(details: EventDetails): void {
    for (const listener of this.listeners) {
      const { callId } = this;
      const { id: endpoint, isCustom } = this.#endpoint;
      const event = { ...details, callId, endpoint, ...(isCustom && { isCustom }) } as ClientEvent;
      ignoreErrors(() => listener(event));
    }
  }

  /** @param startedAt Start of the attempt. */
  response(attempt: number, response: ResponseHead, startedAt: number): void {
    if (this.listeners.length === 0) return;
    const durationMs = performance.now() - startedAt;
    const { status } = response;
    const requestId = this.#requestIdOf(response);
    this.emit({ type: "response", attempt, status, durationMs, ...requestId });
  }

  succeeded(
    attempts: number,
    { response, data }: { readonly response: ResponseHead; readonly data: unknown },
  ): void {
    if (this.listeners.length === 0) return;
    const durationMs = performance.now() - this.#startedAt;
    const ids = { ...this.#requestIdOf(response), ...this.#transactionIdOf(data) };
    this.emit({ type: "succeeded", attempts, durationMs, ...ids });
  }

  failed(attempts: number, error: unknown): void {
    const durationMs = performance.now() - this.#startedAt;
    const { code, outcome } = MessagingServiceError.is(error)
      ? error
      : // The error is an invalid option before the first attempt, or a framework's control flow during an attempt.
        attempts === 0
        ? ({ code: "validation", outcome: "not_sent" } as const)
        : ({ code: "connection", outcome: "unknown" } as const);
    this.emit({ type: "failed", code, outcome, attempts, durationMs });
  }

  #requestIdOf(response: ResponseHead): { readonly requestId?: string } {
    // The headers of a third-party `fetch` may return anything. The id only helps to find a request, so the call goes on without
    // it.
    const requestId = orUndefined(() => requestIdOf(response.headers, this.#redactor));
    return requestId === undefined ? {} : { requestId };
  }

  #transactionIdOf(data: unknown): { readonly transactionId?: string } {
    // The caller's own schema may return anything.
    const id = orUndefined((): unknown => Object(data).transactionId);
    return typeof id === "string" ? { transactionId: this.#redactor.token(id) } : {};
  }
}
