import type { ApiPromise } from "../http/api-promise.ts";
import type { RequestOptions } from "../http/options.ts";
import type { Send } from "../http/send.ts";
import type { Subscriber } from "../schemas/subscriber.ts";
import { removeSubscriber } from "../wire/v2.ts";

/** Methods for the subscribers of a list. */
export class Subscribers {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Unsubscribes a phone number from a list (specification: "Version 2", endpoint 6).
   *
   * @param listId Id of the list, a positive integer.
   * @param phoneNumber The subscriber's own `phone_number`, as the service stores it. It is sent exactly as given.
   * @returns the subscriber, with `opted_out_at`.
   * @throws {@link ValidationError} when an argument is not valid. Nothing is sent then.
   * @throws {@link NotFoundError}, typically, when there is no such list, or no such subscriber on it.
   * @throws {@link ApiError}, {@link ConnectionError}, {@link TimeoutError}, {@link ThrottleError}, {@link AbortError} or
   * {@link ResponseValidationError}, as any call does; TypeError when an option is not valid.
   * @example
   * const { opted_out_at } = await v2.subscribers.remove(17, "+12065550123");
   */
  remove(listId: number, phoneNumber: string, options?: RequestOptions): ApiPromise<Subscriber> {
    const params = { ID: listId, SUBSCRIBER_ID: phoneNumber };
    return this.#send(removeSubscriber, { params }, options);
  }
}
