import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { api, ControlApiError } from "../model/api.ts";
import type { Model, ModelProps } from "../model/model.ts";
import { toFragment } from "../model/route.ts";

/** Returns a generated number without a conversation: (206) 555-0100, (206) 555-0101, … */
const unusedNumber = ({ messages, state }: Model): string => {
  const used = new Set([
    ...messages.map(({ phone }) => phone),
    ...state.phones.map(({ phoneNumber }) => phoneNumber),
  ]);
  for (let line = 100; line < 200; line += 1) {
    if (!used.has(`+12065550${line}`)) return `(206) 555-0${line}`;
  }
  return "";
};

interface NewPhoneProps extends ModelProps {
  /** Called with the phone whose conversation opens. */
  readonly onOpen: (phone: string) => void;
  readonly onClose: () => void;
}

/** Open dialog that begins a conversation with a phone that has none. */
export const NewPhone = ({ model, onOpen, onClose }: NewPhoneProps) => {
  const [problem, setProblem] = useState("");
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  // At once: the next key that is pressed belongs to the dialog.
  useLayoutEffect(() => {
    dialog.current?.showModal();
    field.current?.select();
  }, []);
  // The dialog gives the focus back before it disappears.
  const close = () => dialog.current?.close();
  const begin = async (): Promise<void> => {
    try {
      const { phoneNumber } = await api.addPhone(field.current?.value ?? "");
      close();
      onOpen(phoneNumber);
      location.hash = toFragment("conversations", phoneNumber);
    } catch (error) {
      if (!(error instanceof ControlApiError)) throw error;
      setProblem(error.problems[0]?.message ?? error.message);
    }
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    void begin();
  };
  return (
    <dialog aria-labelledby="new-phone-title" ref={dialog} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <h2 id="new-phone-title">New phone</h2>
        <label for="new-phone">Phone number</label>
        <input
          id="new-phone"
          ref={field}
          type="tel"
          autoComplete="off"
          required
          defaultValue={unusedNumber(model)}
          aria-describedby="new-phone-hint new-phone-problem"
          aria-invalid={problem === "" ? undefined : true}
        />
        <p class="hint" id="new-phone-hint">
          A U.S. or Canadian number in any format.
        </p>
        <p class="problem" role="alert" id="new-phone-problem">
          {problem}
        </p>
        <div class="actions">
          <button type="button" class="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" class="button primary">
            Open conversation
          </button>
        </div>
      </form>
    </dialog>
  );
};
