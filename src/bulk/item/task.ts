import type { AnyMessagingServiceError } from "../../errors.ts";
import type { RequestOptions } from "../../http/options.ts";
import type { AttemptGuard } from "../../http/send.ts";

/** One request that has passed the rules, with its key in the ledger. */
export interface Task {
  readonly key: string;
  readonly digest: string;
  readonly ref: string;
  /** Method and path template. */
  readonly endpoint: string;
  /** Whether a key in doubt may be sent again, because the request is idempotent. */
  readonly mayRepeat: boolean;
  /** Returns whether an error leaves nothing to do, whatever happened to earlier attempts. */
  readonly isSettledBy: (error: AnyMessagingServiceError) => boolean;
  /** Sends the request, and resolves to the service's response. */
  readonly call: (
    options: RequestOptions,
    guard: AttemptGuard,
  ) => PromiseLike<{ readonly transactionId?: string }>;
}
