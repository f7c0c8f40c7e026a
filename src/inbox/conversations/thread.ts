import { h, setText } from "../dom/element.ts";
import { icon } from "../dom/icon.ts";
import { createSwitch } from "../dom/parts.ts";
import { syncList } from "../dom/sync-list.ts";
import { api } from "../model/api.ts";
import { toDate, toDistance, toNational } from "../model/format.ts";
import { type Model, toFragment, type View } from "../model/model.ts";
import { createComposer } from "./composer.ts";
import { phoneOf } from "./conversation.ts";
import { renderMessage, type ShownMessage } from "./message.ts";

/** A message, or the heading of the day that begins with the next message. */
type Item = { readonly day: string } | ShownMessage;

const toItems = ({ messages, state, webhooks, route }: Model): readonly Item[] => {
  let day = "";
  return messages
    .filter(({ phone }) => phone === route.phone)
    .flatMap((message): Item[] => {
      const { list_id, transactionId, at } = message;
      const shown = {
        message,
        listName: state.lists.find(({ id }) => id === list_id)?.name,
        webhooks: webhooks.filter((webhook) => webhook.transactionId === transactionId),
      };
      if (toDate(at) === day) return [shown];
      day = toDate(at);
      return [{ day }, shown];
    });
};

const renderItem = (item: Item): HTMLElement =>
  "day" in item ? h("li", { class: "day" }, item.day) : renderMessage(item);

/** Describes the state of the open phone on each list. */
const standingsOf = (model: Model): readonly string[] => {
  const { state, route } = model;
  const optIns = phoneOf(model, route.phone)?.optIns ?? [];
  return optIns.map((optIn) => {
    const list = state.lists.find(({ id }) => id === optIn.list_id);
    const name = list?.name ?? `list ${optIn.list_id}`;
    if (optIn.state === "subscribed") return `${name}: subscribed`;
    if (optIn.state === "not_subscribed") return `${name}: not subscribed`;
    const step = `${name}: step ${(optIn.step ?? 0) + 1} of ${list?.opt_in_requests.length ?? "?"}`;
    return optIn.reminderAt
      ? `${step}, reminder ${toDistance(optIn.reminderAt, state.clock.now)}`
      : step;
  });
};

/** Creates the open conversation: its phone, the messages, and the field to write as the phone. */
export const createThread = (): View => {
  const composer = createComposer();
  const name = h("h2", { tabindex: -1 });
  const number = h("span", { class: "hint" });
  const standings = h("ul", { class: "standings", "aria-label": "Lists of this phone" });
  const rcs = createSwitch("RCS", "RCS reaches this phone", (rcsReachable) =>
    api.setReachable(number.textContent ?? "", { rcsReachable }),
  );
  const sms = createSwitch("SMS", "SMS reaches this phone", (smsReachable) =>
    api.setReachable(number.textContent ?? "", { smsReachable }),
  );
  const list = h("ol");
  const messages = h(
    "div",
    { class: "messages", role: "log", "aria-label": "Messages", tabindex: 0 },
    list,
  );
  const empty = h(
    "div",
    { class: "empty" },
    icon("phone"),
    h("h3", {}, "Nothing here yet"),
    h("p", {}, "Write as this phone below, or have your application send a message to it."),
  );
  const element = h(
    "section",
    { class: "thread", "aria-label": "Conversation" },
    h(
      "header",
      { class: "thread-head" },
      h(
        "a",
        { class: "back", href: toFragment("conversations"), "aria-label": "All conversations" },
        icon("back"),
      ),
      h("div", { class: "thread-name" }, name, number),
      h("div", { class: "switches" }, rcs.element, sms.element),
      standings,
    ),
    messages,
    empty,
    composer.element,
  );
  let shownPhone: string | undefined;
  const update = (model: Model): void => {
    const { phone } = model.route;
    if (phone === undefined) return;
    setText(name, toNational(phone));
    setText(number, phone);
    const known = phoneOf(model, phone);
    rcs.set(known?.rcsReachable ?? true);
    sms.set(known?.smsReachable ?? true);
    syncList(
      standings,
      standingsOf(model),
      (text) => text,
      (text) => h("li", { class: "chip" }, text),
    );
    const { scrollTop, scrollHeight, clientHeight } = messages;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < 80;
    const items = toItems(model);
    syncList(
      list,
      items,
      (item) => ("day" in item ? item.day : String(item.message.id)),
      renderItem,
    );
    empty.hidden = items.length > 0;
    messages.hidden = items.length === 0;
    composer.update(model);
    if (isAtEnd || shownPhone !== phone) messages.scrollTop = messages.scrollHeight;
    shownPhone = phone;
  };
  return { element, update };
};
