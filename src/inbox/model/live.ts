import type { MessageView, RecordedRequest, Webhook } from "../../testing/control/schemas.ts";
import { api } from "./api.ts";
import type { Store } from "./model.ts";

/** Shortest time between two reads of the state, in milliseconds. */
const STATE_INTERVAL_MS = 150;
/** Interval in milliseconds at which the clock is read again while nothing happens. */
const CLOCK_INTERVAL_MS = 20_000;
/** Number of requests that the page keeps. */
const MAX_REQUESTS = 500;

/** Adds an item, or replaces the one with the same id. */
const merge = <Item extends { readonly id: number }>(
  items: readonly Item[],
  item: Item,
): readonly Item[] => {
  const index = items.findLastIndex(({ id }) => id === item.id);
  return index < 0 ? [...items, item] : items.with(index, item);
};

/** Reads everything, and then keeps the store up to date by server-sent events. */
export const followService = (store: Store): void => {
  let isScheduled = false;
  const readState = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(async () => {
      isScheduled = false;
      const state = await api.state().catch(() => undefined);
      if (state) store.set({ state });
    }, STATE_INTERVAL_MS);
  };
  const readAll = async (): Promise<void> => {
    const [state, messages, requests, webhooks] = await Promise.all([
      api.state(),
      api.messages(),
      api.requests(),
      api.webhooks(),
    ]);
    store.set({ state, messages, requests: requests.slice(-MAX_REQUESTS), webhooks, isLive: true });
  };

  const events = new EventSource("events");
  const on = <Data>(type: string, listener: (data: Data) => void): void =>
    events.addEventListener(type, ({ data }: MessageEvent<string>) => listener(JSON.parse(data)));
  events.addEventListener("open", () => {
    readAll().catch(() => store.set({ isLive: false }));
  });
  events.addEventListener("error", () => store.set({ isLive: false }));
  on<MessageView>("message", (message) =>
    store.set({ messages: merge(store.model.messages, message) }),
  );
  on<RecordedRequest>("request", (request) =>
    store.set({ requests: merge(store.model.requests, request).slice(-MAX_REQUESTS) }),
  );
  on<Webhook>("webhook", (webhook) =>
    store.set({ webhooks: merge(store.model.webhooks, webhook) }),
  );
  on("state", readState);
  on("reset", () => void readAll());
  setInterval(() => {
    if (document.visibilityState === "visible") readState();
  }, CLOCK_INTERVAL_MS);
};
