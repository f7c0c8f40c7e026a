import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { api, problemsOf } from "../model/control-calls.ts";
import { toNational } from "../model/format.ts";
import { Icon } from "../parts/parts.tsx";

export interface ComposerProps {
  readonly phone: string;
  /** Whether the conversation was just started. Its field is then focused. */
  readonly isBegun: boolean;
}

export const Composer = ({ phone, isBegun }: ComposerProps) => {
  const [problem, setProblem] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (isBegun) field.current?.focus();
  }, [isBegun]);
  const send = async (text: string): Promise<void> => {
    const [refusal] = await problemsOf(() => api.sendText(phone, text));
    setProblem(refusal?.message ?? "");
    if (refusal && field.current?.value === "") field.current.value = text;
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const text = field.current?.value ?? "";
    if (!field.current || text.trim() === "") return;
    field.current.value = "";
    void send(text);
    field.current.focus();
  };
  const sendOnEnter = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.current?.requestSubmit();
  };
  return (
    <form class="composer stack" ref={form} onSubmit={submit}>
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="row">
        <label for="composer" class="visually-hidden">
          Text from {toNational(phone)}
        </label>
        <textarea
          id="composer"
          ref={field}
          rows={1}
          placeholder="Text from this phone"
          autoComplete="off"
          maxLength={1600}
          onKeyDown={sendOnEnter}
        />
        <button type="submit" class="button primary" aria-label="Send text">
          <Icon name="send" />
          Send
        </button>
      </div>
    </form>
  );
};
