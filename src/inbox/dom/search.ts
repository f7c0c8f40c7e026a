import { h } from "./element.ts";
import { icon } from "./icon.ts";

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
