// Parts that several views show.
import { type Child, h } from "./element.ts";
import { type IconName, icon } from "./icon.ts";

/** Creates a panel with a heading and a sentence that states its purpose. */
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

/** A switch, and a method that sets it without calling its listener. */
export interface Switch {
  readonly element: HTMLElement;
  set(isOn: boolean): void;
}

/** Creates a switch with a short text and a complete label. It calls `onTurn` when the user turns it. */
export const createSwitch = (
  text: string,
  label: string,
  onTurn: (isOn: boolean) => unknown,
): Switch => {
  const set = (isOn: boolean): void => element.setAttribute("aria-checked", String(isOn));
  const element = h(
    "button",
    {
      type: "button",
      role: "switch",
      class: "switch",
      "aria-checked": "true",
      "aria-label": label,
      title: label,
      onclick: () => {
        const isOn = element.getAttribute("aria-checked") !== "true";
        set(isOn);
        onTurn(isOn);
      },
    },
    h("span", { class: "track" }),
    text,
  );
  return { element, set };
};

/** Words of a search field that people see or hear. */
interface SearchWords {
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
}

/** A search field, and the function that updates its results. */
export interface Search<Model> {
  readonly element: HTMLElement;
  update(model: Model): void;
}

/** Creates a search field that updates its results on input and on changes of the model. */
export const createSearch = <Model>(
  { id, label, placeholder }: SearchWords,
  show: (model: Model, words: string) => void,
): Search<Model> => {
  let latest: Model | undefined;
  const update = (model: Model): void => {
    latest = model;
    show(model, input.value);
  };
  const input = h("input", {
    type: "search",
    id,
    placeholder,
    autocomplete: "off",
    oninput: () => latest && update(latest),
  });
  const element = h(
    "div",
    { class: "search" },
    h("label", { for: id, class: "visually-hidden" }, label),
    icon("search"),
    input,
  );
  return { element, update };
};
