import { RecipientError, TimeoutError } from "../errors.ts";
import { assertFunction, type OptionCheck } from "../options.ts";
import { parsePhone } from "../rules/phone.ts";
import type { Endpoint } from "../wire/endpoint.ts";
import type { WireRequest } from "./build-request.ts";
import type { CallTimer } from "./call-timer.ts";

/**
 * Function that decides whether a phone number may be texted. Only `true`, or a promise of `true`, permits it. It receives E.164,
 * or the caller's own text if that is not a valid U.S. or Canadian number.
 */
export type AllowRecipient = (phoneNumber: string) => boolean | PromiseLike<boolean>;

/** @throws A {@link RecipientError} unless each phone number of the request may be texted. */
export type AssertRecipients = (
  endpoint: Endpoint,
  request: WireRequest,
  timer: CallTimer,
  timeoutMs: number,
) => Promise<void>;

function* phonesIn(value: unknown): Generator<unknown> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === "phoneNumber") yield inner;
    yield* phonesIn(inner);
  }
}

/** Returns the number as E.164, in which lists of people are kept, whatever the rules convert. */
const toRecipient = (phone: string): string => {
  const parsed = parsePhone(phone);
  return "e164" in parsed ? parsed.e164 : phone;
};

export const toAssertRecipients: OptionCheck<AllowRecipient, AssertRecipients> = (name, allow) => {
  assertFunction(name, allow);
  return async (endpoint, { sent }, timer, timeoutMs) => {
    const ask = async (): Promise<unknown> => {
      // A send without a phone number to check is refused. A custom request without a phone number texts nobody.
      let answer: unknown = !endpoint.body;
      // If the rules are turned off, the message may have an array instead of a phone number, and a number instead of a string.
      for (const phone of [...phonesIn(sent.body)].flat(Infinity)) {
        if (phone === null) continue;
        // The guard accepts only phone numbers, so anything else is refused.
        const isPhone = ["string", "number"].includes(typeof phone);
        answer = isPhone && (await allow(toRecipient(`${phone}`)));
        if (answer !== true) break;
      }
      return answer;
    };
    const endsAt = timer.now + timeoutMs;
    const decide = async () => {
      const answer = await ask().catch((cause: unknown) => {
        throw new RecipientError("failed", { cause });
      });
      if (answer !== true) throw new RecipientError("refused");
      // A function that blocks the event loop returns before the timer can fire.
      if (timer.now >= endsAt) throw new TimeoutError("attempt", timeoutMs, "not_sent");
    };
    await timer.run(decide, undefined, timeoutMs).catch((error: Partial<TimeoutError>) => {
      // A timeout of the phase `attempt` means that only this check took too long. Otherwise, the call itself has ended.
      if (error.phase !== "attempt") throw error;
      error.message = `allowRecipient took longer than ${timeoutMs} ms`;
      throw new RecipientError("failed", { cause: error });
    });
  };
};
