import type { OptInRequest } from "../../schemas/opt-in.ts";
import type { FakeClock } from "../state/fake-clock.ts";
import type { FakeResources } from "../state/fake-resources.ts";
import { type FakeStore, type StoredList, statusOf } from "../state/fake-store.ts";
import type { Outbox } from "../state/outbox.ts";
import { isValidReply } from "./collected-data.ts";
import {
  type OptInCondition,
  type OptInEvent,
  type OptInState,
  type OptInTransition,
  optInTransitions,
} from "./opt-in-transitions.ts";

/** A text that a phone sends to the service. */
export interface ReceivedText {
  /** The phone, in any common format. */
  readonly from: string;
  /** What the phone texts. */
  readonly text: string;
  /** The list that the text is for, where several could be meant. Default: found out by keyword, or the list that texted the phone last. */
  readonly list_id?: number | undefined;
}

/** A double opt-in under way. */
interface Conversation {
  readonly stepIndex: number;
  /** The keyword that started it, as the list spells it. */
  readonly keyword: string | undefined;
  readonly cancelReminder: () => void;
}

/** What people text to leave, and to ask for help. */
const STOP_WORDS = ["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT"];
const HELP_WORDS = ["HELP", "INFO"];

const HOUR_MS = 3_600_000;

/** Moves phones through the opt-in of lists, row by row of {@link optInTransitions}. */
export class OptInMachine {
  readonly #store: FakeStore;
  readonly #resources: FakeResources;
  readonly #clock: FakeClock;
  readonly #outbox: Outbox;
  /** By list, then by phone. */
  readonly #conversations = new Map<StoredList, Map<string, Conversation>>();
  /** The list that each phone last had to do with. */
  readonly #latestLists = new Map<string, StoredList>();

  constructor(store: FakeStore, resources: FakeResources, clock: FakeClock, outbox: Outbox) {
    this.#store = store;
    this.#resources = resources;
    this.#clock = clock;
    this.#outbox = outbox;
  }

  /** Handles a text of a phone in E.164. */
  receive(phone: string, text: string, chosen: StoredList | undefined): void {
    const meaning = this.#interpret(phone, text, chosen);
    if (meaning) this.apply(meaning.list, phone, meaning.event, meaning.keyword);
  }

  /** Which list a text is for, and what it means there. */
  #interpret(
    phone: string,
    text: string,
    chosen: StoredList | undefined,
  ): { list: StoredList; event: OptInEvent; keyword?: string } | undefined {
    const word = text.trim().toUpperCase();
    const list = chosen ?? this.#currentList(phone);
    if (list && STOP_WORDS.includes(word)) return { list, event: "stop" };
    if (list && HELP_WORDS.includes(word)) return { list, event: "help" };
    const step = list && this.#stepOf(list, phone);
    if (step && isValidReply(step.collected_data, text)) return { list, event: "valid_reply" };
    const named = this.#listNamed(word, chosen);
    if (named) return { ...named, event: "keyword" };
    if (step) return { list, event: "invalid_reply" };
    return list && { list, event: /^Y(ES)?$/.test(word) ? "yes" : "other_text" };
  }

  /** Takes the row for an event, if there is one. */
  apply(list: StoredList, phone: string, event: OptInEvent, keyword?: string): void {
    if (list.deleted) return;
    const from = this.#stateOf(list, phone);
    const row = optInTransitions.find(
      ({ from: state, on, when }) =>
        state === from && on === event && (!when || this.#holds(when, list, phone)),
    );
    if (!row) return;
    this.#latestLists.set(phone, list);
    const step = this.#stepOf(list, phone);
    const isRepeat = list.subscribers.has(phone);
    if (row.to === "asked") this.#ask(list, phone, row, keyword);
    else this.#settle(list, phone, row.to, keyword);
    this.#answer(list, phone, row, row.to === "asked" ? this.#stepOf(list, phone) : step, isRepeat);
  }

  #stateOf(list: StoredList, phone: string): OptInState {
    if (this.#stepOf(list, phone)) return "asked";
    const subscriber = list.subscribers.get(phone);
    return subscriber && statusOf(subscriber) === "subscribed" ? "subscribed" : "not_subscribed";
  }

  /** The step that waits for a reply. */
  #stepOf(list: StoredList, phone: string): OptInRequest | undefined {
    const conversation = this.#conversations.get(list)?.get(phone);
    return conversation && list.resource.opt_in_requests[conversation.stepIndex];
  }

  #holds(condition: OptInCondition, list: StoredList, phone: string): boolean {
    const { opt_in_type, opt_in_requests } = list.resource;
    const step = this.#stepOf(list, phone);
    switch (condition) {
      case "single opt-in":
        return opt_in_type === "single";
      case "double opt-in with steps":
        return opt_in_type === "double" && opt_in_requests.length > 0;
      case "double opt-in without steps":
        return opt_in_type === "double" && opt_in_requests.length === 0;
      case "success_action is nextrequest":
        return step?.success_action === "nextrequest";
      case "success_action is optinsubscriber":
        return step?.success_action === "optinsubscriber";
      case "follow_up is true":
        return step?.follow_up === true;
    }
  }

  /** Makes a step wait for its reply. */
  #ask(list: StoredList, phone: string, { step }: OptInTransition, texted?: string): void {
    if (step === "same") return;
    const conversations = this.#conversations.get(list) ?? new Map<string, Conversation>();
    this.#conversations.set(list, conversations);
    const before = conversations.get(phone);
    before?.cancelReminder();
    const index = before?.stepIndex ?? 0;
    const stepIndex = step === "first" ? 0 : step === "next" ? index + 1 : index;
    const asked = list.resource.opt_in_requests[stepIndex];
    const hours = asked?.follow_up ? asked.follow_up_hour : null;
    const cancelReminder =
      hours === null
        ? () => {}
        : this.#clock.setAlarm(hours * HOUR_MS, () => this.apply(list, phone, "no_reply"));
    const keyword = texted ?? before?.keyword;
    conversations.set(phone, { stepIndex, keyword, cancelReminder });
  }

  /** Ends a double opt-in, and subscribes or unsubscribes. */
  #settle(list: StoredList, phone: string, to: OptInState, texted?: string): void {
    const conversation = this.#conversations.get(list)?.get(phone);
    conversation?.cancelReminder();
    this.#conversations.get(list)?.delete(phone);
    const { timestamp } = this.#clock;
    const subscriber = list.subscribers.get(phone);
    const isSubscribed = subscriber !== undefined && statusOf(subscriber) === "subscribed";
    if (to === "subscribed" && !isSubscribed) {
      this.#resources.addSubscriber(list.resource.id, {
        ...subscriber,
        phone_number: phone,
        subscribed_at: timestamp,
        opted_out_at: null,
        cleaned_at: null,
        opt_in_method: "Keyword",
        keyword_name: texted ?? conversation?.keyword,
      });
    } else if (to === "not_subscribed" && isSubscribed) {
      list.subscribers.set(phone, { ...subscriber, opted_out_at: timestamp });
    }
  }

  #answer(
    list: StoredList,
    phone: string,
    { answer }: OptInTransition,
    step: OptInRequest | undefined,
    isRepeat: boolean,
  ): void {
    if (!answer) return;
    const { resource, bypassOptInResponse } = list;
    const texts: Readonly<Record<string, unknown>> = { ...resource, ...step };
    const cause =
      answer !== "confirmation"
        ? answer
        : step
          ? isRepeat
            ? "second_opt_in_message"
            : "opt_in_message"
          : isRepeat
            ? "second_optin_message"
            : "first_optin_message";
    const isBypassed = step ? step.bypass_opt_in_response : bypassOptInResponse;
    const text = texts[cause];
    if (typeof text !== "string" || (answer === "confirmation" && isBypassed)) return;
    this.#outbox.sendSms(phone, { text, cause, list_id: resource.id });
    const subscriber = list.subscribers.get(phone);
    if (!subscriber) return;
    const total_messages_received = subscriber.total_messages_received + 1;
    list.subscribers.set(phone, { ...subscriber, total_messages_received });
  }

  /** The list that a text without a keyword is for. */
  #currentList(phone: string): StoredList | undefined {
    const latest = this.#latestLists.get(phone);
    if (latest && !latest.deleted) return latest;
    const lists = [...this.#store.lists.values()];
    return lists.findLast(({ deleted, subscribers }) => !deleted && subscribers.has(phone));
  }

  /** The list of which a word is a keyword, and how the list spells it. */
  #listNamed(
    word: string,
    chosen: StoredList | undefined,
  ): { list: StoredList; keyword: string } | undefined {
    for (const list of chosen ? [chosen] : this.#store.lists.values()) {
      const { deleted, resource } = list;
      const keyword = resource.keyword_names.find((known) => known.toUpperCase() === word);
      if (!deleted && keyword !== undefined) return { list, keyword };
    }
    return undefined;
  }
}
