import type { RecordedRequest } from "./recorded-request.ts";
import type { PhoneMessage, SentMessage, Webhook } from "./shapes.ts";

/** An event of a fake service. */
export type FakeServiceEvent =
  | {
      /** The service sent a message to a phone, or a phone sent one. */
      readonly type: "message";
      /** The message. */
      readonly message: PhoneMessage;
    }
  | {
      /** A request received its response. */
      readonly type: "request";
      /** The request. */
      readonly request: RecordedRequest;
    }
  | {
      /** A webhook was built, or its outcome became known. */
      readonly type: "webhook";
      /** The webhook. */
      readonly webhook: Webhook;
    }
  | {
      /** Accounts, lists, phones, reports, failures or the clock may have changed. */
      readonly type: "state";
    };

/** Listener for every event of a fake service. */
export type FakeServiceListener = (event: FakeServiceEvent) => void;

/** Listeners of a fake service's events. */
export class Events {
  readonly #listeners = new Set<FakeServiceListener>();

  /** Adds a listener; the returned function removes it. */
  subscribe(listener: FakeServiceListener): () => void {
    // A new function each time, so that one listener can be added twice.
    const added: FakeServiceListener = (event) => listener(event);
    this.#listeners.add(added);
    return () => void this.#listeners.delete(added);
  }

  /** Returns the messages that are sent while a function runs. */
  sentDuring(run: () => void): SentMessage[] {
    const sent: SentMessage[] = [];
    const unsubscribe = this.subscribe((event) => {
      if (event.type !== "message" || event.message.direction !== "sent") return;
      const { direction: _, ...message } = event.message;
      sent.push(message);
    });
    run();
    unsubscribe();
    return sent;
  }

  emit(event: FakeServiceEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch {
        // A listener's own error must not become a failure of the request that it is told about.
      }
    }
  }
}

/** Appends an item to a list and forgets the oldest items beyond the limit. */
export const appendBounded = <T>(items: T[], item: T, limit: number): void => {
  items.push(item);
  if (items.length > limit) items.splice(0, items.length - limit);
};
