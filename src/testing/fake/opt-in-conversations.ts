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

/** Creates the functions that change double opt-ins under way, with their reminders. */
export const createConversations = (
  clock: FakeClock,
  onNoReply: (list: StoredList, phone: string) => void,
) => {
  const end = (list: StoredList, phone: string): void => {
    const conversation = list.conversations.get(phone);
    if (!conversation) return;
    clock.cancelAlarmsOf(conversation);
    list.conversations.delete(phone);
  };

  /** Sets a conversation and its reminder. A reminder whose time has passed is sent now, or at `earliestMs`. */
  const set = (
    list: StoredList,
    phone: string,
    next: Omit<OptInConversation, "reminderAtMs">,
    earliestMs = clock.nowMs,
  ): void => {
    end(list, phone);
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
      onNoReply(list, phone);
    };
    clock.setAlarm(reminderAtMs, remind, conversation);
  };

  return {
    end,
    set,

    /** Continues the conversations of a list with its new settings. A conversation ends if its step no longer exists. */
    applySettings(list: StoredList): void {
      const steps = list.resource.opt_in_requests;
      for (const [phone, conversation] of [...list.conversations]) {
        if (conversation.stepIndex < steps.length) set(list, phone, conversation);
        else end(list, phone);
      }
    },
  };
};
