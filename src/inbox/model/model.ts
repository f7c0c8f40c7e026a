import type {
  MessageView,
  RecordedRequest,
  StateView,
  Webhook,
} from "../../testing/control/schemas.ts";

export const PANELS = ["conversations", "lists", "faults", "requests", "webhooks"] as const;

export type Panel = (typeof PANELS)[number];

/** The open part of the page; it is stored in the fragment of the URL. */
export interface Route {
  readonly panel: Panel;
  /** Phone whose conversation is open, in E.164. */
  readonly phone: string | undefined;
}

/** Reads a fragment such as `#/conversations/+12065550123`. */
export const parseRoute = (fragment: string): Route => {
  const [, panel = "", phone = ""] = fragment.split("/");
  return {
    panel: PANELS.find((known) => known === panel) ?? "conversations",
    phone: /^\+\d{5,15}$/.test(phone) ? phone : undefined,
  };
};

export const toFragment = (panel: Panel, phone?: string): string =>
  phone === undefined ? `#/${panel}` : `#/${panel}/${phone}`;

/** Data that the page shows; messages, requests and webhooks are sorted oldest first. */
export interface Model {
  readonly state: StateView;
  readonly messages: readonly MessageView[];
  readonly requests: readonly RecordedRequest[];
  readonly webhooks: readonly Webhook[];
  readonly route: Route;
  /** Phones that the page knows but the fake does not know yet. */
  readonly newPhones: readonly string[];
  readonly isLive: boolean;
}

/** A part of the page: an element, and the function that updates it from the model. */
export interface View {
  readonly element: HTMLElement;
  update(model: Model): void;
}

const NO_STATE: StateView = {
  account: { id: 0, email: "", username: "" },
  clock: { now: "", nextDueAt: null },
  lists: [],
  phones: [],
  reports: [],
  faults: [],
  endpoints: [],
};

/** Store of the model. It calls its listener once for all changes within one frame. */
export class Store {
  #model: Model;
  #listener: (model: Model) => void = () => {};
  #isScheduled = false;

  constructor(route: Route) {
    this.#model = {
      state: NO_STATE,
      messages: [],
      requests: [],
      webhooks: [],
      route,
      newPhones: [],
      isLive: false,
    };
  }

  get model(): Model {
    return this.#model;
  }

  onChange(listener: (model: Model) => void): void {
    this.#listener = listener;
  }

  set(change: Partial<Model>): void {
    this.#model = { ...this.#model, ...change };
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => {
      this.#isScheduled = false;
      this.#listener(this.#model);
    });
  }
}
