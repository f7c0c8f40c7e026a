import type { OptInRequest } from "../../schemas/opt-in.ts";
import type { Outbox } from "../phones/outbox.ts";
import { addSubscriber } from "../resources/add-subscriber.ts";
import { type StoredList, statusOf } from "../resources/stored-list.ts";
import type { FakeClock } from "../state/fake-clock.ts";
import type { FakeStore } from "../state/fake-store.ts";
import { Conversations } from "./conversations.ts";
import {
  type OptInCondition,
  type OptInEvent,
  type OptInState,
  type OptInTransition,
  optInTransitions,
} from "./opt-in-transitions.ts";
import { interpretText } from "./text-meaning.ts";

/** Moves phones through the opt-in of lists, row by row of {@link optInTransitions}. */
export class OptInMachine {
  /** Double opt-ins under way. */
  readonly conversations: Conversations;
  /** Id of the list of the last event of each phone. */
  readonly latestListIds = new Map<string, number>();
  readonly #store: FakeStore;
  readonly #clock: FakeClock;
  readonly #outbox: Outbox;

  constructor(store: FakeStore, clock: FakeClock, outbox: Outbox) {
    this.#store = store;
    this.#clock = clock;
    this.#outbox = outbox;
    this.conversations = new Conversations(clock, (list, phone) =>
      this.apply(list, phone, "no_reply"),
    );
  }

  /** Handles a text of a phone in E.164; `chosen` is its list, if that is known. */
  receive(phone: string, text: string, chosen: StoredList | undefined): void {
    const currentList = chosen ?? this.#currentList(phone);
    const meaning = interpretText(text, {
      lists: chosen ? [chosen] : [...this.#store.lists.values()],
      currentList,
      step: currentList && this.conversations.stepOf(currentList, phone),
    });
    const list = meaning && !meaning.list.deleted ? meaning.list : undefined;
    this.#outbox.receive({ from: phone, text, ...(list && { list_id: list.resource.id }) });
    if (meaning) this.apply(meaning.list, phone, meaning.event, meaning.keyword);
  }

  /** Applies the row for an event, if there is one. */
  apply(list: StoredList, phone: string, event: OptInEvent, keyword?: string): void {
    if (list.deleted) return;
    const from = this.stateOf(list, phone);
    const row = optInTransitions.find(
      ({ from: state, on, when }) =>
        state === from && on === event && (!when || this.#holds(when, list, phone)),
    );
    if (!row) return;
    this.latestListIds.set(phone, list.resource.id);
    const step = this.conversations.stepOf(list, phone);
    const isRepeat = list.subscribers.has(phone);
    if (row.to === "asked") this.#ask(list, phone, row, keyword);
    else this.#settle(list, phone, row.to, keyword);
    const asked = row.to === "asked" ? this.conversations.stepOf(list, phone) : step;
    this.#send(list, phone, row, asked, isRepeat);
  }

  /** Returns the state of a phone on a list. */
  stateOf(list: StoredList, phone: string): OptInState {
    if (this.conversations.stepOf(list, phone)) return "asked";
    const subscriber = list.subscribers.get(phone);
    return subscriber && statusOf(subscriber) === "subscribed" ? "subscribed" : "not_subscribed";
  }

  #holds(condition: OptInCondition, list: StoredList, phone: string): boolean {
    const { opt_in_type, opt_in_requests } = list.resource;
    const step = this.conversations.stepOf(list, phone);
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

  /** Makes the step of a row wait for its reply. */
  #ask(list: StoredList, phone: string, { step }: OptInTransition, keyword?: string): void {
    if (step === "same") return;
    const before = this.conversations.get(list, phone);
    const index = before?.stepIndex ?? 0;
    const stepIndex = step === "first" ? 0 : step === "next" ? index + 1 : index;
    this.conversations.ask(list, phone, stepIndex, keyword ?? before?.keyword);
  }

  /** Ends a double opt-in, and subscribes or unsubscribes the phone. */
  #settle(list: StoredList, phone: string, to: OptInState, keyword?: string): void {
    const conversation = this.conversations.get(list, phone);
    this.conversations.end(list, phone);
    const { timestamp } = this.#clock;
    const subscriber = list.subscribers.get(phone);
    const isSubscribed = subscriber !== undefined && statusOf(subscriber) === "subscribed";
    if (to === "subscribed" && !isSubscribed) {
      addSubscriber(list, this.#clock, {
        ...subscriber,
        phone_number: phone,
        subscribed_at: timestamp,
        opted_out_at: null,
        cleaned_at: null,
        opt_in_method: "Keyword",
        keyword_name: keyword ?? conversation?.keyword,
      });
    } else if (to === "not_subscribed" && isSubscribed) {
      list.subscribers.set(phone, { ...subscriber, opted_out_at: timestamp });
    }
  }

  /** Sends the message of a row, if the list or the step has a text for it. */
  #send(
    list: StoredList,
    phone: string,
    { message }: OptInTransition,
    step: OptInRequest | undefined,
    isRepeat: boolean,
  ): void {
    if (!message) return;
    const { resource, bypassOptInResponse } = list;
    const cause = message === "confirmation" ? confirmationOf(step, isRepeat) : message;
    const isBypassed = step ? step.bypass_opt_in_response : bypassOptInResponse;
    const texts: Readonly<Record<string, unknown>> = { ...resource, ...step };
    const text = texts[cause];
    if (typeof text !== "string" || (message === "confirmation" && isBypassed)) return;
    this.#outbox.sendSms(phone, { text, cause, list_id: resource.id });
    countMessage(list, phone);
  }

  /** Returns the list that a text without a keyword is for. */
  #currentList(phone: string): StoredList | undefined {
    const latestId = this.latestListIds.get(phone);
    const latest = latestId === undefined ? undefined : this.#store.lists.get(latestId);
    if (latest && !latest.deleted) return latest;
    const lists = [...this.#store.lists.values()];
    return lists.findLast(({ deleted, subscribers }) => !deleted && subscribers.has(phone));
  }
}

/** Returns the field that holds the confirmation of a first or a repeat opt-in. */
const confirmationOf = (step: OptInRequest | undefined, isRepeat: boolean): string => {
  if (step) return isRepeat ? "second_opt_in_message" : "opt_in_message";
  return isRepeat ? "second_optin_message" : "first_optin_message";
};

/** Counts a message that a subscriber received from a list. */
export const countMessage = ({ subscribers }: StoredList, phone: string): void => {
  const subscriber = subscribers.get(phone);
  if (!subscriber) return;
  const count = subscriber.total_messages_received + 1;
  const total_messages_received = Math.min(count, Number.MAX_SAFE_INTEGER);
  subscribers.set(phone, { ...subscriber, total_messages_received });
};
