import { OptInMachine } from "./opt-in/opt-in-machine.ts";
import { Outbox } from "./phones/outbox.ts";
import type { DeliveryEvent } from "./phones/phone-message.ts";
import type { Events } from "./state/events.ts";
import { FakeClock } from "./state/fake-clock.ts";
import { type AcceptedSend, FakeStore } from "./state/fake-store.ts";
import type { IdMode } from "./state/ids.ts";
import type { PostWebhook } from "./webhooks/webhook.ts";
import { type WebhookBody, Webhooks } from "./webhooks/webhooks.ts";

/** State of a fake service, which a reset replaces. */
export interface FakeWorld {
  readonly clock: FakeClock;
  readonly store: FakeStore;
  readonly machine: OptInMachine;
  readonly outbox: Outbox;
  readonly webhooks: Webhooks;
  /** Reports the result of a send. */
  readonly deliver: (send: AcceptedSend, event: DeliveryEvent) => void;
}

/** Options of a world. */
export interface WorldOptions {
  readonly now: () => Date;
  readonly ids: IdMode;
  readonly historyLimit: number;
  readonly webhooks: WebhookBody | undefined;
  readonly posters: PostWebhook[];
  readonly events: Events;
}

/** Builds an empty world. */
export const createWorld = (options: WorldOptions): FakeWorld => {
  const { now, ids, historyLimit, posters, events } = options;
  const clock = new FakeClock(now);
  const store = new FakeStore(ids, historyLimit);
  const outbox = new Outbox(clock, events, historyLimit);
  const machine = new OptInMachine(store, clock, outbox);
  const webhooks = new Webhooks(options.webhooks, posters, events, historyLimit);
  const deliver = webhooks.deliver.bind(webhooks);
  return { clock, store, machine, outbox, webhooks, deliver };
};
