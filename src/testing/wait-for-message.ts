import * as z from "zod/mini";
import { MAX_TIMER_MS } from "../core/options.ts";
import { waitFor } from "../core/wait-for.ts";
import { parseOptions } from "./fake/checks.ts";
import type { FakeServiceEvent } from "./fake/fake-events.ts";
import * as f from "./fake/fake-fields.ts";
import type { SentMessage } from "./fake/messages.ts";
import type { Some } from "./fake/store.ts";
import type { FakeService } from "./fake-service.ts";

type WaitArguments = Parameters<FakeService["waitForMessage"]>;

const CALL = "waitForMessage";

/** Interval in milliseconds at which a wait sends the reminders and scheduled messages that are due. */
const TICK_MS = 20;

const awaitedSchema = f.objectOf({ to: f.phoneSchema, text: z.optional(f.string) });
const waitSchema = f.objectOf({
  timeout: z._default(f.integerFrom(0, MAX_TIMER_MS), 5_000),
  signal: z.optional(
    f.valueThat<AbortSignal>("an AbortSignal", (value) => value instanceof AbortSignal),
  ),
});

export const toMatch =
  ({ to, text = "" }: Some<WaitArguments[0]>) =>
  (message: SentMessage): boolean =>
    (to === undefined || message.to === to) && (text === "" || !!message.text?.includes(text));

export const waitForMessage = async (
  service: FakeService,
  ...[message, options]: WaitArguments
): Promise<SentMessage> =>
  waitForMatch(service, toMatch(parseOptions(CALL, awaitedSchema, message, "message")), options);

/** Returns the message that the service sent, if the event is about one. */
const sentIn = (event: FakeServiceEvent): SentMessage | undefined => {
  if (event.type !== "message" || event.message.direction !== "sent") return undefined;
  const { direction: _, id: _id, ...message } = event.message;
  return message;
};

export const waitForMatch = async (
  service: FakeService,
  matches: (message: SentMessage) => boolean,
  options: WaitArguments[1] = {},
): Promise<SentMessage> => {
  const { timeout, signal } = parseOptions(CALL, waitSchema, options, "options");
  const found = service.outbox.find(matches);
  if (found) return found;
  let unsubscribe = (): void => {};
  const arrival = new Promise<SentMessage>((resolve) => {
    unsubscribe = service.subscribe((event) => {
      const sent = sentIn(event);
      if (sent && matches(sent)) resolve(sent);
    });
  });
  const ticks = setInterval(() => service.sendDue(), TICK_MS);
  const arrived = await waitFor(arrival, timeout, signal).finally(() => {
    clearInterval(ticks);
    unsubscribe();
  });
  if (arrived === "stopped") throw signal?.reason;
  if (arrived !== "late") return arrived.value;
  const late = `no message matched within ${timeout} ms; ${service.outbox.length} others were sent`;
  throw new DOMException(`${CALL}: ${late}`, "TimeoutError");
};
