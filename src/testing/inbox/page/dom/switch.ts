import { h } from "./element.ts";

/** A switch, and how to set it without telling anybody. */
export interface Switch {
  readonly element: HTMLElement;
  set(isOn: boolean): void;
}

/** Creates a switch with a short text and a label that says it all; it calls a function when somebody turns it. */
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
