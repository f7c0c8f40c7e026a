import type { OptInRequest } from "../../schemas/opt-in.ts";
import type { StoredList } from "../resources/stored-list.ts";
import { isValidReply } from "./collected-data.ts";
import type { OptInEvent } from "./opt-in-transitions.ts";

/** Meaning of a phone's text for the opt-in machine. */
export interface TextMeaning {
  /** List that the text is for. */
  readonly list: StoredList;
  readonly event: OptInEvent;
  /** Keyword, as the list spells it. */
  readonly keyword?: string;
}

/** Context on which the meaning of a text depends. */
export interface TextContext {
  /** Lists whose keywords count. */
  readonly lists: readonly StoredList[];
  /** List that a text without a keyword is for. */
  readonly currentList: StoredList | undefined;
  /** Step of that list that waits for a reply. */
  readonly step: OptInRequest | undefined;
}

/** Texts that leave a list. */
const STOP_WORDS = ["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT"];
/** Texts that ask for help. */
const HELP_WORDS = ["HELP", "INFO"];

const findKeyword = (
  word: string,
  lists: readonly StoredList[],
): { list: StoredList; keyword: string } | undefined => {
  for (const list of lists) {
    const { deleted, resource } = list;
    const keyword = resource.keyword_names.find((known) => known.toUpperCase() === word);
    if (!deleted && keyword !== undefined) return { list, keyword };
  }
  return undefined;
};

/** Interprets a text: STOP and HELP first, then a valid reply, then a keyword, then anything else. */
export const interpretText = (
  text: string,
  { lists, currentList: list, step }: TextContext,
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
