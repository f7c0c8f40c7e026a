import type { PhoneMessage, Webhook } from "./messages.ts";
import type { RecordedRequest } from "./recorded-requests.ts";

/** An event of a fake service. */
export type FakeServiceEvent =
  | {
      /** The service sent a message to a phone, or a phone sent one. */
      readonly type: "message";
      /** Message, as in `service.conversationWith()`. */
      readonly message: PhoneMessage;
    }
  | {
      /** A request received its response. */
      readonly type: "request";
      /** Request with its status, as in `service.requests`. */
      readonly request: RecordedRequest;
    }
  | {
      /** A webhook was built, or its outcome became known. */
      readonly type: "webhook";
      /** Webhook, as in `service.webhooks`. */
      readonly webhook: Webhook;
    }
  | {
      /** Accounts, lists, phones, reports, failures or the clock may have changed. */
      readonly type: "state";
    };

type Listener = (event: FakeServiceEvent) => void;

export class Events {
  readonly #listeners = new Set<Listener>();

  /** Adds a listener; the returned function removes it. */
  subscribe(listener: Listener): () => void {
    // A new function each time, so the same listener can be added twice.
    const added: Listener = (event) => listener(event);
    this.#listeners.add(added);
    return () => void this.#listeners.delete(added);
  }

  emit(event: FakeServiceEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch {
        // An error of a listener must not become a failure of the request that caused the event.
      }
    }
  }
}
