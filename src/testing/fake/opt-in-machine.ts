import type { collectedDataTypes } from "../../core/rules/opt-in-steps.ts";
import type { OptInRequest } from "../../core/schemas/opt-in.ts";
import type { FakeClock } from "./fake-clock.ts";
import { addSubscriber } from "./fake-lists.ts";
import type { SentMessage } from "./messages.ts";
import { createConversations, stepOf } from "./opt-in-conversations.ts";
import {
  type OptInCondition,
  type OptInEvent,
  type OptInState,
  type OptInTransition,
  optInTransitions,
} from "./opt-in-transitions.ts";
import type { Outbox } from "./outbox.ts";
import { type FakeStore, type StoredList, statusOf } from "./store.ts";

interface TextMeaning {
  readonly list: StoredList;
  readonly event: OptInEvent;
  readonly keyword?: string;
}

const STOP_WORDS = ["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT"];
const HELP_WORDS = ["HELP", "INFO"];

/** Formats of valid replies. The specification lists the data without formats, so the formats are the fake's own. */
const FORMATS: Readonly<Record<(typeof collectedDataTypes)[number], RegExp>> = {
  // A ZIP code, with or without its four additional digits, or a Canadian postal code.
  zip_code: /^(\d{5}(-\d{4})?|[a-z]\d[a-z][ -]?\d[a-z]\d)$/i,
  email_address: /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/,
  first_name: /^\p{L}[\p{L}\p{M}' -]{0,49}$/u,
  yes: /^y(es)?$/i,
};

/** Returns whether a reply is valid for the data that a step collects. For unknown data, every non-empty reply is valid. */
const isValidReply = (collectedData: string, reply: string): boolean =>
  Object.hasOwn(FORMATS, collectedData)
    ? FORMATS[collectedData as keyof typeof FORMATS].test(reply.trim())
    : reply.trim() !== "";

const findKeyword = (word: string, lists: readonly StoredList[]) =>
  lists
    .flatMap((list) => list.resource.keyword_names.map((keyword) => ({ list, keyword })))
    .find(({ keyword }) => keyword.toUpperCase() === word);

/** Interprets a text for `list` as, in this order: STOP or HELP, a valid reply, a keyword of any of `lists`, other text. */
const interpretText = (
  text: string,
  lists: readonly StoredList[],
  list: StoredList | undefined,
  step: OptInRequest | undefined,
): TextMeaning | undefined => {
  const word = text.trim().toUpperCase();
  if (list && STOP_WORDS.includes(word)) return { list, event: "stop" };
  if (list && HELP_WORDS.includes(word)) return { list, event: "help" };
  if (list && step && isValidReply(step.collected_data, text))
    return { list, event: "valid_reply" };
  const named = findKeyword(word, lists);
  if (named) return { ...named, event: "keyword" };
  if (list && step) return { list, event: "invalid_reply" };
  return list && { list, event: /^Y(ES)?$/.test(word) ? "yes" : "other_text" };
};

export const optInStateOf = (list: StoredList, phone: string): OptInState => {
  if (stepOf(list, phone)) return "asked";
  const subscriber = list.subscribers.get(phone);
  return subscriber && statusOf(subscriber) === "subscribed" ? "subscribed" : "not_subscribed";
};

const holds = (condition: OptInCondition, list: StoredList, phone: string): boolean => {
  const { opt_in_type, opt_in_requests } = list.resource;
  const step = stepOf(list, phone);
  const isDouble = opt_in_type === "double";
  const hasSteps = opt_in_requests.length > 0;
  const conditions: Readonly<Record<OptInCondition, boolean>> = {
    "single opt-in": opt_in_type === "single",
    "double opt-in with steps": isDouble && hasSteps,
    "double opt-in without steps": isDouble && !hasSteps,
    "success_action is nextrequest": step?.success_action === "nextrequest",
    "success_action is optinsubscriber": step?.success_action === "optinsubscriber",
    "follow_up is true": step?.follow_up === true,
  };
  return conditions[condition];
};

const confirmationOf = (step: OptInRequest | undefined, isRepeat: boolean): string => {
  if (step) return isRepeat ? "second_opt_in_message" : "opt_in_message";
  return isRepeat ? "second_optin_message" : "first_optin_message";
};

/** Creates the machine that moves phones through the opt-in of lists, as the rows of {@link optInTransitions} define it. */
export const createOptInMachine = (store: FakeStore, clock: FakeClock, outbox: Outbox) => {
  /** Id of the list of each phone's latest event. */
  const latestListIds = new Map<string, number>();
  const conversations = createConversations(clock, (list, phone) => apply(list, phone, "no_reply"));

  const ask = (
    list: StoredList,
    phone: string,
    { step }: OptInTransition,
    keyword: string | undefined,
  ): void => {
    if (step === "same") return;
    const before = list.conversations.get(phone);
    const index = before?.stepIndex ?? 0;
    conversations.set(list, phone, {
      stepIndex: step === "first" ? 0 : step === "next" ? index + 1 : index,
      keyword: keyword ?? before?.keyword,
      askedAtMs: clock.nowMs,
      isReminded: false,
    });
  };

  const finish = (
    list: StoredList,
    phone: string,
    to: OptInState,
    keyword: string | undefined,
  ): void => {
    const conversation = list.conversations.get(phone);
    conversations.end(list, phone);
    const { timestamp } = clock;
    const subscriber = list.subscribers.get(phone);
    if (optInStateOf(list, phone) === to) return;
    if (to === "subscribed") {
      addSubscriber(list, clock, {
        ...subscriber,
        phone_number: phone,
        subscribed_at: timestamp,
        opted_out_at: null,
        cleaned_at: null,
        opt_in_method: "Keyword",
        keyword_name: keyword ?? conversation?.keyword,
      });
    } else if (subscriber) {
      list.subscribers.set(phone, { ...subscriber, opted_out_at: timestamp });
    }
  };

  const send = (
    list: StoredList,
    phone: string,
    { message }: OptInTransition,
    step: OptInRequest | undefined,
    isRepeat: boolean,
  ): SentMessage | undefined => {
    if (!message) return undefined;
    const { resource, bypassOptInResponse } = list;
    const cause = message === "confirmation" ? confirmationOf(step, isRepeat) : message;
    const isBypassed = step ? step.bypass_opt_in_response : bypassOptInResponse;
    // A step from the client may have any field, including one with the name of a message of the list.
    const source = cause.startsWith("message_") ? resource : (step ?? resource);
    const text = (source as Readonly<Record<string, unknown>>)[cause];
    if (typeof text !== "string" || (message === "confirmation" && isBypassed)) return undefined;
    return outbox.sendSms(list, phone, { text, cause });
  };

  const apply = (
    list: StoredList,
    phone: string,
    event: OptInEvent,
    keyword?: string,
  ): SentMessage | undefined => {
    // Only a subscriber can be removed, even if a step still waits for its reply.
    const from = event === "removed" ? "subscribed" : optInStateOf(list, phone);
    const row = optInTransitions.find(
      ({ from: state, on, when }) =>
        state === from && on === event && (!when || holds(when, list, phone)),
    );
    if (!row) return undefined;
    latestListIds.set(phone, list.resource.id);
    const step = stepOf(list, phone);
    const isRepeat = list.subscribers.has(phone);
    if (row.to === "asked") ask(list, phone, row, keyword);
    else finish(list, phone, row.to, keyword);
    return send(list, phone, row, stepOf(list, phone) ?? step, isRepeat);
  };

  /** Returns the list that a text without a keyword is for. */
  const findCurrentList = (phone: string, lists: readonly StoredList[]): StoredList | undefined => {
    const latestId = latestListIds.get(phone);
    return (
      lists.find(({ resource }) => resource.id === latestId) ??
      lists.findLast(({ subscribers }) => subscribers.has(phone))
    );
  };

  return {
    conversations,
    latestListIds,
    apply,

    /**
     * Handles a text from a phone number in E.164, and returns the reply. `chosen` is the list that the sender chose for it,
     * if any.
     */
    receive(phone: string, text: string, chosen: StoredList | undefined): SentMessage | undefined {
      const lists = (chosen ? [chosen] : [...store.lists.values()]).filter(
        ({ deleted }) => !deleted,
      );
      const currentList = chosen ? lists[0] : findCurrentList(phone, lists);
      const step = currentList && stepOf(currentList, phone);
      const meaning = interpretText(text, lists, currentList, step);
      const list_id = meaning && { list_id: meaning.list.resource.id };
      outbox.receive({ from: phone, text, ...list_id });
      return meaning && apply(meaning.list, phone, meaning.event, meaning.keyword);
    },

    /** Ends the opt-ins of a list and forgets which phones had their latest event on it. */
    forget(list: StoredList): void {
      for (const phone of list.conversations.keys()) conversations.end(list, phone);
      for (const [phone, listId] of latestListIds) {
        if (listId === list.resource.id) latestListIds.delete(phone);
      }
    },
  };
};
