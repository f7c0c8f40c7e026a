import { useEffect, useState } from "preact/hooks";
import type { MessageView, RecordedRequest, StateView, Webhook } from "../../control/schemas.ts";
import { api } from "./control-calls.ts";
import type { Route } from "./route.ts";

/** Data of the fake service; messages, requests and webhooks are sorted oldest first. */
interface ServiceData {
  readonly state: StateView;
  readonly messages: readonly MessageView[];
  readonly requests: readonly RecordedRequest[];
  readonly webhooks: readonly Webhook[];
  readonly isLive: boolean;
}

export interface Model extends ServiceData {
  readonly route: Route;
}

export interface ModelProps {
  readonly model: Model;
}

const NO_DATA: ServiceData = {
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

/** Minimum time between two reads of the state, in milliseconds. */
const STATE_INTERVAL_MS = 150;
/** Interval in milliseconds at which the clock is read again while nothing happens. */
const CLOCK_INTERVAL_MS = 20_000;
/** Time in milliseconds after which a failed read is retried. */
const RETRY_MS = 1_000;
const MAX_REQUESTS = 500;

/** Adds an item, or replaces the item with the same id. */
const merge = <Item extends { readonly id: number }>(
  items: readonly Item[],
  item: Item,
): readonly Item[] => {
  const index = items.findLastIndex(({ id }) => id === item.id);
  return index < 0 ? [...items, item] : items.with(index, item);
};

type Change = (data: ServiceData) => Partial<ServiceData>;

/** Reads everything, then follows the server-sent events. Returns a function that stops. */
const followService = (update: (change: Change) => void): (() => void) => {
  /** Changes that arrive while everything is read. They are applied again afterwards, because the responses may be older. */
  let missed: Change[] | undefined;
  const apply = (change: Change): void => {
    missed?.push(change);
    update(change);
  };
  const fail = (): void => {
    update(() => ({ isLive: false }));
    if (events.readyState === EventSource.OPEN) setTimeout(readAll, RETRY_MS);
  };
  let isScheduled = false;
  const readState = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(() => {
      isScheduled = false;
      api.state().then((state) => apply(() => ({ state })), fail);
    }, STATE_INTERVAL_MS);
  };
  const readAll = (): void => {
    const changes: Change[] = [];
    missed = changes;
    const reads = [api.state(), api.messages(), api.requests(), api.webhooks()] as const;
    Promise.all(reads).then(([state, messages, requests, webhooks]) => {
      // A later read has started, perhaps after a reset.
      if (missed !== changes) return;
      missed = undefined;
      const latest = requests.slice(-MAX_REQUESTS);
      const isLive = events.readyState === EventSource.OPEN;
      update(() => ({ state, messages, requests: latest, webhooks, isLive }));
      changes.forEach(update);
    }, fail);
  };

  const events = new EventSource("events");
  const on = <Data>(type: string, listener: (data: Data) => void): void =>
    events.addEventListener(type, ({ data }: MessageEvent<string>) => listener(JSON.parse(data)));
  events.addEventListener("open", readAll);
  events.addEventListener("error", () => update(() => ({ isLive: false })));
  on<MessageView>("message", (message) =>
    apply(({ messages }) => ({ messages: merge(messages, message) })),
  );
  on<RecordedRequest>("request", (request) =>
    apply(({ requests }) => ({ requests: merge(requests, request).slice(-MAX_REQUESTS) })),
  );
  on<Webhook>("webhook", (webhook) =>
    apply(({ webhooks }) => ({ webhooks: merge(webhooks, webhook) })),
  );
  on("state", readState);
  on("reset", readAll);
  const timer = setInterval(() => {
    if (document.visibilityState === "visible") readState();
  }, CLOCK_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    events.close();
  };
};

export const useServiceData = (): ServiceData => {
  const [data, setData] = useState(NO_DATA);
  useEffect(
    () => followService((toChange) => setData((before) => ({ ...before, ...toChange(before) }))),
    [],
  );
  return data;
};
