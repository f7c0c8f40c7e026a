/** Content of an element. Strings become text nodes, so nothing is ever parsed as HTML. */
export type Child = Node | string | number | false | null | undefined;

type Listener = (event: Event) => void;

/** Attributes and listeners of an element. `onclick` adds a listener; `true` sets a boolean attribute, `false` omits it. */
export type Attributes = Readonly<Record<string, string | number | boolean | Listener | undefined>>;

const setAttributes = (element: Element, attributes: Attributes): void => {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
};

/** Creates an HTML element. */
export const h = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] => {
  const element = document.createElement(name);
  setAttributes(element, attributes);
  append(element, children);
  return element;
};

/** Creates an SVG element. */
export const svg = (
  name: string,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElement => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  setAttributes(element, attributes);
  append(element, children);
  return element;
};

const append = (element: Element, children: readonly Child[]): void => {
  for (const child of children) {
    if (child === false || child === null || child === undefined) continue;
    element.append(typeof child === "number" ? String(child) : child);
  }
};

/** Sets the text of an element only if it changed: replacing it would clear a selection. */
export const setText = (element: Element, text: string): void => {
  if (element.textContent !== text) element.textContent = text;
};
