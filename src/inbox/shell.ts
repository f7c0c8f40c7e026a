import { createConversations } from "./conversations/conversations.ts";
import { h, setText } from "./dom/element.ts";
import { type IconName, icon } from "./dom/icon.ts";
import { api } from "./model/api.ts";
import {
  type Model,
  PANELS,
  type Panel,
  type Store,
  toFragment,
  type View,
} from "./model/model.ts";
import { createClock } from "./panels/clock.ts";
import { createRequests, createWebhooks } from "./panels/exchanges.ts";
import { createFaults } from "./panels/faults.ts";
import { createLists } from "./panels/lists.ts";

const TABS: Readonly<Record<Panel, { readonly label: string; readonly icon: IconName }>> = {
  conversations: { label: "Conversations", icon: "inbox" },
  lists: { label: "Lists", icon: "lists" },
  faults: { label: "Faults", icon: "faults" },
  requests: { label: "Requests", icon: "requests" },
  webhooks: { label: "Webhooks", icon: "webhooks" },
};

/** Returns the number that a tab shows; 0 shows nothing. */
const toPanelCount = (panel: Panel, { state, requests, webhooks }: Model): number => {
  if (panel === "faults") return state.faults.length;
  if (panel === "requests") return requests.length;
  return panel === "webhooks" ? webhooks.length : 0;
};

const createNavigation = (): View => {
  const tabs = PANELS.map((panel) => {
    const count = h("span", { class: "count" });
    const link = h(
      "a",
      { href: toFragment(panel), class: "tab" },
      icon(TABS[panel].icon),
      h("span", { class: "tab-label" }, TABS[panel].label),
      count,
    );
    return { panel, link, count };
  });
  const element = h(
    "nav",
    { class: "tabs", "aria-label": "Parts" },
    ...tabs.map(({ link }) => link),
  );
  return {
    element,
    update: (model) => {
      for (const { panel, link, count } of tabs) {
        if (panel === model.route.panel) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
        setText(count, String(toPanelCount(panel, model) || ""));
      }
    },
  };
};

const createReset = (): HTMLElement =>
  h(
    "button",
    {
      type: "button",
      class: "button small quiet",
      "aria-label": "Reset",
      title: "Reset the fake to its initial state",
      onclick: () => {
        if (
          confirm("Reset the fake to its initial state? Messages, requests and faults are deleted.")
        ) {
          void api.reset();
        }
      },
    },
    icon("reset"),
  );

/** Creates the whole page: its bar and the open panel. */
export const createShell = (store: Store): View => {
  const navigation = createNavigation();
  const clock = createClock();
  const live = h("p", { class: "live", role: "status" });
  const panels: Readonly<Record<Panel, View>> = {
    conversations: createConversations(store),
    lists: createLists(),
    faults: createFaults(),
    requests: createRequests(),
    webhooks: createWebhooks(),
  };
  const main = h("main", { id: "main", tabindex: -1 });
  const element = h(
    "div",
    { class: "app" },
    h("a", { class: "skip", href: "#main", onclick: skip }, "Skip to content"),
    h(
      "header",
      { class: "brand" },
      h("img", { src: "icon.svg", alt: "", width: 28, height: 28 }),
      h("div", {}, h("h1", {}, "Fake service"), live),
      createReset(),
    ),
    navigation.element,
    clock.element,
    main,
  );
  function skip(event: Event): void {
    event.preventDefault();
    main.focus();
  }
  return {
    element,
    update: (model) => {
      const { panel } = model.route;
      const view = panels[panel];
      if (main.firstElementChild !== view.element) main.replaceChildren(view.element);
      document.title = `${TABS[panel].label} · Fake service`;
      live.classList.toggle("is-live", model.isLive);
      setText(live, model.isLive ? "Live" : "Not connected");
      for (const part of [navigation, clock, view]) part.update(model);
    },
  };
};
