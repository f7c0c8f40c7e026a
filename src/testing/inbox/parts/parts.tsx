import type { ComponentChildren, ComponentProps } from "preact";

/** Paths of the icons on a grid of 24 by 24. */
const PATHS = {
  inbox: "M4 5.5h16v10a1.5 1.5 0 0 1-1.5 1.5H9l-4 3.2V17a1 1 0 0 1-1-1z",
  lists: "M8 6.5h12M8 12h12M8 17.5h12M4 6.5h.01M4 12h.01M4 17.5h.01",
  faults: "M13 3 5 13.5h6L10.5 21 19 10.5h-6.2z",
  requests: "M4 8h14l-3.2-3.2M20 16H6l3.2 3.2",
  webhooks: "M12 4v10M12 14l-3.5-3.5M12 14l3.5-3.5M5 16v4h14v-4",
  clock: "M12 7.5V12l3 2M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0z",
  plus: "M12 5v14M5 12h14",
  send: "M20 4 4 10.6l6.2 3.2L13.4 20zM20 4l-9.8 9.8",
  back: "M14.5 5.5 8 12l6.5 6.5",
  file: "M13.5 3.5H6v17h12V8.5zM13.5 3.5v5h5",
  phone: "M7 3.5h10v17H7zM11 17.6h2",
} as const;

export type IconName = keyof typeof PATHS;

/** Decorative icon, which screen readers skip. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
);

export const Button = (props: ComponentProps<"button">) => (
  <button type="button" class="button" {...props} />
);

interface PanelProps {
  readonly title: string;
  readonly purpose: string;
  readonly children: ComponentChildren;
}

export const Panel = ({ title, purpose, children }: PanelProps) => {
  const id = `${title.toLowerCase()}-title`;
  return (
    <section class="panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
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
  readonly Heading?: "h2" | "h3";
}

export const EmptyState = ({ icon, title, text, Heading = "h3" }: EmptyStateProps) => (
  <div class="empty">
    <Icon name={icon} />
    <Heading>{title}</Heading>
    <p>{text}</p>
  </div>
);

interface SwitchProps {
  readonly text: string;
  readonly label: string;
  readonly isOn: boolean;
  readonly onTurn: (isOn: boolean) => unknown;
}

export const Switch = ({ text, label, isOn, onTurn }: SwitchProps) => (
  <label class="row" title={label}>
    <input
      type="checkbox"
      // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has its state.
      role="switch"
      aria-label={label}
      checked={isOn}
      onChange={({ currentTarget }) => onTurn(currentTarget.checked)}
    />
    {text}
  </label>
);
