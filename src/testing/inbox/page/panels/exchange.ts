import { h } from "../dom/element.ts";

/** Returns the class that colors a status; 0 stands for no response. */
export const statusClass = (status: number): string =>
  status === 0 || status >= 500 ? "bad" : status >= 400 ? "warn" : "good";

const toJson = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value, undefined, 2);

/** Creates a titled block of code, which can be scrolled with the keyboard. */
export const block = (title: string, value: unknown): HTMLElement =>
  h(
    "div",
    { class: "block" },
    h("p", { class: "block-title" }, title),
    h("pre", { tabindex: 0, role: "group", "aria-label": title }, toJson(value)),
  );
