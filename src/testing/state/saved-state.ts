import * as z from "zod/mini";
import { accountSchema } from "../../schemas/account.ts";
import { listSchema } from "../../schemas/list.ts";
import { momtReportSchema } from "../../schemas/momt-report.ts";
import { scheduledMessageSchema } from "../../schemas/scheduled-message.ts";
import {
  boolean,
  integer,
  listOf,
  number,
  oneOf,
  optionalString,
  string,
} from "../../schemas/shared/fields.ts";
import { type Subscriber, subscriberSchema } from "../../schemas/subscriber.ts";
import { usageError } from "../assert-usage.ts";
import type { SavedConversation } from "../opt-in/conversations.ts";
import type { SavedMessages } from "../phones/outbox.ts";
import type { StoredReport } from "../resources/fake-report.ts";
import { scheduleSend } from "../resources/scheduled-sends.ts";
import type { FakeAccount, StoredList } from "../resources/stored-list.ts";
import type { FakeWorld } from "../world.ts";
import { CLOCK_END_MS, CLOCK_START_MS } from "./fake-clock.ts";
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

const count = integer.check(z.minimum(0, "must be 0 or more"));
const duration = number.check(z.minimum(0, "must be 0 or more"));
const epochMs = number.check(
  z.minimum(CLOCK_START_MS, "must be a time of the clock"),
  z.maximum(CLOCK_END_MS, "must be a time of the clock"),
);
const optional = <T extends z.ZodMiniType>(field: T) => z.optional(field);

const messageFields = { at: string, text: optionalString, list_id: optional(integer) };
const contentFields = { text: optionalString, file: optionalString };

/** Schema of a saved state: what is restored must not break the fake later. */
const savedStateSchema = z.object({
  version: z.literal(VERSION),
  savedMs: epochMs,
  aheadMs: duration,
  ids: z.object({ last: count, lastSend: count, chosen: listOf(integer) }),
  accounts: listOf(z.extend(accountSchema, { apiKey: string })).check(
    z.minLength(1, "must have an account"),
  ),
  lists: listOf(
    z.object({
      accountId: integer,
      resource: z.omit(listSchema, { counts: true }),
      bypassOptInResponse: boolean,
      deleted: boolean,
      subscribers: listOf(subscriberSchema),
      scheduledMessages: listOf(scheduledMessageSchema),
    }),
  ),
  reports: listOf(
    z.object({
      resource: momtReportSchema,
      startedMs: epochMs,
      durationMs: optional(duration),
      stopped: optional(z.object({ atMs: epochMs, fields: z.looseObject({}) })),
    }),
  ),
  sends: listOf(
    z.object({
      transactionId: string,
      at: string,
      phoneNumber: string,
      webhookUrl: string,
      ...contentFields,
      smsFailover: string,
    }),
  ),
  files: listOf(z.tuple([string, z.object({ contentType: string, size: optional(count) })])),
  messages: z.object({
    messages: listOf(
      z.discriminatedUnion("direction", [
        z.object({
          direction: z.literal("sent"),
          ...messageFields,
          to: string,
          channel: oneOf(["sms", "rcs"]),
          file: optionalString,
          cause: string,
          transactionId: optionalString,
          fallbackOf: optional(z.object(contentFields)),
        }),
        z.object({
          direction: z.literal("received"),
          ...messageFields,
          from: string,
          text: string,
        }),
      ]),
    ),
    withoutRcs: listOf(string),
    withoutSms: listOf(string),
  }),
  conversations: listOf(
    z.object({
      listId: integer,
      phone: string,
      stepIndex: count,
      keyword: optionalString,
      askedAtMs: epochMs,
      reminderAtMs: optional(epochMs),
      isReminded: boolean,
    }),
  ),
  latestListIds: listOf(z.tuple([string, integer])),
});

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
  const { data, error } = z.safeParse(savedStateSchema, saved);
  if (error) {
    const [issue] = error.issues;
    const problem = `state is damaged: ${issue?.path.join(".")} ${issue?.message}`;
    throw usageError("createFakeService", problem);
  }
  restore(world, data as FakeState);
};
