import { useState } from "preact/hooks";
import { toNational, toShort } from "../model/format.ts";
import type { ModelProps } from "../model/model.ts";
import { toFragment } from "../model/route.ts";
import { Icon } from "../parts/icon.tsx";
import { Search } from "../parts/parts.tsx";
import { type Conversation, hasText, phoneOf, toConversations } from "./conversation.ts";

const previewOf = ({ messages }: Conversation): string => {
  const last = messages.at(-1);
  if (!last) return "No messages yet";
  const text = last.text ?? last.file ?? "";
  return last.direction === "received" ? `Phone: ${text}` : text;
};

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
        <span class="who">{toNational(phone)}</span>
        <time>{last ? toShort(last.at, model.state.clock.now) : ""}</time>
        <span class="preview">{previewOf(conversation)}</span>
        {phoneOf(model, phone)?.rcsReachable === false && <span class="badge sms">SMS only</span>}
      </a>
    </li>
  );
};

interface ConversationListProps extends ModelProps {
  readonly onNewPhone: () => void;
}

/** List of conversations, with its search field and the button for a new phone. */
export const ConversationList = ({ model, onNewPhone }: ConversationListProps) => {
  const [words, setWords] = useState("");
  const all = toConversations(model);
  const found = all.filter((conversation) => hasText(conversation, words));
  return (
    <section class="sidebar" aria-label="Phones">
      <div class="sidebar-head">
        <Search
          id="search"
          label="Search conversations"
          placeholder="Search numbers and texts"
          onInput={setWords}
        />
        <button
          type="button"
          class="button"
          aria-label="New phone"
          title="New phone"
          onClick={onNewPhone}
        >
          <Icon name="plus" />
        </button>
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
