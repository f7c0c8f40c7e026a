import { type CallContext, RecipientError, TimeoutError } from "../errors.ts";
import type { Endpoint } from "../wire/endpoint.ts";
import type { CallTimer } from "./call-timer.ts";

/** Function that decides whether a phone may be texted. Only `true`, or a promise of `true`, permits it. */
export type AllowRecipient = (phoneNumber: string) => boolean | PromiseLike<boolean>;

/** Attempt that needs the permission of an {@link AllowRecipient}. */
export interface GuardedAttempt {
  readonly endpoint: Endpoint;
  /** Body as it is sent. */
  readonly body: string | undefined;
  readonly timer: CallTimer;
  /** Time limit of each answer, in milliseconds. */
  readonly timeoutMs: number;
  readonly contextOf: () => CallContext;
}

/** Resolves if every phone of an attempt may be texted. */
export type AssertRecipients = (attempt: GuardedAttempt) => Promise<void>;

/** Returns every phone of a body: what stands at `phoneNumber`, at any depth. Without the rules, it may be a number or an array. */
const phonesOf = (body: string): ReadonlySet<string> => {
  const phones = new Set<string>();
  // An array that grows during the loop: recursion would exhaust the stack on a very deep body.
  const parts: [name: string, value: unknown][] = [["", JSON.parse(body)]];
  for (const [name, value] of parts) {
    if (typeof value === "object") {
      // What an array holds stands where the array stands.
      for (const [key, inner] of Object.entries(value ?? {})) {
        parts.push([Array.isArray(value) ? name : key, inner]);
      }
    } else if (name === "phoneNumber") phones.add(`${value}`);
  }
  return phones;
};

/**
 * Converts an `allowRecipient` option to the check that runs right before each attempt.
 *
 * The check rejects with a {@link RecipientError}. If the call's own signal or `totalTimeout` ends it, it rejects with their error.
 */
export const toAssertRecipients =
  (allowRecipient: AllowRecipient): AssertRecipients =>
  async ({ endpoint, body, timer, timeoutMs, contextOf }) => {
    // The serialized body is what goes out: the caller may have changed the object since.
    const phones = phonesOf(body ?? "null");
    // A send without a phone to ask about is refused. A custom request without one texts nobody.
    let isAllowed = phones.size > 0 || !endpoint.body;
    let cause: unknown;
    const ask = async (phone: string): Promise<boolean> => {
      try {
        return (await allowRecipient(phone)) === true;
      } catch (thrown) {
        cause = thrown ?? new TypeError("allowRecipient threw nothing");
        return false;
      }
    };
    for (const phone of phones) {
      try {
        isAllowed &&= await timer.run(() => ask(phone), "not_sent", timeoutMs);
      } catch (ended) {
        if (!TimeoutError.is(ended) || ended.phase !== "attempt") throw ended;
        isAllowed = false;
        cause = ended;
      }
    }
    if (!isAllowed) throw new RecipientError({ cause }, contextOf());
  };
