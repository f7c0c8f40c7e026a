import { h, setText } from "../dom/element.ts";
import { icon } from "../dom/icon.ts";
import { syncList } from "../dom/sync-list.ts";
import { api, ControlApiError } from "../model/api.ts";
import { toNational } from "../model/format.ts";
import type { Model, View } from "../model/model.ts";

const MAX_SUGGESTIONS = 6;

/** Returns suggestions for the phone's next text: the keywords of lists, a reply, and the words that carriers require. */
const suggestionsOf = ({ state }: Model): readonly string[] => {
  const keywords = state.lists
    .filter(({ deleted }) => !deleted)
    .flatMap(({ keyword_names }) => keyword_names);
  return [...new Set([...keywords.slice(0, MAX_SUGGESTIONS - 3), "YES", "HELP", "STOP"])];
};

/** Creates the field that sends a text from the open phone. */
export const createComposer = (): View => {
  let phone = "";
  const label = h("label", { for: "composer", class: "visually-hidden" });
  const problem = h("p", { class: "problem", role: "alert" });
  const field = h("textarea", {
    id: "composer",
    rows: 1,
    placeholder: "Write as this phone",
    autocomplete: "off",
    maxlength: 1600,
    onkeydown: (event) => {
      const { key, shiftKey, isComposing } = event as KeyboardEvent;
      if (key !== "Enter" || shiftKey || isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    },
  });
  const send = async (text: string): Promise<void> => {
    try {
      await api.sendText(phone, text);
      setText(problem, "");
    } catch (error) {
      if (!(error instanceof ControlApiError)) throw error;
      setText(problem, error.problems[0]?.message ?? error.message);
      if (field.value === "") field.value = text;
    }
  };
  const suggestions = h("ul", { class: "suggestions", "aria-label": "Suggested texts" });
  const form = h(
    "form",
    {
      class: "composer",
      onsubmit: (event) => {
        event.preventDefault();
        const text = field.value;
        if (text.trim() === "") return;
        field.value = "";
        void send(text);
        field.focus();
      },
    },
    suggestions,
    problem,
    h(
      "div",
      { class: "composer-row" },
      label,
      field,
      h(
        "button",
        { class: "button primary icon-button", "aria-label": "Send text" },
        icon("send"),
        h("span", { class: "wide-only" }, "Send"),
      ),
    ),
  );
  const update = (model: Model): void => {
    if (phone !== model.route.phone) {
      phone = model.route.phone ?? "";
      field.value = "";
      setText(problem, "");
      setText(label, `Text from ${toNational(phone)}`);
    }
    syncList(
      suggestions,
      suggestionsOf(model),
      (text) => text,
      (text) =>
        h(
          "li",
          {},
          h("button", { type: "button", class: "chip", onclick: () => void send(text) }, text),
        ),
    );
  };
  return { element: form, update };
};
