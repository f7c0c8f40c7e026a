import type { FakePhone, MessageView } from "../../testing/control/schemas.ts";
import { toNational } from "../model/format.ts";
import type { Model } from "../model/model.ts";

/** One phone and its messages, oldest first. */
export interface Conversation {
  readonly phone: string;
  readonly messages: readonly MessageView[];
}

/** Groups the messages of a model by phone, sorted by newest message, newest first. */
export const toConversations = ({ messages, state }: Model): readonly Conversation[] => {
  const byPhone = new Map<string, MessageView[]>();
  for (const message of messages) {
    const known = byPhone.get(message.phone);
    if (known) known.push(message);
    else byPhone.set(message.phone, [message]);
  }
  for (const { phoneNumber } of state.phones) {
    if (!byPhone.has(phoneNumber)) byPhone.set(phoneNumber, []);
  }
  const newest = ({ messages: [...all] }: Conversation) => all.at(-1)?.id ?? 0;
  return [...byPhone]
    .map(([phone, own]) => ({ phone, messages: own }))
    .sort((a, b) => newest(b) - newest(a));
};

/** Returns whether the number or any text of a conversation contains a search term. */
export const hasText = ({ phone, messages }: Conversation, search: string): boolean => {
  const wanted = search.trim().toLowerCase();
  const digits = wanted.replace(/[\s()+.-]/g, "");
  if (/^\d+$/.test(digits) && phone.includes(digits)) return true;
  return [toNational(phone), ...messages.map(({ text, file }) => text ?? file ?? "")].some((text) =>
    text.toLowerCase().includes(wanted),
  );
};

/** Returns a phone, if the fake knows it. */
export const phoneOf = ({ state }: Model, phone: string | undefined): FakePhone | undefined =>
  state.phones.find(({ phoneNumber }) => phoneNumber === phone);
