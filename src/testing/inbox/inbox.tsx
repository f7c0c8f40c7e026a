import { type ComponentType, render, type VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Conversations } from "./conversations/conversations.tsx";
import { type Model, type ModelProps, useServiceData } from "./model/model.ts";
import { PANELS, type PanelName, toFragment, useRoute } from "./model/route.ts";
import { Clock } from "./panels/clock.tsx";
import { Requests, Webhooks } from "./panels/exchanges.tsx";
import { Faults } from "./panels/faults.tsx";
import { Lists } from "./panels/lists-panel.tsx";
import { Icon, type IconName } from "./parts/parts.tsx";

interface Tab {
  readonly label: string;
  readonly icon: IconName;
  readonly Content: ComponentType<ModelProps>;
}

const TABS: Readonly<Record<PanelName, Tab>> = {
  conversations: { label: "Conversations", icon: "inbox", Content: Conversations },
  lists: { label: "Lists", icon: "lists", Content: Lists },
  faults: { label: "Faults", icon: "faults", Content: Faults },
  requests: { label: "Requests", icon: "requests", Content: Requests },
  webhooks: { label: "Webhooks", icon: "webhooks", Content: Webhooks },
};

const toPanelCount = (panel: PanelName, { state, requests, webhooks }: Model): number => {
  if (panel === "faults") return state.faults.length;
  if (panel === "requests") return requests.length;
  return panel === "webhooks" ? webhooks.length : 0;
};

const Navigation = ({ model }: ModelProps) => (
  <nav class="tabs stack" aria-label="Sections">
    {PANELS.map((panel) => (
      <a
        key={panel}
        href={toFragment(panel)}
        class="tab"
        aria-current={panel === model.route.panel ? "page" : undefined}
      >
        <Icon name={TABS[panel].icon} />
        {TABS[panel].label}
        <span class="count badge">{toPanelCount(panel, model) || ""}</span>
      </a>
    ))}
  </nav>
);

/** Container of a panel. While another panel is open, it keeps what was typed and opened in it, and is not updated. */
const Place = ({ panel, model }: ModelProps & { readonly panel: PanelName }) => {
  const isOpen = panel === model.route.panel;
  const { Content } = TABS[panel];
  const content = useRef<VNode | undefined>(undefined);
  if (isOpen) content.current = <Content model={model} />;
  return (
    <div class="place" hidden={!isOpen}>
      {content.current}
    </div>
  );
};

const App = () => {
  const route = useRoute();
  const model: Model = { ...useServiceData(), route };
  const main = useRef<HTMLElement>(null);
  const { label } = TABS[route.panel];
  useEffect(() => {
    document.title = `${label} · Fake service`;
  }, [label]);
  const skip = (event: Event): void => {
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <div class="app">
      <a class="skip button primary" href="#main" onClick={skip}>
        Skip to content
      </a>
      <header class="brand row">
        <img src="icon.svg" alt="" width={28} height={28} />
        <div>
          <h1>Fake service</h1>
          <p class={model.isLive ? "live is-live" : "live"} role="status">
            {model.isLive ? "Live" : "Not connected"}
          </p>
        </div>
      </header>
      <Navigation model={model} />
      <Clock model={model} />
      <main id="main" tabIndex={-1} ref={main}>
        {PANELS.map((panel) => (
          <Place key={panel} panel={panel} model={model} />
        ))}
      </main>
    </div>
  );
};

const root = document.querySelector("#app");
if (root) {
  root.textContent = "";
  render(<App />, root);
}
