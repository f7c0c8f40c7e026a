import type { ApiPromise } from "../http/api-promise.ts";
import type { RequestOptions } from "../http/options.ts";
import type { Send } from "../http/send.ts";
import type { Subscriber } from "../schemas/subscriber.ts";
import { removeSubscriber } from "../wire/v2.ts";

/** Phone numbers on lists. */
export class Subscribers {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Unsubscribes a phone number from a list (specification: "Version 2", endpoint 6).
   *
   * @param listId a positive integer.
   * @param phoneNumber the subscriber's own `phone_number`, as the service stores it: it is sent as given.
   * @throws {@link NotFoundError} when the list has no such subscriber.
   * @example
   * const { opted_out_at } = await v2.subscribers.remove(17, "+12065550123");
   */
  remove(listId: number, phoneNumber: string, options?: RequestOptions): ApiPromise<Subscriber> {
    const params = { ID: listId, SUBSCRIBER_ID: phoneNumber };
    return this.#send(removeSubscriber, { params }, options);
  }
}
