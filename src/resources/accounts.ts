import type { ApiPromise } from "../http/api-promise.ts";
import type { RequestOptions } from "../http/options.ts";
import type { Send } from "../http/send.ts";
import type { Account } from "../schemas/account.ts";
import { getAccount } from "../wire/v2.ts";

/** Methods for the account of the client. */
export class Accounts {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Retrieves the account that the API key belongs to (specification: "Version 2", endpoint 1).
   *
   * @throws {@link AuthenticationError}, typically, when the e-mail address or the API key is wrong.
   * @throws {@link ApiError}, {@link ConnectionError}, {@link TimeoutError}, {@link ThrottleError}, {@link AbortError} or
   * {@link ResponseValidationError}, as any call does; TypeError when an option is not valid.
   * @example
   * const { username } = await v2.accounts.me();
   */
  me(options?: RequestOptions): ApiPromise<Account> {
    return this.#send(getAccount, {}, options);
  }
}
