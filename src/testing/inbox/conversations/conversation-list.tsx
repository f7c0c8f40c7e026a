import { useState } from "preact/hooks";
import type { FakePhone, MessageView } from "../../control/schemas.ts";
import { toNational, toShort } from "../model/format.ts";
import type { Model, ModelProps } from "../model/model.ts";
import { toFragment } from "../model/route.ts";
import { Button, Icon } from "../parts/parts.tsx";
import { Text } from "./message.tsx";

interface Conversation {
  readonly phone: string;
  readonly messages: readonly MessageView[];
}

/** Groups the messages of a model by phone. The conversation with the newest message is first. */
export const toConversations = ({ messages, state }: Model): readonly Conversation[] => {
  const byPhone = new Map<string, MessageView[]>(
    state.phones.map(({ phoneNumber }) => [phoneNumber, []]),
  );
  for (const message of messages) {
    const own = byPhone.get(message.phone) ?? [];
    own.push(message);
    byPhone.set(message.phone, own);
  }
  const newest = (conversation: Conversation) => conversation.messages.at(-1)?.id ?? 0;
  return [...byPhone]
    .map(([phone, own]) => ({ phone, messages: own }))
    .sort((a, b) => newest(b) - newest(a));
};

/** Returns a text in lowercase and without the marks of RCS formatting, which the page does not show. */
const toWords = (text: string): string => text.toLowerCase().replace(/[*_~]/g, "");

const hasText = ({ phone, messages }: Conversation, search: string): boolean => {
  const wanted = toWords(search.trim());
  const digits = wanted.replace(/[\s()+.-]/g, "");
  if (/^\d+$/.test(digits) && phone.includes(digits)) return true;
  return [toNational(phone), ...messages.map(({ text, file }) => text ?? file ?? "")].some((text) =>
    toWords(text).includes(wanted),
  );
};

export const phoneOf = ({ state }: Model, phone: string | undefined): FakePhone | undefined =>
  state.phones.find(({ phoneNumber }) => phoneNumber === phone);

const Line = ({ model, conversation }: ModelProps & { readonly conversation: Conversation }) => {
  const { phone, messages } = conversation;
  const last = messages.at(-1);
  return (
    <li>
      <a
        class="conversation"
        href={toFragment("conversations", phone)}
        aria-current={model.route.phone === phone ? "true" : undefined}
      >
        <strong>{toNational(phone)}</strong>
        <time class="hint">{last && toShort(last.at, model.state.clock.now)}</time>
        <span class="hint preview">
          {last?.direction === "received" && "Phone: "}
          {last ? (last.file ?? <Text {...last} />) : "No messages yet"}
        </span>
        {phoneOf(model, phone)?.rcsReachable === false && <span class="badge">SMS only</span>}
      </a>
    </li>
  );
};

export const ConversationList = ({
  model,
  onNewPhone,
}: ModelProps & { readonly onNewPhone: () => void }) => {
  const [words, setWords] = useState("");
  const all = toConversations(model);
  const found = all.filter((conversation) => hasText(conversation, words));
  return (
    <section class="sidebar" aria-label="Phones">
      <div class="row">
        <input
          type="search"
          aria-label="Search conversations"
          placeholder="Search numbers and texts"
          autoComplete="off"
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
        <Button aria-label="New phone" title="New phone" onClick={onNewPhone}>
          <Icon name="plus" />
        </Button>
      </div>
      <p class="hint" role="status">
        {found.length === 0 && all.length > 0 ? "No conversation matches." : ""}
      </p>
      <ul class="conversations" aria-label="Conversations">
        {found.map((conversation) => (
          <Line key={conversation.phone} model={model} conversation={conversation} />
        ))}
      </ul>
    </section>
  );
};
