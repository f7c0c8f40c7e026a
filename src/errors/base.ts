import type { AnyMessagingServiceError } from "./any-error.ts";
import type { Outcome } from "./details/outcome.ts";

/**
 * Position of a walk through pages, as a plain JSON value. To continue from there, pass it unchanged to the same `list` call.
 *
 * It holds the documented filters of the walk. Query parameters that this package does not know are not part of it: pass
 * them again.
 */
export interface Resume {
  /** Page to read next, starting at 1. */
  readonly page: number;
  /** Page size of the walk, 1 to 1000. */
  readonly per_page: number;
  /** Filter of `lists.list`, if it was given. */
  readonly include_deleted?: boolean | undefined;
  /** Filter of `scheduledMessages.list`, if it was given: a UTC day as `YYYYMMDD`. */
  readonly start_date?: string | undefined;
  /** Filter of `scheduledMessages.list`, if it was given: a UTC day as `YYYYMMDD`. */
  readonly end_date?: string | undefined;
  /**
   * State of the list when the previous page was read; absent on the first page. The walk compares it with the next
   * page to find records that were added or removed.
   */
  readonly after?:
    | {
        /** Path of the list, such as `/api/v2/lists`. */
        readonly path: string;
        /** Number of records in the whole list; absent if the service counts only those of one page. */
        readonly count?: number | undefined;
        /** Number of pages. */
        readonly pages_count: number;
        /** Id of the last record on that page. */
        readonly last?: number | string | undefined;
        /** Ids of the latest records, in the order of the list: as many as fit on a page, at least 100. */
        readonly ids: readonly (number | string)[];
      }
    | undefined;
}

/** The call that an error ended. */
export interface CallContext {
  /** Method and path template of the call. */
  readonly endpoint?: string | undefined;
  /** Id of the call, the same as on its events. */
  readonly callId?: string | undefined;
  /** Number of attempts that were made. Default: 0. */
  readonly attempts?: number | undefined;
  /** Outcome of the earlier attempts of the same call. Default: `not_sent`. */
  readonly earlier?: Outcome | undefined;
}

const BRAND = Symbol.for("messaging-service-client.error");

/** Returns whether a value is an error of either copy of this package, and has the given code, if any. */
export const hasCode = (value: unknown, code?: string): boolean =>
  typeof value === "object" &&
  value !== null &&
  BRAND in value &&
  "code" in value &&
  (code === undefined || code === value.code);

/** Only a proven success clears `unknown`; otherwise the latest attempt that sent something decides. */
const outcomeOfCall = (earlier: Outcome = "not_sent", latest: Outcome): Outcome => {
  if (latest === "done") return "done";
  if (earlier === "unknown" || latest === "not_sent") return earlier;
  return latest;
};

/** Base class of every error that a call rejects with. */
export abstract class MessagingServiceError extends Error {
  /** Kind of failure; `switch (error.code)` narrows {@link AnyMessagingServiceError}. */
  abstract readonly code: string;
  /** Whether the call may be sent again: see {@link Outcome}. */
  readonly outcome: Outcome;
  /** Method and path template, without personal data; `undefined` if a rule was used on its own. */
  readonly endpoint: string | undefined;
  /** Id of the call, the same as on its events; `undefined` if a rule was used on its own. */
  readonly callId: string | undefined;
  /** Number of attempts that were made. */
  readonly attempts: number;
  /** HTTP status, if there was a response. */
  declare readonly status?: number;
  /** Wait in milliseconds before the next attempt, if the service or the throttle gives one. */
  declare readonly retryAfterMs?: number;
  /** Position of the page that a walk failed to read: see {@link Resume}. */
  declare readonly resume?: Resume;

  constructor(what: string, outcome: Outcome, context: CallContext = {}, options?: ErrorOptions) {
    super(context.endpoint === undefined ? what : `${context.endpoint}: ${what}`, options);
    this.outcome = outcomeOfCall(context.earlier, outcome);
    this.endpoint = context.endpoint;
    this.callId = context.callId;
    this.attempts = context.attempts ?? 0;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Returns whether a value is an error of this package, from its ESM or its CommonJS copy. */
  static is(value: unknown): value is AnyMessagingServiceError {
    return hasCode(value);
  }

  /**
   * Agrees with `is`, so that `instanceof` also works between the ESM and the CommonJS copy.
   *
   * @hidden
   */
  static override [Symbol.hasInstance](
    this: { is(value: unknown): boolean },
    value: unknown,
  ): boolean {
    return Object.hasOwn(this, "is")
      ? this.is(value)
      : Function.prototype[Symbol.hasInstance].call(this, value);
  }

  /** Returns what a JSON log line should hold: the name, the message and the public fields. */
  toJSON(): object {
    const { name, message } = this;
    return Object.assign({ name, message }, this);
  }
}
