import { MessagingServiceError } from "../../errors.ts";
import { ignoreErrors } from "../../options.ts";
import type { Redactor } from "../../responses/redact.ts";
import { requestIdOf } from "../../responses/request-id.ts";
import type { ClientEvent, ClientEventListener } from "./events.ts";

/** Event without the fields that all events of a call share. */
type EventDetails<Event = ClientEvent> = Event extends ClientEvent
  ? Omit<Event, "callId" | "endpoint">
  : never;

/** Emits the events of one call to its listeners. Nothing that a listener does changes the call. */
export class CallEvents {
  listeners: readonly ClientEventListener[];
  readonly #endpoint: string;
  readonly #nextCallId: () => string;
  readonly #redactor: Redactor;
  readonly #startedAt = performance.now();
  #callId: string | undefined;

  constructor(
    endpoint: string,
    nextCallId: () => string,
    redactor: Redactor,
    listeners: readonly ClientEventListener[],
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
      const event = { ...details, callId, endpoint: this.#endpoint } as ClientEvent;
      ignoreErrors(() => listener(event));
    }
  }

  response(attempt: number, response: Response, durationMs: number): void {
    if (this.listeners.length === 0) return;
    const { status } = response;
    const requestId = this.#requestIdOf(response);
    this.emit({ type: "response", attempt, status, durationMs, ...requestId });
  }

  succeeded(attempts: number, response: Response): void {
    if (this.listeners.length === 0) return;
    const durationMs = performance.now() - this.#startedAt;
    this.emit({ type: "succeeded", attempts, durationMs, ...this.#requestIdOf(response) });
  }

  failed(attempts: number, error: unknown): void {
    if (this.listeners.length === 0) return;
    const durationMs = performance.now() - this.#startedAt;
    const { code, outcome } = MessagingServiceError.is(error)
      ? error
      : // Option misuse before the first attempt; a framework's control flow during one.
        attempts === 0
        ? ({ code: "validation", outcome: "not_sent" } as const)
        : ({ code: "connection", outcome: "unknown" } as const);
    this.emit({ type: "failed", code, outcome, attempts, durationMs });
  }

  #requestIdOf(response: Response): { readonly requestId?: string } {
    try {
      const requestId = requestIdOf(response.headers, this.#redactor);
      return requestId === undefined ? {} : { requestId };
    } catch {
      return {};
    }
  }
}
