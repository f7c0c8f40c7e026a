// Parts that several panels show.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Paths of each icon on a grid of 24 by 24. */
const PATHS = {
  inbox: ["M4 5.5h16v10a1.5 1.5 0 0 1-1.5 1.5H9l-4 3.2V17a1 1 0 0 1-1-1z"],
  lists: ["M8 6.5h12M8 12h12M8 17.5h12", "M4 6.5h.01M4 12h.01M4 17.5h.01"],
  faults: ["M13 3 5 13.5h6L10.5 21 19 10.5h-6.2z"],
  requests: ["M4 8h14l-3.2-3.2M20 16H6l3.2 3.2"],
  webhooks: [
    "M12 4v10M12 14l-3.5-3.5M12 14l3.5-3.5",
    "M5 16v2.5A1.5 1.5 0 0 0 6.5 20h11a1.5 1.5 0 0 0 1.5-1.5V16",
  ],
  clock: ["M12 7.5V12l3 2", "M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0z"],
  search: ["M10.8 17a6.2 6.2 0 1 0 0-12.4 6.2 6.2 0 0 0 0 12.4z", "m15.4 15.4 4.4 4.4"],
  plus: ["M12 5v14M5 12h14"],
  send: ["M20 4 4 10.6l6.2 3.2L13.4 20z", "M20 4l-9.8 9.8"],
  back: ["M14.5 5.5 8 12l6.5 6.5"],
  file: [
    "M13.5 3.5H7A1.5 1.5 0 0 0 5.5 5v14A1.5 1.5 0 0 0 7 20.5h10a1.5 1.5 0 0 0 1.5-1.5V8.5z",
    "M13.5 3.5v5h5",
  ],
  phone: [
    "M8.5 3.5h7A1.5 1.5 0 0 1 17 5v14a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 7 19V5a1.5 1.5 0 0 1 1.5-1.5z",
    "M11 17.6h2",
  ],
} as const;

export type IconName = keyof typeof PATHS;

/** Decorative icon, which screen readers skip. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    {PATHS[name].map((d) => (
      <path key={d} d={d} />
    ))}
  </svg>
);

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
