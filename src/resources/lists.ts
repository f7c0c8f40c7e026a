import type { ApiPromise } from "../http/api-promise.ts";
import type { ListRequestOptions, RequestOptions } from "../http/options.ts";
import type { Send } from "../http/send.ts";
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

/** Subscriber lists and their opt-in settings. */
export class Lists {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * The lists of the account (specification: "Version 2", endpoint 2).
   *
   * Deleted lists are included unless `include_deleted` is `false`; the service does not mark them.
   *
   * @example
   * for await (const list of v2.lists.list({ include_deleted: false })) console.log(list.name);
   */
  list(params?: ListsQuery, options?: ListRequestOptions): PagePromise<List> {
    return paginate(this.#send, listLists, { query: params }, options);
  }

  /**
   * One list (specification: "Version 2", endpoint 3).
   *
   * @param listId a positive integer.
   * @throws {@link NotFoundError} when there is no such list.
   * @example
   * const { counts } = await v2.lists.retrieve(17);
   */
  retrieve(listId: number, options?: RequestOptions): ApiPromise<List> {
    return this.#send(retrieveList, { params: { ID: listId } }, options);
  }

  /**
   * Creates a list (specification: "Version 2", endpoint 5). Never repeated unless it certainly did nothing.
   *
   * @param params the settings of the list; which of them are required is not documented.
   * @example
   * const list = await v2.lists.create({ name: "VIP", message_help: "Reply STOP to leave." });
   */
  create(params: ListCreate, options?: RequestOptions): ApiPromise<List> {
    return this.#send(createList, { body: params }, options);
  }

  /**
   * Configures how phones get onto a list (specification: "Version 2", endpoint 4).
   *
   * Of the steps of a double opt-in, the last has `success_action: "optinsubscriber"` and every earlier
   * one `"nextrequest"`; `follow_up: true` needs `follow_up_hour`.
   *
   * @param listId a positive integer.
   * @throws {@link ValidationError} when the settings break a rule; nothing is sent then.
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
