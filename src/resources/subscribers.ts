import type { ApiPromise } from "../http/methods.ts";
import { Resource, sendOf } from "../http/methods.ts";
import type { RequestOptions } from "../http/settings.ts";
import type { Subscriber } from "../schemas/subscriber.ts";
import { removeSubscriber } from "../wire/v2.ts";

/** Methods for the subscribers of a list: `v2.subscribers`. */
export class Subscribers extends Resource {
  /**
   * Removes a phone number from a list: the list sends it no further messages.
   *
   * @param listId Id of the list, a positive integer.
   * @param phoneNumber Phone number in the format in which the service stores it. The client sends it exactly as given.
   * @returns Removed subscriber, with `opted_out_at`.
   * @throws A {@link MessagingServiceError}: a {@link ValidationError}, before anything is sent, if an argument is invalid;
   * typically, a {@link NotFoundError} if there is no such list, or no such subscriber on it.
   * @throws TypeError (as a rejection) that names an invalid or unknown option.
   * @example
   * const { opted_out_at } = await v2.subscribers.remove(17, "+12065550123");
   */
  remove(listId: number, phoneNumber: string, options?: RequestOptions): ApiPromise<Subscriber> {
    const params = { ID: listId, SUBSCRIBER_ID: phoneNumber };
    return sendOf(this)(removeSubscriber, { params }, options);
  }
}
