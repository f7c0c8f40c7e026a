import * as z from "zod/mini";
import { withoutUndefined } from "../../core/options.ts";
import { assertFields, assertUsage, parseUsage } from "./checks.ts";
import { FakeClock } from "./fake-clock.ts";
import type { Events } from "./fake-events.ts";
import * as f from "./fake-fields.ts";
import { createOptInMachine, optInStateOf } from "./opt-in-machine.ts";
import { optInStates } from "./opt-in-transitions.ts";
import { createOutbox, type Outbox, phoneOf } from "./outbox.ts";
import {
  createStore,
  type FakeAccount,
  type FakeStore,
  fakeAccountSchema,
  findList,
  type ResourceContext,
  type Some,
  type StoredList,
} from "./store.ts";
import { createWebhooks, type PostWebhook, type WebhookBody } from "./webhooks.ts";

export const phoneOptInSchema = f.objectOf({
  /** Id of the list. */
  list_id: f.integer,
  /** State of the opt-in; `asked` means that a step of a double opt-in waits for its reply. */
  state: f.oneOf(optInStates),
  /** Index of the step that waits for a reply, starting at 0; present while `state` is `asked`. */
  step: z.exactOptional(f.integer),
  /** Time at which that step was asked, ISO 8601; present while `state` is `asked`. */
  askedAt: z.exactOptional(f.string),
  /** Time at which the step's reminder will be sent, ISO 8601; absent when no reminder will be sent. */
  reminderAt: z.exactOptional(f.string),
});

export const fakePhoneSchema = f.objectOf({
  /** Phone number in E.164. */
  phoneNumber: f.string,
  /** Whether RCS reaches the phone. */
  rcsReachable: f.boolean,
  /** Whether SMS reaches the phone. */
  smsReachable: f.boolean,
  /** Time of the latest message to or from the phone, ISO 8601; `null` when there was none. */
  latestMessageAt: f.stringOrNull,
  /** Lists that the phone subscribed to or is being asked about. */
  optIns: f.listOf(phoneOptInSchema),
});

/** Phone that the fake service knows from a message, a list or a setting. */
export interface FakePhone extends f.DeepReadonly<z.infer<typeof fakePhoneSchema>> {}

/** State of a fake service, which a reset replaces. */
export interface FakeWorld {
  readonly clock: FakeClock;
  readonly store: FakeStore;
  readonly machine: ReturnType<typeof createOptInMachine>;
  readonly outbox: Outbox;
  readonly webhooks: ReturnType<typeof createWebhooks>;
}

export interface WorldOptions {
  readonly now: () => Date;
  readonly historyLimit: number;
  readonly webhooks: WebhookBody | undefined;
  readonly posters: ReadonlySet<PostWebhook>;
  readonly events: Events;
}

export const createWorld = (options: WorldOptions): FakeWorld => {
  const { now, historyLimit, posters, events } = options;
  const clock = new FakeClock(now);
  const store = createStore(historyLimit);
  const outbox = createOutbox(clock, events, historyLimit);
  const machine = createOptInMachine(store, clock, outbox);
  const webhooks = createWebhooks(options.webhooks, posters, events, historyLimit);
  return { clock, store, machine, outbox, webhooks };
};

/**
 * Fields of a new account. Default: generated ones.
 *
 * @category Test data
 */
export interface NewAccount extends Some<FakeAccount> {}

export const addAccount = ({ store }: ResourceContext, account: NewAccount = {}): FakeAccount => {
  assertFields("addAccount", account);
  const id = store.ids.idOf(account.id);
  const stored = {
    id,
    email: `owner${id}@example.com`,
    username: `owner${id}`,
    apiKey: `fake-api-key-${id}`,
    ...withoutUndefined(account),
  };
  parseUsage("addAccount", fakeAccountSchema, stored);
  const { accounts } = store;
  const isNew = !accounts.some((known) => known.id === id);
  assertUsage("addAccount", isNew, `${id} is taken`, "id");
  const isNewKey = !accounts.some((known) => known.apiKey === stored.apiKey);
  assertUsage("addAccount", isNewKey, "belongs to another account", "apiKey");
  accounts.push(stored);
  return stored;
};

export const changeFirstAccount = (context: ResourceContext, account: NewAccount = {}): void => {
  const { accounts } = context.store;
  const [first, ...others] = accounts.splice(0);
  addAccount(context, { ...first, ...withoutUndefined(account) });
  accounts.push(...others);
};

/** Marks a list as deleted. Nothing is due for it any more. */
export const deleteList = (
  { store, clock, machine }: FakeWorld,
  listId: number,
  call = "deleteList",
): void => {
  const list = findList(call, store, listId);
  list.deleted = true;
  machine.forget(list);
  clock.cancelAlarmsOf(list);
};

/** Removes a list with everything that belongs to it, except messages that were sent. */
export const removeList = (world: FakeWorld, listId: number): void => {
  deleteList(world, listId, "removeList");
  world.store.lists.delete(listId);
};

const toOptIn = (list: StoredList, phone: string): FakePhone["optIns"][number] => {
  const conversation = list.conversations.get(phone);
  const reminderAtMs = conversation?.reminderAtMs;
  return {
    list_id: list.resource.id,
    state: optInStateOf(list, phone),
    ...(conversation && {
      step: conversation.stepIndex,
      askedAt: new Date(conversation.askedAtMs).toISOString(),
    }),
    ...(reminderAtMs !== undefined && { reminderAt: new Date(reminderAtMs).toISOString() }),
  };
};

export const phonesOf = ({ store, outbox }: FakeWorld): FakePhone[] => {
  const lists = [...store.lists.values()].map((list) => ({
    list,
    phones: new Set([...list.subscribers.keys(), ...list.conversations.keys()]),
  }));
  const latest = new Map<string, string | null>();
  const note = (phone: string, at: string | null): void => {
    if (!latest.has(phone)) latest.set(phone, at);
  };
  for (const message of outbox.messages.items.toReversed()) note(phoneOf(message), message.at);
  for (const phone of [...outbox.withoutRcs, ...outbox.withoutSms]) note(phone, null);
  for (const { phones } of lists) for (const phone of phones) note(phone, null);
  return [...latest].map(([phoneNumber, latestMessageAt]) => ({
    phoneNumber,
    rcsReachable: !outbox.withoutRcs.has(phoneNumber),
    smsReachable: !outbox.withoutSms.has(phoneNumber),
    latestMessageAt,
    optIns: lists
      .filter(({ phones }) => phones.has(phoneNumber))
      .map(({ list }) => toOptIn(list, phoneNumber)),
  }));
};
