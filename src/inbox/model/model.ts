import type {
  MessageView,
  RecordedRequest,
  StateView,
  Webhook,
} from "../../testing/control/schemas.ts";
import type { Route } from "./route.ts";

/** Data of the fake service; messages, requests and webhooks are sorted oldest first. */
export interface ServiceData {
  readonly state: StateView;
  readonly messages: readonly MessageView[];
  readonly requests: readonly RecordedRequest[];
  readonly webhooks: readonly Webhook[];
  /** Whether the page is connected to the service. */
  readonly isLive: boolean;
}

/** Everything that the page shows. */
export interface Model extends ServiceData {
  readonly route: Route;
}

/** Properties of a component that shows a part of the model. */
export interface ModelProps {
  readonly model: Model;
}

/** Data of a page that has not read anything yet. */
export const NO_DATA: ServiceData = {
  state: {
    account: { id: 0, email: "", username: "" },
    clock: { now: "", nextDueAt: null },
    lists: [],
    phones: [],
    reports: [],
    faults: [],
    endpoints: [],
  },
  messages: [],
  requests: [],
  webhooks: [],
  isLive: false,
};
