import type { AnyMessagingServiceError } from "./any-error.ts";
import type { Outcome } from "./outcome.ts";

/** The page on which a walk failed; pass it to the same `list` call to go on from there. */
export interface Resume {
  /** The page that was not handed out, starting at 1. */
  readonly page: number;
  /** The page size of the walk. */
  readonly per_page: number;
}

/** What every error knows of the call that it ended. */
export interface CallContext {
  /** Method and path template of the call. */
  readonly endpoint?: string | undefined;
  /** How many attempts were made. Default: 0. */
  readonly attempts?: number | undefined;
  /** What earlier attempts of the same call left behind. Default: `not_sent`. */
  readonly earlier?: Outcome | undefined;
}

const BRAND = Symbol.for("messaging-service-client.error");

/** Whether a value is an error of either copy of this package, with a certain code where one is given. */
export const hasCode = (value: unknown, code?: string): boolean =>
  typeof value === "object" &&
  value !== null &&
  BRAND in value &&
  "code" in value &&
  (code === undefined || code === value.code);

/** A doubt is settled by proof alone; short of that, what an attempt met speaks for the call. */
const outcomeOfCall = (earlier: Outcome = "not_sent", latest: Outcome): Outcome => {
  if (latest === "done") return "done";
  if (earlier === "unknown" || latest === "not_sent") return earlier;
  return latest;
};

/** The base of every error that a call rejects with. */
export abstract class MessagingServiceError extends Error {
  /** The kind of failure, by which a `switch` narrows {@link AnyMessagingServiceError}. */
  abstract readonly code: string;
  /** May this be sent again? See {@link Outcome}. */
  readonly outcome: Outcome;
  /** Method and path template, without anybody's data; `undefined` where a rule was used on its own. */
  readonly endpoint: string | undefined;
  /** How many attempts were made. */
  readonly attempts: number;
  /** Where to go on, when a walk through pages failed. */
  declare readonly resume?: Resume;

  constructor(what: string, outcome: Outcome, context: CallContext = {}, options?: ErrorOptions) {
    super(context.endpoint === undefined ? what : `${context.endpoint}: ${what}`, options);
    this.outcome = outcomeOfCall(context.earlier, outcome);
    this.endpoint = context.endpoint;
    this.attempts = context.attempts ?? 0;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Whether a value is an error of this package, its ESM or its CommonJS copy. */
  static is(value: unknown): value is AnyMessagingServiceError {
    return hasCode(value);
  }

  /**
   * `instanceof` agrees with `is`, so that it also holds between the ESM and the CommonJS copy.
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

  /** What a JSON log line should hold: the message too, and none of the private parts. */
  toJSON(): object {
    const { name, message } = this;
    return Object.assign({ name, message }, this);
  }
}
