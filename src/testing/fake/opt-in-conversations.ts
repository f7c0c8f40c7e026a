import * as z from "zod/mini";
import type { OptInRequest } from "../../core/schemas/opt-in.ts";
import { CLOCK_END_MS, type FakeClock, MS_PER_UNIT } from "./fake-clock.ts";
import * as f from "./fake-fields.ts";
import { conversationSchema, type OptInConversation, type StoredList } from "./store.ts";

export const savedConversationSchema = z.extend(conversationSchema, {
  listId: f.integer,
  phone: f.string,
});
type SavedConversation = f.DeepReadonly<z.infer<typeof savedConversationSchema>>;

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

  ask(list: StoredList, phone: string, stepIndex: number, keyword: string | undefined): void {
    const askedAtMs = this.#clock.nowMs;
    this.#set(list, phone, { stepIndex, keyword, askedAtMs, isReminded: false });
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
      if (conversation.stepIndex < steps.length) this.#set(list, phone, conversation);
      else this.end(list, phone);
    }
  }

  /** Restores a conversation; a reminder that became due since `savedMs` is sent. */
  restore(list: StoredList, saved: SavedConversation, savedMs: number): void {
    const { listId: _, phone, ...conversation } = saved;
    this.#set(list, phone, conversation, savedMs);
  }

  #set(
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
    // If new settings move the reminder to a time that has passed, it is due now.
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
}
