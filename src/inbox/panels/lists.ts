import type { ListView, PhoneOptIn } from "../../testing/control/schemas.ts";
import { h } from "../dom/element.ts";
import { createSearch, emptyState, panel } from "../dom/parts.ts";
import { syncList } from "../dom/sync-list.ts";
import { plural, toDistance, toNational } from "../model/format.ts";
import { type Model, toFragment, type View } from "../model/model.ts";

/** Number of lists that are drawn; the search finds the others. */
const MAX_LISTS = 100;

/** A list, and the phones in its double opt-in. */
interface Card {
  readonly list: ListView;
  readonly asked: readonly (PhoneOptIn & { readonly phone: string; readonly distance: string })[];
}

const toCard = (list: ListView, { state }: Model): Card => ({
  list,
  asked: state.phones.flatMap(({ phoneNumber, optIns }) =>
    optIns
      .filter(({ list_id, state: where }) => list_id === list.id && where === "asked")
      .map((optIn) => ({
        ...optIn,
        phone: phoneNumber,
        distance: optIn.reminderAt ? toDistance(optIn.reminderAt, state.clock.now) : "",
      })),
  ),
});

const count = (name: string, value: number): HTMLElement =>
  h("div", {}, h("dt", {}, name), h("dd", {}, value));

const renderStep = (step: ListView["opt_in_requests"][number]): HTMLElement =>
  h(
    "li",
    {},
    h("p", { class: "text" }, step.request_message),
    h(
      "p",
      { class: "meta" },
      h("span", {}, "collects ", h("code", {}, step.collected_data)),
      h("span", {}, "then ", h("code", {}, step.success_action ?? "nothing")),
      step.follow_up && h("span", {}, `reminder after ${plural(step.follow_up_hour ?? 0, "hour")}`),
    ),
  );

const renderAsked = (
  { phone, step = 0, distance }: Card["asked"][number],
  steps: number,
): HTMLElement =>
  h(
    "li",
    {},
    h("a", { href: toFragment("conversations", phone) }, toNational(phone)),
    ` step ${step + 1} of ${steps}`,
    distance !== "" && h("span", { class: "hint" }, `, reminder ${distance}`),
  );

const renderCard = ({ list, asked }: Card): HTMLElement =>
  h(
    "li",
    { class: "card" },
    h(
      "div",
      { class: "card-head" },
      h("h3", {}, list.name),
      h("span", { class: "hint" }, `ID ${list.id}`),
      h("span", { class: "badge" }, `${list.opt_in_type} opt-in`),
      list.deleted && h("span", { class: "badge bad" }, "deleted"),
    ),
    list.keyword_names.length > 0
      ? h(
          "ul",
          { class: "keywords", "aria-label": "Keywords" },
          ...list.keyword_names.map((keyword) => h("li", {}, h("code", {}, keyword))),
        )
      : h("p", { class: "hint" }, "No keywords"),
    h(
      "dl",
      { class: "counts" },
      count("Subscribed", list.counts.subscribers),
      count("Unsubscribed", list.counts.unsubscribed),
      count("Cleaned", list.counts.cleaned),
    ),
    list.opt_in_requests.length > 0 &&
      h(
        "details",
        {},
        h("summary", {}, plural(list.opt_in_requests.length, "opt-in step")),
        h("ol", { class: "steps" }, ...list.opt_in_requests.map(renderStep)),
      ),
    asked.length > 0 && h("h4", {}, "In the double opt-in"),
    asked.length > 0 &&
      h(
        "ul",
        { class: "asked" },
        ...asked.map((one) => renderAsked(one, list.opt_in_requests.length)),
      ),
  );

/** Creates the panel of lists: keywords, opt-in, counts, and the phones in an opt-in. */
export const createLists = (): View => {
  const cards = h("ul", { class: "cards" });
  const empty = emptyState("lists", "No lists", "Lists that the application creates appear here.");
  const hint = h("p", { class: "hint", role: "status" });
  const words = {
    id: "list-search",
    label: "Search lists",
    placeholder: "Search names and keywords",
  };
  const search = createSearch(words, (model: Model, typed) => {
    const wanted = typed.trim().toLowerCase();
    const { lists } = model.state;
    const found = lists.filter(({ name, keyword_names }) =>
      [name, ...keyword_names].some((text) => text.toLowerCase().includes(wanted)),
    );
    const shown = found.slice(0, MAX_LISTS);
    syncList(
      cards,
      shown.map((list) => toCard(list, model)),
      ({ list }) => String(list.id),
      renderCard,
    );
    empty.hidden = lists.length > 0;
    hint.textContent =
      found.length > shown.length ? `${shown.length} of ${plural(found.length, "list")} shown` : "";
    if (found.length === 0 && lists.length > 0) hint.textContent = "No list matches.";
  });
  const element = panel(
    "Lists",
    "Lists of the accounts, with their keywords, counts and opt-ins under way.",
    search.element,
    hint,
    cards,
    empty,
  );
  return { element, update: search.update };
};
