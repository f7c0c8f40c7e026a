import { h, setText } from "../dom/element.ts";
import { icon } from "../dom/icon.ts";
import { createSearch } from "../dom/parts.ts";
import { syncList } from "../dom/sync-list.ts";
import { toNational, toShort } from "../model/format.ts";
import { type Model, toFragment, type View } from "../model/model.ts";
import { type Conversation, hasText, phoneOf, toConversations } from "./conversation.ts";

/** Line of the list. */
interface Line {
  readonly phone: string;
  readonly isOpen: boolean;
  readonly isRcsReachable: boolean;
  readonly preview: string;
  readonly time: string;
}

const previewOf = ({ messages }: Conversation): string => {
  const last = messages.at(-1);
  if (!last) return "No messages yet";
  const text = last.text ?? last.file ?? "";
  return last.direction === "received" ? `Phone: ${text}` : text;
};

const toLine = (conversation: Conversation, model: Model): Line => {
  const { phone, messages } = conversation;
  const last = messages.at(-1);
  return {
    phone,
    isOpen: model.route.phone === phone,
    isRcsReachable: phoneOf(model, phone)?.rcsReachable ?? true,
    preview: previewOf(conversation),
    time: last ? toShort(last.at, model.state.clock.now) : "",
  };
};

const renderLine = ({ phone, isOpen, isRcsReachable, preview, time }: Line): HTMLElement =>
  h(
    "li",
    {},
    h(
      "a",
      {
        class: "conversation",
        href: toFragment("conversations", phone),
        "aria-current": isOpen && "true",
      },
      h("span", { class: "who" }, toNational(phone)),
      h("time", {}, time),
      h("span", { class: "preview" }, preview),
      !isRcsReachable && h("span", { class: "badge sms" }, "SMS only"),
    ),
  );

/** Creates the list of conversations, with its search field and the button for a new phone. */
export const createConversationList = (onNewPhone: () => void): View => {
  const list = h("ul", { class: "conversations", "aria-label": "Conversations" });
  const count = h("p", { class: "hint", role: "status" });
  const words = {
    id: "search",
    label: "Search conversations",
    placeholder: "Search numbers and texts",
  };
  const search = createSearch(words, (model: Model, wanted) => {
    const all = toConversations(model);
    const found = all.filter((conversation) => hasText(conversation, wanted));
    syncList(
      list,
      found.map((conversation) => toLine(conversation, model)),
      ({ phone }) => phone,
      renderLine,
    );
    const isNone = found.length === 0 && all.length > 0;
    setText(count, isNone ? "No conversation matches." : "");
  });
  const element = h(
    "section",
    { class: "sidebar", "aria-label": "Phones" },
    h(
      "div",
      { class: "sidebar-head" },
      search.element,
      h(
        "button",
        {
          type: "button",
          class: "button",
          "aria-label": "New phone",
          title: "New phone",
          onclick: onNewPhone,
        },
        icon("plus"),
      ),
    ),
    count,
    list,
  );
  return { element, update: search.update };
};
