import { MessagingServiceError } from "../errors/base.ts";
import type { ClientEvent } from "./events.ts";

/** What `onEvent` is. */
export type EventListener = (event: ClientEvent) => unknown;

type Unaddressed<Event> = Event extends ClientEvent ? Omit<Event, "callId" | "endpoint"> : never;

/** How many calls were told of: it parts those that start in one tick of a browser's coarse clock. */
let calls = 0;

/** Tells a listener what happens to one call. */
export class CallEvents {
  readonly #listener: EventListener;
  readonly #address: { readonly callId: string; readonly endpoint: string };
  readonly #started = performance.now();

  constructor(listener: EventListener, endpoint: string) {
    this.#listener = listener;
    calls += 1;
    // Next.js lets no random number into what it renders ahead of time.
    const microseconds = Math.trunc((performance.timeOrigin + this.#started) * 1000);
    this.#address = { callId: `${microseconds.toString(36)}-${calls.toString(36)}`, endpoint };
  }

  /** An exception or a rejection of the listener changes nothing. */
  emit(event: Unaddressed<ClientEvent>): void {
    try {
      const heard = this.#listener({ ...event, ...this.#address } as ClientEvent);
      if (heard instanceof Promise) heard.catch(() => {});
    } catch {}
  }

  failed(error: unknown, attempts: number): void {
    const durationMs = performance.now() - this.#started;
    const { code, outcome } = MessagingServiceError.is(error)
      ? error
      : // Misused options before the first attempt; a framework's control flow in the middle of one.
        attempts === 0
        ? ({ code: "validation", outcome: "not_sent" } as const)
        : ({ code: "connection", outcome: "unknown" } as const);
    this.emit({ type: "failed", code, outcome, attempts, durationMs });
  }
}
