import type { OptInRequest } from "../../schemas/opt-in.ts";
import type { StoredList } from "../resources/stored-list.ts";
import { CLOCK_END_MS, type FakeClock } from "../state/fake-clock.ts";

/** Double opt-in under way, of one phone and one list. */
export interface Conversation {
  /** Index of the step that waits for a reply. */
  readonly stepIndex: number;
  /** Keyword that started the opt-in, as the list spells it. */
  readonly keyword: string | undefined;
  /** Epoch milliseconds at which the step was asked. */
  readonly askedAtMs: number;
  /** Epoch milliseconds of the reminder; `undefined` when none will be sent. */
  readonly reminderAtMs: number | undefined;
  /** Whether the reminder was sent. */
  readonly isReminded: boolean;
}

/** Conversation in a saved state. */
export interface SavedConversation extends Conversation {
  readonly listId: number;
  readonly phone: string;
}

const HOUR_MS = 3_600_000;

/** Double opt-ins under way, with their reminders. */
export class Conversations {
  readonly #clock: FakeClock;
  readonly #onNoReply: (list: StoredList, phone: string) => void;
  /** Conversations by list id, then by phone. */
  readonly #byList = new Map<number, Map<string, Conversation>>();
  readonly #cancelReminders = new Map<Conversation, () => void>();

  constructor(clock: FakeClock, onNoReply: (list: StoredList, phone: string) => void) {
    this.#clock = clock;
    this.#onNoReply = onNoReply;
  }

  get(list: StoredList, phone: string): Conversation | undefined {
    return this.#byList.get(list.resource.id)?.get(phone);
  }

  /** Returns the step that waits for a phone's reply. */
  stepOf(list: StoredList, phone: string): OptInRequest | undefined {
    const conversation = this.get(list, phone);
    return conversation && list.resource.opt_in_requests[conversation.stepIndex];
  }

  /** Makes a step wait for a reply from now on. */
  ask(list: StoredList, phone: string, stepIndex: number, keyword: string | undefined): void {
    const askedAtMs = this.#clock.nowMs;
    this.#set(list, phone, { stepIndex, keyword, askedAtMs, isReminded: false });
  }

  end(list: StoredList, phone: string): void {
    const conversation = this.get(list, phone);
    if (!conversation) return;
    this.#cancelReminder(conversation);
    this.#byList.get(list.resource.id)?.delete(phone);
  }

  /** Continues the conversations of a list under its new settings, or ends those whose step is gone. */
  applySettings(list: StoredList): void {
    const steps = list.resource.opt_in_requests;
    for (const [phone, conversation] of [...this.#of(list)]) {
      if (conversation.stepIndex < steps.length) this.#set(list, phone, conversation);
      else this.end(list, phone);
    }
  }

  phonesOf(list: StoredList): string[] {
    return [...this.#of(list).keys()];
  }

  save(): SavedConversation[] {
    return [...this.#byList].flatMap(([listId, byPhone]) =>
      [...byPhone].map(([phone, conversation]) => ({ listId, phone, ...conversation })),
    );
  }

  /** Restores a conversation; a reminder that became due since `savedMs` is sent. */
  restore(list: StoredList, saved: SavedConversation, savedMs: number): void {
    const { listId: _, phone, ...conversation } = saved;
    this.#set(list, phone, conversation, savedMs);
  }

  #of(list: StoredList): ReadonlyMap<string, Conversation> {
    return this.#byList.get(list.resource.id) ?? new Map();
  }

  #set(
    list: StoredList,
    phone: string,
    next: Omit<Conversation, "reminderAtMs">,
    earliestMs = this.#clock.nowMs,
  ): void {
    this.end(list, phone);
    const { id, opt_in_requests } = list.resource;
    const step = opt_in_requests[next.stepIndex];
    const hours = step?.follow_up && !next.isReminded ? step.follow_up_hour : null;
    const dueMs = hours === null ? Number.POSITIVE_INFINITY : next.askedAtMs + hours * HOUR_MS;
    // New settings may move the reminder to an hour that has passed: it is then due now.
    const reminderAtMs = dueMs <= CLOCK_END_MS ? Math.max(dueMs, earliestMs) : undefined;
    const conversation = { ...next, reminderAtMs };
    const byPhone = this.#byList.get(id) ?? new Map<string, Conversation>();
    this.#byList.set(id, byPhone.set(phone, conversation));
    if (reminderAtMs === undefined) return;
    const remind = () => {
      this.#cancelReminders.delete(conversation);
      byPhone.set(phone, { ...conversation, reminderAtMs: undefined, isReminded: true });
      this.#onNoReply(list, phone);
    };
    this.#cancelReminders.set(conversation, this.#clock.setAlarm(reminderAtMs, remind));
  }

  #cancelReminder(conversation: Conversation): void {
    this.#cancelReminders.get(conversation)?.();
    this.#cancelReminders.delete(conversation);
  }
}
