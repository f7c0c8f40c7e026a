import type { FakeService } from "../fake-service.ts";
import type { MessageLog } from "./message-log.ts";

/** Shortest time between two `state` events, in milliseconds. */
const STATE_INTERVAL_MS = 50;

/** Sends server-sent events to every reader of a service. */
export class EventStream {
  readonly #readers = new Set<(text: string) => void>();
  readonly #service: FakeService;
  readonly #log: MessageLog;
  readonly #unsubscribe: () => void;
  #requests: unknown;
  #stateTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(service: FakeService, log: MessageLog) {
    this.#service = service;
    this.#log = log;
    this.#requests = service.requests;
    this.#unsubscribe = service.subscribe((event) => {
      this.#noticeReset();
      if (event.type === "message") this.#send("message", log.add(event.message));
      else if (event.type === "request") this.#send("request", event.request);
      else if (event.type === "webhook") this.#send("webhook", event.webhook);
      else this.#sendState();
    });
  }

  /** Adds a reader; the returned function removes it. */
  follow(send: (text: string) => void): () => void {
    this.#readers.add(send);
    send("retry: 1000\n\n");
    return () => void this.#readers.delete(send);
  }

  /** Ends the subscription to the service. */
  close(): void {
    this.#unsubscribe();
    clearTimeout(this.#stateTimer);
  }

  /** A service that was reset has begun another list of requests. */
  #noticeReset(): void {
    if (this.#requests === this.#service.requests) return;
    this.#requests = this.#service.requests;
    this.#log.read();
    this.#send("reset", {});
  }

  #send(type: string, data: unknown): void {
    const text = `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
    for (const reader of this.#readers) reader(text);
  }

  /** Tells that the state has changed, once for all changes of a moment. */
  #sendState(): void {
    this.#stateTimer ??= setTimeout(() => {
      this.#stateTimer = undefined;
      this.#send("state", { now: this.#service.now.toISOString() });
    }, STATE_INTERVAL_MS);
  }
}
