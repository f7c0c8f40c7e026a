/** Key and serialized item of each rendered element. An element whose item is unchanged is kept. */
const sources = new WeakMap<Element, { readonly key: string; readonly signature: string }>();

/** Carries opened details and the focus over from an element to its replacement. */
const carryOver = (from: Element, to: Element): void => {
  const opened = [...from.querySelectorAll("details")].map(({ open }) => open);
  for (const [index, details] of [...to.querySelectorAll("details")].entries()) {
    details.open = opened[index] ?? details.open;
  }
  const active = document.activeElement;
  if (!active || !from.contains(active)) return;
  const index = [from, ...from.querySelectorAll("*")].indexOf(active);
  const target = [to, ...to.querySelectorAll("*")][index];
  // The replacement must be in the document before it can take the focus.
  queueMicrotask(() => target instanceof HTMLElement && target.focus({ preventScroll: true }));
};

/** Renders items as the children of an element, and touches only the children that changed. */
export const syncList = <Item>(
  parent: Element,
  items: readonly Item[],
  keyOf: (item: Item) => string,
  render: (item: Item) => Element,
): void => {
  const known = new Map<string, Element>();
  for (const child of parent.children) {
    const source = sources.get(child);
    if (source) known.set(source.key, child);
  }
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    const signature = JSON.stringify(item);
    const before = known.get(key);
    known.delete(key);
    let element = before;
    if (!before || sources.get(before)?.signature !== signature) {
      element = render(item);
      sources.set(element, { key, signature });
      if (before) {
        carryOver(before, element);
        if (place === before) place = element;
        before.replaceWith(element);
      }
    }
    if (!element) continue;
    if (element === place) place = element.nextElementSibling;
    else parent.insertBefore(element, place);
  }
  for (const gone of known.values()) gone.remove();
};
