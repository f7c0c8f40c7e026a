import type { AnyMessagingServiceError } from "../../errors/any-error.ts";
import type { RequestOptions } from "../../http/options.ts";

/** One request that has passed the rules, and the key under which a ledger knows it. */
export interface Task {
  readonly key: string;
  readonly digest: string;
  readonly ref: string;
  /** Method and path template. */
  readonly endpoint: string;
  /** Whether a key in doubt may be sent again, because a repeat leaves everything the same. */
  readonly mayRepeat: boolean;
  /** Whether an error leaves nothing to do, whatever earlier attempts met. */
  readonly isSettledBy: (error: AnyMessagingServiceError) => boolean;
  /** Sends it, and resolves to what the service says of it. */
  readonly call: (options: RequestOptions) => PromiseLike<{ readonly transactionId?: string }>;
}
