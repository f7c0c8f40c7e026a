import * as z from "zod/mini";
import { isJsonObject } from "../../core/options.ts";
import { assertUsage, CREATE } from "./checks.ts";
import { clockMsSchema } from "./fake-clock.ts";
import * as f from "./fake-fields.ts";
import { acceptedSendSchema } from "./messages.ts";
import { savedMessagesSchema } from "./outbox.ts";
import { scheduleSend } from "./scheduled-sends.ts";
import {
  fakeAccountSchema,
  hostedFileSchema,
  type StoredList,
  savedIdsSchema,
  savedListSchema,
  storedReportSchema,
} from "./store.ts";
import type { FakeWorld } from "./world.ts";

/** Version of the format, raised when it changes. */
const VERSION = 1;

const savedHead = f.objectOf({
  /** Version of the format. */
  version: z.literal(VERSION),
  /** Time of the fake's clock in epoch milliseconds. */
  savedMs: clockMsSchema,
  /** Time in milliseconds by which the clock is ahead of its source. */
  aheadMs: f.notNegativeNumber,
});

/** Schema of a saved state. Every part is checked, because a damaged state must not break the fake later. */
const savedStateSchema = z.extend(savedHead, {
  ids: savedIdsSchema,
  accounts: f.listOf(fakeAccountSchema).check(z.minLength(1, "must have an account")),
  lists: f.listOf(savedListSchema),
  reports: f.listOf(storedReportSchema),
  sends: f.listOf(acceptedSendSchema),
  files: f.listOf(z.tuple([f.string, hostedFileSchema])),
  messages: savedMessagesSchema,
  latestListIds: f.listOf(z.tuple([f.string, f.integer])),
  /** Histories whose oldest records were dropped. */
  truncated: f.listOf(f.string),
});

const historiesOf = ({ store, outbox }: FakeWorld) =>
  Object.entries({ sends: store.sends, outbox: outbox.sent, messages: outbox.messages });

/**
 * State of a fake service as a plain JSON value. Its fields are not part of the API. The version of the package that saved
 * a state can restore it; a version with a different format refuses it.
 */
export interface FakeState extends Readonly<z.infer<typeof savedHead>> {
  /** @hidden */
  readonly [part: string]: unknown;
}

/** Returns whether a value was saved in the format of this version; its parts may still be damaged. */
export const isSavedState = (value: unknown): value is FakeState =>
  isJsonObject(value) && value.version === VERSION;

export const saveState = (world: FakeWorld): FakeState => {
  const { clock, store, outbox, machine } = world;
  return structuredClone({
    version: VERSION,
    savedMs: clock.nowMs,
    aheadMs: clock.aheadMs,
    ids: store.ids.save(),
    accounts: store.accounts,
    lists: [...store.lists.values()].map((list) => ({
      ...list,
      subscribers: [...list.subscribers.values()],
      conversations: [...list.conversations],
    })),
    reports: [...store.reports.values()],
    sends: store.sends.items,
    files: [...store.files],
    messages: outbox.save(),
    latestListIds: [...machine.latestListIds],
    truncated: historiesOf(world).flatMap(([name, { isTruncated }]) => (isTruncated ? name : [])),
  });
};

const restore = (world: FakeWorld, state: z.infer<typeof savedStateSchema>): void => {
  const { clock, store, outbox, machine } = world;
  clock.skip(state.aheadMs);
  store.ids.restore(state.ids);
  store.accounts.push(...state.accounts);
  for (const { subscribers, conversations, ...saved } of state.lists) {
    const byPhone = new Map(subscribers.map((known) => [known.phone_number, known]));
    const list: StoredList = { ...saved, subscribers: byPhone, conversations: new Map() };
    store.lists.set(list.resource.id, list);
    for (const [phone, conversation] of conversations) {
      machine.conversations.set(list, phone, conversation, state.savedMs);
    }
    for (const message of list.scheduledMessages) {
      scheduleSend(world, list, message, state.savedMs);
    }
  }
  for (const report of state.reports) store.reports.set(report.resource.id, report);
  for (const send of state.sends) store.sends.add(send);
  for (const [url, file] of state.files) store.files.set(url, file);
  outbox.restore(state.messages);
  for (const [name, history] of historiesOf(world)) {
    history.isTruncated ||= state.truncated.includes(name);
  }
  for (const [phone, listId] of state.latestListIds) machine.latestListIds.set(phone, listId);
};

/** @throws TypeError when the value is not a saved state of this version. */
export const restoreState = (world: FakeWorld, state: unknown): void => {
  const saved: unknown = structuredClone(state);
  const isSaved = isSavedState(saved);
  assertUsage(CREATE, isSaved, "state must be a value that save() of this version returned");
  const { data, error } = z.safeParse(savedStateSchema, saved);
  const [issue] = error?.issues ?? [];
  const problem = `state is damaged: ${issue?.path.join(".")} ${issue?.message}`;
  assertUsage(CREATE, data !== undefined, problem);
  restore(world, data);
};
