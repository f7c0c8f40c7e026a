// Uses a page as a person does, by what it shows and by the names of its controls.
import { expect } from "vitest";
import type { Tab } from "./tab.ts";

/** Runs in a page. Clicks a control, or enters a text. Returns whether the page shows such a control. */
const use = ({ name, text }: { readonly name: string; readonly text: string | null }): boolean => {
  const nameOf = (control: Element) => {
    const { labels } = control as HTMLInputElement;
    const shown = control.getAttribute("aria-label") ?? labels?.[0]?.textContent;
    return (shown ?? control.textContent ?? "").replace(/\s+/g, " ").trim();
  };
  const controls = [
    ...document.querySelectorAll<HTMLElement>("a, button, summary, input, select, textarea"),
  ].filter((control) => control.checkVisibility());
  const control =
    controls.find((each) => nameOf(each) === name) ??
    controls.find((each) => nameOf(each).includes(name));
  if (!control) return false;
  if (text === null) {
    control.click();
    return true;
  }
  (control as HTMLInputElement).value = text;
  for (const event of ["input", "change"]) {
    control.dispatchEvent(new Event(event, { bubbles: true }));
  }
  return true;
};

export interface User {
  /** Waits until the page shows a text. */
  sees(text: string): Promise<void>;
  /** Clicks the control whose name or content is the given name. */
  clicks(name: string): Promise<void>;
  /** Enters a text into the field with a name, or selects the option whose value is the text. */
  enters(text: string, name: string): Promise<void>;
}

export const userOf = (tab: Tab): User => ({
  sees: (text) =>
    expect.poll(() => tab.evaluate(() => document.body.innerText, null)).toContain(text),
  clicks: (name) => expect.poll(() => tab.evaluate(use, { name, text: null })).toBe(true),
  enters: (text, name) => expect.poll(() => tab.evaluate(use, { name, text })).toBe(true),
});
