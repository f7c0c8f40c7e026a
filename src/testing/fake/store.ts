import * as z from "zod/mini";
import {
  type Account,
  accountSchema,
  type List,
  listSchema,
  momtReportSchema,
  type Subscriber,
  scheduledMessageSchema,
  subscriberSchema,
} from "../../core/schemas/index.ts";
import { assertUsage } from "./checks.ts";
import { clockMsSchema, type FakeClock } from "./fake-clock.ts";
import * as f from "./fake-fields.ts";
import { History } from "./history.ts";
import type { AcceptedSend } from "./messages.ts";

const accountFields = f.objectOf({
  /** API key, valid for both APIs. */
  apiKey: z
    .string(f.mustBe("a string that is not empty"))
    .check(f.that("must be a string that is not empty", (key) => key !== "")),
});

export const fakeAccountSchema = z.extend(accountSchema, accountFields.shape);

/** Account of the fake with its API key. */
export interface FakeAccount extends Account, Readonly<z.infer<typeof accountFields>> {}

const fakeListFields = f.objectOf({
  /** Id of the account that owns the list. */
  account_id: f.integer,
  /** Whether the list is deleted. */
  deleted: f.boolean,
  /** Whether the confirmation message of an opt-in is skipped. */
  bypass_opt_in_response: f.boolean,
});

export const fakeListSchema = z.extend(listSchema, fakeListFields.shape);

/** List with the fields that only the fake has. */
export interface FakeList extends List, f.DeepReadonly<z.infer<typeof fakeListFields>> {}

const conversationSchema = z.object({
  stepIndex: f.countSchema,
  keyword: z.optional(f.string),
  askedAtMs: clockMsSchema,
  /** Epoch milliseconds of the reminder; absent when none will be sent. */
  reminderAtMs: z.optional(clockMsSchema),
  isReminded: f.boolean,
});

export const savedListSchema = z.object({
  accountId: f.integer,
  /** List without its counts, which follow from the subscribers. */
  resource: z.omit(listSchema, { counts: true }),
  bypassOptInResponse: f.boolean,
  deleted: f.boolean,
  subscribers: f.listOf(subscriberSchema),
  conversations: f.listOf(z.tuple([f.string, conversationSchema])),
  scheduledMessages: f.listOf(scheduledMessageSchema),
});

/** Double opt-in of one phone on one list that is not complete. */
export interface OptInConversation extends f.DeepReadonly<z.infer<typeof conversationSchema>> {}

export interface StoredList
  extends Omit<z.infer<typeof savedListSchema>, "subscribers" | "conversations"> {
  /** Subscribers by phone number in E.164. */
  readonly subscribers: Map<string, Subscriber>;
  /** Double opt-ins under way, by phone number in E.164. */
  readonly conversations: Map<string, OptInConversation>;
}

export const statusOf = ({ cleaned_at, opted_out_at }: Subscriber) =>
  cleaned_at ? "cleaned" : opted_out_at ? "unsubscribed" : "subscribed";

export const toList = ({ resource, subscribers }: StoredList): List => {
  const counts = { subscribers: 0, unsubscribed: 0, cleaned: 0 };
  for (const subscriber of subscribers.values()) {
    const status = statusOf(subscriber);
    counts[status === "subscribed" ? "subscribers" : status] += 1;
  }
  return { ...resource, counts };
};

export const toFakeList = (stored: StoredList): FakeList => ({
  ...toList(stored),
  account_id: stored.accountId,
  deleted: stored.deleted,
  bypass_opt_in_response: stored.bypassOptInResponse,
});

export const storedReportSchema = z.object({
  /** Report as it was added. */
  resource: momtReportSchema,
  startedMs: clockMsSchema,
  /** Time in milliseconds until the report is complete; absent if the report stays as it was added. */
  durationMs: z.optional(f.notNegativeNumber),
  /** Time at which the report was canceled or failed, and the fields that show it. */
  stopped: z.optional(
    z.object({
      atMs: clockMsSchema,
      fields: z.pick(momtReportSchema, { cancelled: true, run_errors: true }),
    }),
  ),
});
export interface StoredReport extends z.infer<typeof storedReportSchema> {}

export const hostedFileSchema = f.objectOf({
  /** Value of the host's `content-type` header. */
  contentType: f.string,
  /** Size in bytes. Default: unknown. */
  size: z.optional(f.countSchema),
});

export const savedIdsSchema = z.object({
  last: f.countSchema,
  chosen: f.listOf(f.integer),
});
type SavedIds = f.DeepReadonly<z.infer<typeof savedIdsSchema>>;

/** Creates the generator of the ids of resources, counted from 1. */
const createIds = () => {
  const chosen = new Set<number>();
  let last = 0;
  return {
    /** Returns the id that the user of the fake chose, or a generated id that no other resource has. */
    idOf(given: number | undefined): number {
      if (given !== undefined) {
        chosen.add(given);
        return given;
      }
      do last += 1;
      while (chosen.has(last));
      return last;
    },
    save: (): SavedIds => ({ last, chosen: [...chosen] }),
    restore(saved: SavedIds): void {
      last = saved.last;
      for (const id of saved.chosen) chosen.add(id);
    },
  };
};

/** Returns the transaction id of a new send, a random UUID, because a table may contain the ids of several runs. */
export const createTransactionId = (): string => {
  // Not `crypto.randomUUID()`, which is missing on pages that are not served over HTTPS.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const variant = "89ab"[(bytes[8] ?? 0) % 4];
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, `$1-$2-4$3-${variant}$4-$5`);
};

export const createStore = (historyLimit: number) => ({
  ids: createIds(),
  accounts: [] as FakeAccount[],
  lists: new Map<number, StoredList>(),
  reports: new Map<number, StoredReport>(),
  sends: new History<AcceptedSend>(historyLimit),
  /** Hosted files by URL. */
  files: new Map<string, z.infer<typeof hostedFileSchema>>(),
});

export type FakeStore = Readonly<ReturnType<typeof createStore>>;

/** Store and clock of the world that resources are added to. */
export interface ResourceContext {
  readonly store: FakeStore;
  readonly clock: FakeClock;
}

export type Some<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** @throws TypeError when there is no such resource. */
const assertFound = <T>(call: string, name: string, resource: T | undefined): T => {
  assertUsage(call, resource !== undefined, `there is no ${name}`);
  return resource;
};

export const findList = (call: string, { lists }: FakeStore, listId: number): StoredList =>
  assertFound(call, `list ${String(listId)}`, lists.get(listId));

export const findReport = (call: string, { reports }: FakeStore, reportId: number): StoredReport =>
  assertFound(call, `report ${String(reportId)}`, reports.get(reportId));

/** @throws TypeError when the chosen account does not exist. Default: the first account. */
export const findAccountId = (
  call: string,
  { accounts }: FakeStore,
  chosen: number | undefined,
): number => {
  const account = accounts.find(({ id }) => chosen === undefined || id === chosen);
  const expected = `must be the id of an account; there is no account ${String(chosen)}`;
  assertUsage(call, account !== undefined, expected, "account_id");
  return account.id;
};
