import { useLayoutEffect, useRef } from "preact/hooks";
import { api } from "../model/control-calls.ts";
import { toDate, toNational, toProgress } from "../model/format.ts";
import type { Model, ModelProps } from "../model/model.ts";
import { toFragment } from "../model/route.ts";
import { EmptyState, Icon, Switch } from "../parts/parts.tsx";
import { Composer, type ComposerProps } from "./composer.tsx";
import { phoneOf } from "./conversation-list.tsx";
import { Message, type ShownMessage } from "./message.tsx";

type Item = { readonly day: string } | ShownMessage;

const toItems = ({ messages, state }: Model, phone: string): readonly Item[] => {
  let day = "";
  return messages
    .filter((message) => message.phone === phone)
    .flatMap((message): Item[] => {
      const { list_id, at } = message;
      const shown = { message, listName: state.lists.find(({ id }) => id === list_id)?.name };
      if (toDate(at) === day) return [shown];
      day = toDate(at);
      return [{ day }, shown];
    });
};

const subscriptionsOf = (model: Model, phone: string): readonly string[] => {
  const { lists, clock } = model.state;
  const optIns = phoneOf(model, phone)?.optIns ?? [];
  return optIns.map((optIn) => {
    const list = lists.find(({ id }) => id === optIn.list_id);
    const name = list?.name ?? `list ${optIn.list_id}`;
    if (optIn.state === "subscribed") return `${name}: subscribed`;
    if (optIn.state === "not_subscribed") return `${name}: not subscribed`;
    return `${name}: ${toProgress(optIn, list?.opt_in_requests.length, clock.now)}`;
  });
};

/** Distance in pixels from the end of the messages within which new messages are scrolled into view. */
const NEAR_END = 80;

/** Messages of a conversation. Scrolls to the newest message, unless the user has scrolled up. */
const Messages = ({ items }: { readonly items: readonly Item[] }) => {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const element = box.current;
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight;
  });
  const noteScroll = ({ currentTarget }: { readonly currentTarget: HTMLElement }): void => {
    const { scrollTop, scrollHeight, clientHeight } = currentTarget;
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END;
  };
  return (
    <div
      class="messages"
      role="log"
      aria-label="Messages"
      tabIndex={0}
      ref={box}
      onScroll={noteScroll}
    >
      <ol>
        {items.map((item) =>
          "day" in item ? (
            <li key={item.day} class="day hint">
              {item.day}
            </li>
          ) : (
            <Message key={item.message.id} {...item} />
          ),
        )}
      </ol>
    </div>
  );
};

const CHANNELS = [["RCS", "rcsReachable"] as const, ["SMS", "smsReachable"] as const];

export const Thread = ({ model, phone, isBegun }: ModelProps & ComposerProps) => {
  const known = phoneOf(model, phone);
  const items = toItems(model, phone);
  return (
    <section class="thread" aria-label="Conversation">
      <header class="thread-head tags">
        <a class="back" href={toFragment("conversations")} aria-label="All conversations">
          <Icon name="back" />
        </a>
        <div class="tags">
          <h2>{toNational(phone)}</h2>
          <span class="hint">{phone}</span>
        </div>
        <div class="row">
          {CHANNELS.map(([text, field]) => (
            <Switch
              key={text}
              text={text}
              label={`${text} reaches this phone`}
              isOn={known?.[field] ?? true}
              onTurn={(isOn) => api.setPhone(phone, { [field]: isOn })}
            />
          ))}
        </div>
        <ul class="tags" aria-label="Lists of this phone">
          {subscriptionsOf(model, phone).map((text) => (
            <li key={text} class="badge">
              {text}
            </li>
          ))}
        </ul>
      </header>
      {items.length > 0 ? (
        <Messages items={items} />
      ) : (
        <EmptyState
          icon="phone"
          title="No messages yet"
          text="Send a text from this phone below, or send it a message from your application."
        />
      )}
      <Composer phone={phone} isBegun={isBegun} />
    </section>
  );
};
