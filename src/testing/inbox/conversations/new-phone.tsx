import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { api, problemsOf } from "../model/control-calls.ts";
import { toFragment } from "../model/route.ts";
import { Button } from "../parts/parts.tsx";

interface NewPhoneProps {
  readonly onOpen: (phone: string) => void;
  readonly onClose: () => void;
}

/** Open dialog that starts the conversation of a new phone. */
export const NewPhone = ({ onOpen, onClose }: NewPhoneProps) => {
  const [problem, setProblem] = useState("");
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  // In a layout effect, because the dialog must receive the next key press.
  useLayoutEffect(() => {
    dialog.current?.showModal();
    field.current?.focus();
  }, []);
  // Closed first, because the dialog returns the focus when it closes.
  const close = () => dialog.current?.close();
  const begin = async (event: Event): Promise<void> => {
    event.preventDefault();
    const [refusal] = await problemsOf(async () => {
      const { phoneNumber } = await api.setPhone(field.current?.value.trim() ?? "", {});
      close();
      onOpen(phoneNumber);
      location.hash = toFragment("conversations", phoneNumber);
    });
    setProblem(refusal?.message ?? "");
  };
  return (
    <dialog class="box" aria-labelledby="new-phone-title" ref={dialog} onClose={onClose}>
      <form class="stack" noValidate onSubmit={begin}>
        <h2 id="new-phone-title">New phone</h2>
        <label for="new-phone">Phone number</label>
        <input
          id="new-phone"
          ref={field}
          type="tel"
          autoComplete="off"
          required
          placeholder="(206) 555-0100"
          aria-describedby="new-phone-hint new-phone-problem"
          aria-invalid={problem === "" ? undefined : true}
        />
        <p class="hint" id="new-phone-hint">
          A U.S. or Canadian number in any format.
        </p>
        <p class="problem" role="alert" id="new-phone-problem">
          {problem}
        </p>
        <div class="row apart">
          <Button onClick={close}>Cancel</Button>
          <button type="submit" class="button primary">
            Open conversation
          </button>
        </div>
      </form>
    </dialog>
  );
};
