import { h } from "../dom/element.ts";
import { icon } from "../dom/icon.ts";
import type { Store, View } from "../model/model.ts";
import { toConversations } from "./conversation.ts";
import { createConversationList } from "./conversation-list.ts";
import { createNewPhone } from "./new-phone.ts";
import { createThread } from "./thread.ts";

const fact = (name: string, value: Node | string) => [h("dt", {}, name), h("dd", {}, value)];

/** Creates the welcome screen, which explains how to send a first message. */
const createWelcome = (onNewPhone: () => void): View => {
  const email = h("code", {});
  const begin = h(
    "div",
    {},
    h("h2", {}, "Waiting for the first message"),
    h("p", {}, "Point your application at this fake service. Its messages appear here."),
    h(
      "dl",
      { class: "facts card" },
      ...fact("Base URL", h("code", {}, location.origin)),
      ...fact("E-mail", email),
      ...fact("API key", "as the command printed it"),
    ),
    h(
      "button",
      { type: "button", class: "button primary", onclick: onNewPhone },
      icon("plus"),
      "Write as a phone",
    ),
  );
  const choose = h(
    "div",
    {},
    h("h2", {}, "No conversation is open"),
    h("p", {}, "Choose a phone to see its messages and to reply as this phone."),
  );
  const element = h(
    "section",
    { class: "empty welcome", "aria-label": "Welcome" },
    icon("inbox"),
    begin,
    choose,
  );
  const update: View["update"] = (model) => {
    email.textContent = model.state.account.email;
    const hasConversations = toConversations(model).length > 0;
    begin.hidden = hasConversations;
    choose.hidden = !hasConversations;
  };
  return { element, update };
};

/** Creates the panel of conversations: all phones, and the open one. */
export const createConversations = (store: Store): View => {
  const newPhone = createNewPhone(store);
  const list = createConversationList(newPhone.open);
  const thread = createThread();
  const welcome = createWelcome(newPhone.open);
  const element = h(
    "div",
    { class: "panes" },
    list.element,
    thread.element,
    welcome.element,
    newPhone.element,
  );
  const update: View["update"] = (model) => {
    const isOpen = model.route.phone !== undefined;
    element.classList.toggle("is-open", isOpen);
    thread.element.hidden = !isOpen;
    welcome.element.hidden = isOpen;
    for (const view of [list, thread, welcome]) view.update(model);
  };
  return { element, update };
};
