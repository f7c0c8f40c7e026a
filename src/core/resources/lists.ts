import type { ApiPromise } from "../call/api-promise.ts";
import { Resource, sendOf } from "../call/send-of.ts";
import type { ListRequestOptions, RequestOptions } from "../call/settings.ts";
import { assertPosition } from "../paging/page.ts";
import { type PagePromise, paginate } from "../paging/page-promise.ts";
import type { List, ListCreate, ListsQuery } from "../schemas/list.ts";
import type { DoubleOptInResult, OptInSettings, SingleOptInResult } from "../schemas/opt-in.ts";
import type { Subscriber } from "../schemas/subscriber.ts";
import {
  configureOptIn,
  createList,
  listLists,
  removeSubscriber,
  retrieveList,
} from "../wire/v2.ts";

/** Methods for subscriber lists and their opt-in settings: `v2.lists`. */
export class Lists extends Resource {
  /**
   * Lists the subscriber lists of the account, page by page.
   *
   * The service includes deleted lists and does not mark them. Pass `include_deleted: false` to leave them out.
   *
   * @param params Filter, page and page size; or, to continue a walk, the `next` of a page or the `resume` of an error.
   * @returns Promise of one page, and iterable of all lists.
   * @throws A {@link MessagingServiceError}: a {@link ValidationError}, before anything is sent, if a parameter is invalid.
   * @throws TypeError (as a rejection) that names an invalid or unknown option.
   * @example
   * for await (const list of v2.lists.list({ include_deleted: false })) console.log(list.name);
   */
  list(params: ListsQuery = {}, options?: ListRequestOptions): PagePromise<List> {
    const toInput = () => ({ query: assertPosition(params) });
    return paginate(sendOf(this), listLists, toInput, options);
  }

  /**
   * Retrieves one list.
   *
   * @param listId Id of the list, a positive integer.
   * @returns List with the given id.
   * @throws A {@link MessagingServiceError}: a {@link ValidationError}, before anything is sent, if `listId` is not a positive
   * integer; typically, a {@link NotFoundError} if there is no such list.
   * @throws TypeError (as a rejection) that names an invalid or unknown option.
   * @example
   * const { counts } = await v2.lists.retrieve(17);
   */
  retrieve(listId: number, options?: RequestOptions): ApiPromise<List> {
    return sendOf(this)(retrieveList, { params: { ID: listId } }, options);
  }

  /**
   * Creates a list.
   *
   * The request is retried only after a 429, or if no connection was made. Otherwise the list could be created twice.
   *
   * @param params Settings of the list. Which of them are required is not documented.
   * @returns New list, with the `id` that the service assigned.
   * @throws A {@link MessagingServiceError}: a {@link ValidationError}, before anything is sent, if a setting is invalid.
   * @throws TypeError (as a rejection) that names an invalid or unknown option.
   * @example
   * const list = await v2.lists.create({ name: "VIP", message_help: "Reply STOP to leave." });
   */
  create(params: ListCreate, options?: RequestOptions): ApiPromise<List> {
    return sendOf(this)(createList, { body: params }, options);
  }

  /**
   * Configures the opt-in of a list, which is how people subscribe to it.
   *
   * The last step of a double opt-in has `success_action: "optinsubscriber"`, and every earlier step has `"nextrequest"`. A step
   * with `follow_up: true` requires `follow_up_hour`.
   *
   * @param listId Id of the list, a positive integer.
   * @param settings Settings of a single or a double opt-in. You can send back steps as the service returned them.
   * @returns Settings as the service stored them, of the type that you passed.
   * @throws A {@link MessagingServiceError}: a {@link ValidationError}, before anything is sent, if the settings break a rule;
   * typically, a {@link NotFoundError} if there is no such list.
   * @throws TypeError (as a rejection) that names an invalid or unknown option.
   * @example
   * await v2.lists.configureOptIn(17, { opt_in_type: "single", first_optin_message: "Welcome!" });
   */
  configureOptIn<Type extends OptInSettings["opt_in_type"]>(
    listId: number,
    settings: OptInSettings & {
      /** Type of opt-in, which the result also has. */
      readonly opt_in_type: Type;
    },
    options?: RequestOptions,
  ): ApiPromise<Type extends "single" ? SingleOptInResult : DoubleOptInResult> {
    const input = { params: { ID: listId }, body: settings };
    return sendOf(this)(configureOptIn, input, options) as ApiPromise<never>;
  }
}

/** Methods for the subscribers of a list: `v2.subscribers`. */
export class Subscribers extends Resource {
  /**
   * Removes a phone number from a list, which then sends it no further messages.
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
