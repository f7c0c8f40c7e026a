// Parts that several panels show.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";

interface PanelProps {
  readonly title: string;
  readonly purpose: string;
  readonly children: ComponentChildren;
}

/** Panel with a heading and a sentence that states its purpose. */
export const Panel = ({ title, purpose, children }: PanelProps) => {
  const id = `${title.toLowerCase()}-title`;
  return (
    <section class="panel" aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        <p class="hint">{purpose}</p>
      </header>
      {children}
    </section>
  );
};

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
}

/** Message of a panel that has nothing to show. */
export const EmptyState = ({ icon, title, text }: EmptyStateProps) => (
  <div class="empty">
    <Icon name={icon} />
    <h3>{title}</h3>
    <p>{text}</p>
  </div>
);

interface SwitchProps {
  readonly text: string;
  readonly label: string;
  readonly isOn: boolean;
  readonly onTurn: (isOn: boolean) => unknown;
}

/** Switch with a short text and a complete label. It turns at once, and follows `isOn` when that changes. */
export const Switch = ({ text, label, isOn, onTurn }: SwitchProps) => {
  const [isShownOn, setShownOn] = useState(isOn);
  useEffect(() => setShownOn(isOn), [isOn]);
  const turn = () => {
    setShownOn(!isShownOn);
    onTurn(!isShownOn);
  };
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked={isShownOn}
      aria-label={label}
      title={label}
      onClick={turn}
    >
      <span class="track" />
      {text}
    </button>
  );
};

interface SearchProps {
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  readonly onInput: (words: string) => void;
}

/** Search field with a label for screen readers. */
export const Search = ({ id, label, placeholder, onInput }: SearchProps) => (
  <div class="search">
    <label for={id} class="visually-hidden">
      {label}
    </label>
    <Icon name="search" />
    <input
      type="search"
      id={id}
      placeholder={placeholder}
      autoComplete="off"
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  </div>
);
