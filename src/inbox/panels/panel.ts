import { type Child, h } from "../dom/element.ts";
import { type IconName, icon } from "../dom/icon.ts";

/** Creates a panel with a heading and a sentence about its purpose. */
export const panel = (title: string, purpose: string, ...children: readonly Child[]): HTMLElement =>
  h(
    "section",
    { class: "panel", "aria-labelledby": `${title.toLowerCase()}-title` },
    h(
      "header",
      { class: "panel-head" },
      h("h2", { id: `${title.toLowerCase()}-title`, tabindex: -1 }, title),
      h("p", { class: "hint" }, purpose),
    ),
    ...children,
  );

/** Creates the message of a panel that has nothing to show. */
export const emptyState = (name: IconName, title: string, text: string): HTMLElement =>
  h("div", { class: "empty" }, icon(name), h("h3", {}, title), h("p", {}, text));
