import type { ApiPromise } from "../http/api-promise.ts";
import type { ListRequestOptions, RequestOptions } from "../http/options.ts";
import type { Send } from "../http/send.ts";
import { assertPosition } from "../paging/page.ts";
import { type PagePromise, paginate } from "../paging/page-promise.ts";
import type { List, ListCreate, ListsQuery } from "../schemas/list.ts";
import type {
  DoubleOptInResult,
  OptInSettingsResult,
  SingleOptInResult,
} from "../schemas/opt-in.ts";
import type {
  DoubleOptInSettings,
  OptInSettings,
  SingleOptInSettings,
} from "../schemas/opt-in-settings.ts";
import { configureOptIn, createList, listLists, retrieveList } from "../wire/v2.ts";

/** Methods for subscriber lists and their opt-in settings. */
export class Lists {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Lists the subscriber lists of the account, page by page (specification: "Version 2", endpoint 2).
   *
   * Deleted lists are included unless `include_deleted` is `false`. The service does not mark them.
   *
   * @param params Filter, page and page size; or the `resume` of an error or the `next` of a page, as it is.
   * @returns a promise of one page, which is also an iterable of all lists.
   * @throws {@link ValidationError} when a parameter is not valid. Nothing is sent then.
   * @throws {@link ApiError}, {@link ConnectionError}, {@link TimeoutError}, {@link ThrottleError}, {@link AbortError} or
   * {@link ResponseValidationError}, as any call does; TypeError when an option is not valid.
   * @example
   * for await (const list of v2.lists.list({ include_deleted: false })) console.log(list.name);
   */
  list(params: ListsQuery = {}, options?: ListRequestOptions): PagePromise<List> {
    const toInput = () => ({ query: { ...assertPosition(params) } });
    return paginate(this.#send, listLists, toInput, options);
  }

  /**
   * Retrieves one list (specification: "Version 2", endpoint 3).
   *
   * @param listId Id of the list, a positive integer.
   * @throws {@link ValidationError} when `listId` is not a positive integer. Nothing is sent then.
   * @throws {@link NotFoundError}, typically, when there is no such list.
   * @throws {@link ApiError}, {@link ConnectionError}, {@link TimeoutError}, {@link ThrottleError}, {@link AbortError} or
   * {@link ResponseValidationError}, as any call does; TypeError when an option is not valid.
   * @example
   * const { counts } = await v2.lists.retrieve(17);
   */
  retrieve(listId: number, options?: RequestOptions): ApiPromise<List> {
    return this.#send(retrieveList, { params: { ID: listId } }, options);
  }

  /**
   * Creates a list (specification: "Version 2", endpoint 5). The request is retried only after a 429, or if no connection
   * was made.
   *
   * @param params Settings of the list. The specification does not say which of them are required.
   * @returns the list, with the `id` that the service gave it.
   * @throws {@link ValidationError} when a setting is not valid. Nothing is sent then.
   * @throws {@link ApiError}, {@link ConnectionError}, {@link TimeoutError}, {@link ThrottleError}, {@link AbortError} or
   * {@link ResponseValidationError}, as any call does; TypeError when an option is not valid.
   * @example
   * const list = await v2.lists.create({ name: "VIP", message_help: "Reply STOP to leave." });
   */
  create(params: ListCreate, options?: RequestOptions): ApiPromise<List> {
    return this.#send(createList, { body: params }, options);
  }

  /**
   * Configures how phones get onto a list (specification: "Version 2", endpoint 4).
   *
   * The last step of a double opt-in has `success_action: "optinsubscriber"`, every earlier step has `"nextrequest"`, and
   * `follow_up: true` requires `follow_up_hour`.
   *
   * @param listId Id of the list, a positive integer.
   * @param settings Settings of a single or a double opt-in. Steps as the service returned them can be sent back.
   * @returns the settings as the service stored them, of the type that was sent.
   * @throws {@link ValidationError} when the settings break a rule. Nothing is sent then.
   * @throws {@link NotFoundError}, typically, when there is no such list.
   * @throws {@link ApiError}, {@link ConnectionError}, {@link TimeoutError}, {@link ThrottleError}, {@link AbortError} or
   * {@link ResponseValidationError}, as any call does; TypeError when an option is not valid.
   * @example
   * await v2.lists.configureOptIn(17, { opt_in_type: "single", first_optin_message: "Welcome!" });
   */
  configureOptIn(
    listId: number,
    settings: SingleOptInSettings,
    options?: RequestOptions,
  ): ApiPromise<SingleOptInResult>;
  configureOptIn(
    listId: number,
    settings: DoubleOptInSettings,
    options?: RequestOptions,
  ): ApiPromise<DoubleOptInResult>;
  configureOptIn(
    listId: number,
    settings: OptInSettings,
    options?: RequestOptions,
  ): ApiPromise<OptInSettingsResult>;
  configureOptIn(
    listId: number,
    settings: OptInSettings,
    options?: RequestOptions,
  ): ApiPromise<OptInSettingsResult> {
    return this.#send(configureOptIn, { params: { ID: listId }, body: settings }, options);
  }
}
