import type { ApiPromise } from "../call/api-promise.ts";
import { Resource, sendOf } from "../call/send-of.ts";
import type { RequestOptions } from "../call/settings.ts";
import type { Account } from "../schemas/account.ts";
import { getAccount } from "../wire/v2.ts";

/** Methods for the account of an API key: `v2.accounts`. */
export class Accounts extends Resource {
  /**
   * Retrieves the account that the API key belongs to.
   *
   * @returns Account of the API key.
   * @throws A {@link MessagingServiceError}: typically, an {@link AuthenticationError} if the e-mail address or the API key is
   * wrong.
   * @throws TypeError (as a rejection) that names an invalid or unknown option.
   * @example
   * const { username } = await v2.accounts.me();
   */
  me(options?: RequestOptions): ApiPromise<Account> {
    return sendOf(this)(getAccount, {}, options);
  }
}
