import { h } from "./element.ts";

/** A switch, and a method that sets it without a call of its listener. */
export interface Switch {
  readonly element: HTMLElement;
  set(isOn: boolean): void;
}

/** Creates a switch with a short text and a complete label; it calls a function when the user turns it. */
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
