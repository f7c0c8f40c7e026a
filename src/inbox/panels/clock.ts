import { h, setText } from "../dom/element.ts";
import { icon } from "../dom/icon.ts";
import { api } from "../model/api.ts";
import { toDayAndTime, toDistance } from "../model/format.ts";
import type { View } from "../model/model.ts";

/** Creates the clock of the fake, with buttons that move it. */
export const createClock = (): View => {
  const time = h("time", {});
  const move = (label: string, duration: object): HTMLButtonElement =>
    h(
      "button",
      { type: "button", class: "button small", onclick: () => void api.advance(duration) },
      label,
    );
  const due = move("Next reminder", { until: "next_due" });
  due.setAttribute("aria-label", "Until the next reminder");
  const element = h(
    "section",
    { class: "clock", "aria-label": "Clock" },
    h("p", { class: "now" }, icon("clock"), h("span", { class: "visually-hidden" }, "Now:"), time),
    h(
      "div",
      { class: "group", role: "group", "aria-label": "Move the clock" },
      move("+1 hour", { hours: 1 }),
      move("+1 day", { days: 1 }),
      due,
    ),
  );
  return {
    element,
    update: ({ state }) => {
      const { now, nextDueAt } = state.clock;
      time.setAttribute("datetime", now);
      setText(time, now === "" ? "…" : `${toDayAndTime(now)} UTC`);
      due.disabled = nextDueAt === null;
      due.title = nextDueAt
        ? `The next reminder or scheduled message goes out ${toDistance(nextDueAt, now)}`
        : "No reminder and no scheduled message is due";
    },
  };
};
