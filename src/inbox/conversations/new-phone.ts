import { h, setText } from "../dom/element.ts";
import { api, ControlApiError } from "../model/api.ts";
import { type Store, toFragment } from "../model/model.ts";

/** Returns a generated number without a conversation: (206) 555-0100, (206) 555-0101, … */
const freeNumber = ({ model }: Store): string => {
  const used = new Set([
    ...model.messages.map(({ phone }) => phone),
    ...model.state.phones.map(({ phoneNumber }) => phoneNumber),
  ]);
  for (let line = 100; line < 200; line += 1) {
    if (!used.has(`+12065550${line}`)) return `(206) 555-0${line}`;
  }
  return "";
};

/** Creates the dialog that opens a conversation with a phone that has none. */
export const createNewPhone = (store: Store): { element: HTMLElement; open: () => void } => {
  const problem = h("p", { class: "problem", role: "alert", id: "new-phone-problem" });
  const field = h("input", {
    id: "new-phone",
    type: "tel",
    autocomplete: "off",
    required: true,
    "aria-describedby": "new-phone-hint new-phone-problem",
  });
  const begin = async (): Promise<void> => {
    try {
      const { phoneNumber } = await api.knowPhone(field.value);
      store.set({ newPhones: [...store.model.newPhones, phoneNumber] });
      dialog.close();
      location.hash = toFragment("conversations", phoneNumber);
    } catch (error) {
      if (!(error instanceof ControlApiError)) throw error;
      field.setAttribute("aria-invalid", "true");
      setText(problem, error.problems[0]?.message ?? error.message);
    }
  };
  const dialog = h(
    "dialog",
    { "aria-labelledby": "new-phone-title" },
    h(
      "form",
      {
        novalidate: true,
        onsubmit: (event) => {
          event.preventDefault();
          void begin();
        },
      },
      h("h2", { id: "new-phone-title" }, "New phone"),
      h("label", { for: "new-phone" }, "Phone number"),
      field,
      h("p", { class: "hint", id: "new-phone-hint" }, "A U.S. or Canadian number in any format."),
      problem,
      h(
        "div",
        { class: "actions" },
        h("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Cancel"),
        h("button", { class: "button primary" }, "Open conversation"),
      ),
    ),
  );
  const open = (): void => {
    field.value = freeNumber(store);
    field.removeAttribute("aria-invalid");
    setText(problem, "");
    dialog.showModal();
    field.select();
  };
  return { element: dialog, open };
};
