import { type Child, h } from "../dom/element.ts";
import { syncList } from "../dom/sync-list.ts";
import { toTime } from "../model/format.ts";
import type { Model, View } from "../model/model.ts";
import { panel } from "./panel.ts";

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

/** A request, and when it was made. */
interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly at: string;
}

/** Renders a request on one line with its outcome; the line opens to show the details. */
export const renderExchange = (
  { method, path, at }: Exchange,
  outcome: readonly Child[],
  details: readonly Child[],
): HTMLElement =>
  h(
    "details",
    {},
    h(
      "summary",
      {},
      h("span", { class: "method" }, method),
      h("span", { class: "path" }, path),
      ...outcome,
      h("time", { datetime: at }, toTime(at)),
    ),
    h("div", { class: "request-body" }, ...details),
  );

/** A panel of exchanges, and its message while there are none. */
interface ExchangePanel<Item> {
  readonly title: string;
  readonly purpose: string;
  readonly empty: HTMLElement;
  /** Returns the exchanges of a model, oldest first. */
  readonly itemsOf: (model: Model) => readonly Item[];
  readonly render: (item: Item) => HTMLElement;
}

/** Creates a panel of exchanges, newest first. */
export const createExchangePanel = <Item extends { readonly id: number }>({
  title,
  purpose,
  empty,
  itemsOf,
  render,
}: ExchangePanel<Item>): View => {
  const list = h("ol", { class: "requests", "aria-label": title });
  return {
    element: panel(title, purpose, list, empty),
    update: (model) => {
      const items = itemsOf(model);
      syncList(list, items.toReversed(), ({ id }) => String(id), render);
      empty.hidden = items.length > 0;
      list.hidden = items.length === 0;
    },
  };
};
