import type { OptInRequest } from "../../core/schemas/opt-in.ts";
import { CLOCK_END_MS, type FakeClock, MS_PER_UNIT } from "./fake-clock.ts";
import type { OptInConversation, StoredList } from "./store.ts";

/** Returns the step that waits for a phone's reply. */
export const stepOf = (
  { conversations, resource }: StoredList,
  phone: string,
): OptInRequest | undefined => {
  const conversation = conversations.get(phone);
  return conversation && resource.opt_in_requests[conversation.stepIndex];
};

/** Double opt-ins under way, with their reminders. */
export class Conversations {
  readonly #clock: FakeClock;
  readonly #onNoReply: (list: StoredList, phone: string) => void;

  constructor(clock: FakeClock, onNoReply: (list: StoredList, phone: string) => void) {
    this.#clock = clock;
    this.#onNoReply = onNoReply;
  }

  /** Sets a conversation and its reminder. A reminder whose time has passed is sent now, or at `earliestMs`. */
  set(
    list: StoredList,
    phone: string,
    next: Omit<OptInConversation, "reminderAtMs">,
    earliestMs = this.#clock.nowMs,
  ): void {
    this.end(list, phone);
    const step = list.resource.opt_in_requests[next.stepIndex];
    const hours = step?.follow_up && !next.isReminded ? step.follow_up_hour : null;
    const dueMs =
      hours === null ? Number.POSITIVE_INFINITY : next.askedAtMs + hours * MS_PER_UNIT.hours;
    const reminderAtMs = dueMs <= CLOCK_END_MS ? Math.max(dueMs, earliestMs) : undefined;
    const conversation = { ...next, reminderAtMs };
    list.conversations.set(phone, conversation);
    if (reminderAtMs === undefined) return;
    const remind = () => {
      list.conversations.set(phone, { ...conversation, reminderAtMs: undefined, isReminded: true });
      this.#onNoReply(list, phone);
    };
    this.#clock.setAlarm(reminderAtMs, remind, conversation);
  }

  end(list: StoredList, phone: string): void {
    const conversation = list.conversations.get(phone);
    if (!conversation) return;
    this.#clock.cancelAlarmsOf(conversation);
    list.conversations.delete(phone);
  }

  /** Continues the conversations of a list with its new settings. A conversation ends if its step no longer exists. */
  applySettings(list: StoredList): void {
    const steps = list.resource.opt_in_requests;
    for (const [phone, conversation] of [...list.conversations]) {
      if (conversation.stepIndex < steps.length) this.set(list, phone, conversation);
      else this.end(list, phone);
    }
  }
}
