import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { api, ControlApiError } from "../model/api.ts";
import { toNational } from "../model/format.ts";
import type { Model, ModelProps } from "../model/model.ts";
import { Icon } from "../parts/parts.tsx";

const MAX_SUGGESTIONS = 6;

/** Returns suggestions for the phone's next text: the keywords of lists, a reply, and the words that carriers require. */
const suggestionsOf = ({ state }: Model): readonly string[] => {
  const keywords = state.lists
    .filter(({ deleted }) => !deleted)
    .flatMap(({ keyword_names }) => keyword_names);
  return [...new Set([...keywords.slice(0, MAX_SUGGESTIONS - 3), "YES", "HELP", "STOP"])];
};

export interface ComposerProps extends ModelProps {
  readonly phone: string;
  /** Whether the conversation was just begun: its field then takes the focus. */
  readonly isBegun: boolean;
}

/** Field that sends a text from a phone. */
export const Composer = ({ model, phone, isBegun }: ComposerProps) => {
  const [problem, setProblem] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (isBegun) field.current?.focus();
  }, [isBegun]);
  const send = async (text: string): Promise<void> => {
    try {
      await api.sendText(phone, text);
      setProblem("");
    } catch (error) {
      if (!(error instanceof ControlApiError)) throw error;
      setProblem(error.problems[0]?.message ?? error.message);
      if (field.current?.value === "") field.current.value = text;
    }
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
    <form class="composer" ref={form} onSubmit={submit}>
      <ul class="suggestions" aria-label="Suggested texts">
        {suggestionsOf(model).map((text) => (
          <li key={text}>
            <button type="button" class="chip" onClick={() => send(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="composer-row">
        <label for="composer" class="visually-hidden">
          Text from {toNational(phone)}
        </label>
        <textarea
          id="composer"
          ref={field}
          rows={1}
          placeholder="Write as this phone"
          autoComplete="off"
          maxLength={1600}
          onKeyDown={sendOnEnter}
        />
        <button type="submit" class="button primary icon-button" aria-label="Send text">
          <Icon name="send" />
          <span class="wide-only">Send</span>
        </button>
      </div>
    </form>
  );
};
