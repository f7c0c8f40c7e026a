import type { PhoneMessage, SentMessage } from "../phones/phone-message.ts";
import type { RecordedRequest } from "../recorded-request.ts";
import type { Webhook } from "../webhooks/webhook.ts";

/** An event of a fake service. */
export type FakeServiceEvent =
  | {
      /** The service sent a message to a phone, or a phone sent one. */
      readonly type: "message";
      /** The message. */
      readonly message: PhoneMessage;
    }
  | {
      /** A request got its response. */
      readonly type: "request";
      /** The request. */
      readonly request: RecordedRequest;
    }
  | {
      /** A webhook was built, or its outcome is known. */
      readonly type: "webhook";
      /** The webhook. */
      readonly webhook: Webhook;
    }
  | {
      /** Accounts, lists, phones, reports, failures or the clock may have changed. */
      readonly type: "state";
    };

/** A function that is called with every event of a fake service. */
export type FakeServiceListener = (event: FakeServiceEvent) => void;

/** Calls every listener with what happens. */
export class Events {
  readonly #listeners = new Set<FakeServiceListener>();

  /** Adds a listener; the returned function removes it. */
  subscribe(listener: FakeServiceListener): () => void {
    // A function of its own, so that one listener can be added twice.
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
