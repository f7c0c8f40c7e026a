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
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (isBegun) field.current?.focus();
  }, [isBegun]);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    const input = field.current;
    const text = input?.value ?? "";
    if (!input || text.trim() === "") return;
    input.value = "";
    input.focus();
    const [refusal] = await problemsOf(() => api.sendText(phone, text));
    setProblem(refusal?.message ?? "");
    if (refusal && input.value === "") input.value = text;
  };
  const sendOnEnter = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    field.current?.form?.requestSubmit();
  };
  return (
    <form class="composer stack" onSubmit={send}>
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
