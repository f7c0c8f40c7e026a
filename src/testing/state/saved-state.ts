import type { Subscriber } from "../../schemas/subscriber.ts";
import { usageError } from "../assert-usage.ts";
import type { SavedConversation } from "../opt-in/conversations.ts";
import type { SavedMessages } from "../phones/outbox.ts";
import type { StoredReport } from "../resources/fake-report.ts";
import { scheduleSend } from "../resources/scheduled-sends.ts";
import type { FakeAccount, StoredList } from "../resources/stored-list.ts";
import type { FakeWorld } from "../world.ts";
import type { AcceptedSend, HostedFile } from "./fake-store.ts";
import type { SavedIds } from "./ids.ts";

/** Version of the format, raised when it changes. */
const VERSION = 1;

/** Returns whether a value was saved in the format of this version; its parts may still be damaged. */
export const isSavedState = (value: unknown): value is FakeState =>
  typeof value === "object" && value !== null && "version" in value && value.version === VERSION;

/**
 * State of a fake service as a plain JSON value. Its fields are not part of the API: the version of the package
 * that saved a state can restore it, and a version with another format refuses it.
 */
export interface FakeState {
  /** Version of the format. */
  readonly version: typeof VERSION;
  /** Time of the fake's clock in epoch milliseconds. */
  readonly savedMs: number;
  /** Time in milliseconds by which the clock is ahead of its source. */
  readonly aheadMs: number;
  /** @hidden */
  readonly ids: SavedIds;
  /** @hidden */
  readonly accounts: readonly FakeAccount[];
  /** @hidden */
  readonly lists: readonly (Omit<StoredList, "subscribers"> & {
    readonly subscribers: readonly Subscriber[];
  })[];
  /** @hidden */
  readonly reports: readonly StoredReport[];
  /** @hidden */
  readonly sends: readonly AcceptedSend[];
  /** @hidden */
  readonly files: readonly (readonly [string, HostedFile])[];
  /** @hidden */
  readonly messages: SavedMessages;
  /** @hidden */
  readonly conversations: readonly SavedConversation[];
  /** @hidden */
  readonly latestListIds: readonly (readonly [string, number])[];
}

/** Saves the state of a world. */
export const saveState = ({ clock, store, outbox, machine }: FakeWorld): FakeState =>
  structuredClone({
    version: VERSION,
    savedMs: clock.nowMs,
    aheadMs: clock.aheadMs,
    ids: store.ids.save(),
    accounts: store.accounts,
    lists: [...store.lists.values()].map((list) => ({
      ...list,
      subscribers: [...list.subscribers.values()],
    })),
    reports: [...store.reports.values()],
    sends: store.sends,
    files: [...store.files],
    messages: outbox.save(),
    conversations: machine.conversations.save(),
    latestListIds: [...machine.latestListIds],
  });

const restore = (world: FakeWorld, state: FakeState): void => {
  const { clock, store, outbox, machine } = world;
  clock.skip(state.aheadMs);
  store.ids.restore(state.ids);
  store.accounts.push(...state.accounts);
  for (const { subscribers, ...list } of state.lists) {
    const byPhone = new Map(subscribers.map((known) => [known.phone_number, known]));
    store.lists.set(list.resource.id, { ...list, subscribers: byPhone });
  }
  for (const report of state.reports) store.reports.set(report.resource.id, report);
  for (const send of state.sends) store.addSend(send);
  for (const [url, file] of state.files) store.files.set(url, file);
  outbox.restore(state.messages);
  for (const conversation of state.conversations) {
    const list = store.lists.get(conversation.listId);
    if (list) machine.conversations.restore(list, conversation, state.savedMs);
  }
  for (const [phone, listId] of state.latestListIds) machine.latestListIds.set(phone, listId);
  for (const list of store.lists.values()) {
    for (const { id } of list.scheduledMessages) scheduleSend(world, list, id, state.savedMs);
  }
};

/**
 * Restores a saved state into an empty world.
 *
 * @throws TypeError when the value is not a saved state of this version.
 */
export const restoreState = (world: FakeWorld, state: unknown): void => {
  const saved: unknown = structuredClone(state);
  if (!isSavedState(saved)) {
    throw usageError(
      "createFakeService",
      "state must be a value that save() of this version returned",
    );
  }
  try {
    restore(world, saved);
  } catch (cause) {
    const problem = "state is damaged: save() returned something else";
    throw Object.assign(usageError("createFakeService", problem), { cause });
  }
};
