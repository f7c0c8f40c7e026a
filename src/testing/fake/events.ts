import * as z from "zod/mini";
import type { ValidationIssue } from "../../errors.ts";
import { problemSchema } from "./checks.ts";
import { integer, listOf, number, oneOf, string } from "./fields.ts";
import {
  anyJson,
  type DeepReadonly,
  deliveryEvents,
  objectOf,
  type PhoneMessage,
  type SentMessage,
} from "./shapes.ts";

/** Faults that a fake service can simulate. */
export const faults = [
  "network",
  "hang",
  "stalled_body",
  "truncated",
  "html",
  "dropped",
  "slow",
  "wrong_page",
  "drift",
] as const;

/**
 * Fault that a request can meet.
 *
 * - `network`: the connection breaks before the service reads the request. The request is not recorded.
 * - `hang`: no response ever comes; nothing was done.
 * - `stalled_body`: the request is carried out; only the beginning of the response's body arrives.
 * - `truncated`: the request is carried out; the JSON of the response breaks off.
 * - `html`: the response is a 200 with an HTML page; nothing was done.
 * - `dropped`: the request is carried out; then the connection breaks.
 * - `slow`: the request is carried out; the response arrives after `delayMs` of real time.
 * - `wrong_page`: the response holds the requested items under the number of the next page.
 * - `drift`: the request is carried out; a field of the response has an undocumented type.
 */
export type Fault = (typeof faults)[number];

const strings = z.record(z.string(), z.string());

/** Request that the fake received. */
export const recordedRequestSchema = objectOf({
  /** Id of the request, counted from 1 in the order of arrival. */
  id: integer,
  /** Time of the fake's clock at its arrival, ISO 8601. */
  at: string,
  /** HTTP method. */
  method: string,
  /** Path, without the query. */
  path: string,
  /** Method and path template; absent if there is no such endpoint. */
  endpoint: z.exactOptional(string),
  /** Query parameters, decoded. */
  query: strings,
  /** Headers by lower-case name; credentials are replaced by `[redacted]`. */
  headers: strings,
  /**
   * Body: parsed if it is JSON, otherwise a string; absent if there is none. A body of more than 65 536 characters is cut
   * to that length and kept as a string.
   */
  body: anyJson,
  /** Status of the response; 0 if none was sent. */
  status: integer,
  /** Real time in milliseconds until the response, latency included. */
  durationMs: number,
  /** Fault that the request met, or `status`; absent if it met none. */
  failure: z.exactOptional(oneOf([...faults, "status"])),
  errors: listOf(problemSchema),
});

/** A request that arrived, with `[redacted]` in place of its credentials. */
export interface RecordedRequest extends DeepReadonly<z.infer<typeof recordedRequestSchema>> {
  /** Validation errors that the response reports. */
  readonly errors: readonly ValidationIssue[];
}

/** Webhook with the application's response. */
export const webhookSchema = objectOf({
  /** Id of the webhook, starting at 1. */
  id: integer,
  /** Time of the fake's clock, ISO 8601. */
  at: string,
  /** Transaction id of the send. */
  transactionId: string,
  /** Outcome of the send: `delivered`, `fell_back` or `failed`. */
  event: oneOf(deliveryEvents),
  /** The `webhookUrl` of the send. */
  url: string,
  /** Body, sent as JSON. */
  body: anyJson,
  /** Status of the application's response; absent if there was none. */
  status: z.exactOptional(integer),
  /** Beginning of the application's response body. */
  response: z.exactOptional(string),
  /** Reason why the webhook was not sent or got no response. */
  error: z.exactOptional(string),
});

/** Webhook of a send. Without `status` and `error`, it was not posted or is still under way. */
export interface Webhook extends DeepReadonly<z.infer<typeof webhookSchema>> {}

/** Outcome of posting a webhook. */
export interface WebhookOutcome extends Pick<Webhook, "status" | "response" | "error"> {}

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

/** Listener for every event of a fake service. */
export type FakeServiceListener = (event: FakeServiceEvent) => void;

/** Listeners of a fake service's events. */
export class Events {
  readonly #listeners = new Set<FakeServiceListener>();

  /** Adds a listener; the returned function removes it. */
  subscribe(listener: FakeServiceListener): () => void {
    // A new function each time: the same listener can be added twice.
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
        // An error of a listener must not become a failure of the request that caused the event.
      }
    }
  }
}

/** Appends an item to a list and forgets the oldest items beyond the limit. */
export const appendBounded = <T>(items: T[], item: T, limit: number): void => {
  items.push(item);
  if (items.length > limit) items.splice(0, items.length - limit);
};
