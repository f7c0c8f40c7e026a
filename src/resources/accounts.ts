import type { ApiPromise } from "../http/api-promise.ts";
import type { RequestOptions } from "../http/options.ts";
import type { Send } from "../http/send.ts";
import type { Account } from "../schemas/account.ts";
import { getAccount } from "../wire/v2.ts";

/** The account that the API key belongs to. */
export class Accounts {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * The current account (specification: "Version 2", endpoint 1).
   *
   * @example
   * const { username } = await v2.accounts.me();
   */
  me(options?: RequestOptions): ApiPromise<Account> {
    return this.#send(getAccount, {}, options);
  }
}
