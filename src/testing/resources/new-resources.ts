import type { Account } from "../../schemas/account.ts";
import type { List } from "../../schemas/list.ts";
import type { MomtReport } from "../../schemas/momt-report.ts";
import type { OptInRequest } from "../../schemas/opt-in.ts";
import type { OptInStep } from "../../schemas/opt-in-settings.ts";
import type { ScheduledMessage } from "../../schemas/scheduled-message.ts";
import type { Subscriber } from "../../schemas/subscriber.ts";
import type { FakeClock } from "../state/fake-clock.ts";
import type { FakeStore } from "../state/fake-store.ts";

/** World that new resources are added to. */
export interface ResourceContext {
  readonly store: FakeStore;
  readonly clock: FakeClock;
}

/** Type with every field optional. */
type Some<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Fields of a new account. */
export interface NewAccount extends Some<Account> {
  /** API key, valid for both APIs. Default: a generated one. */
  readonly apiKey?: string | undefined;
}

/** Fields of a new list. */
export interface NewList extends Some<Omit<List, "counts" | "opt_in_requests">> {
  /** Steps of a double opt-in, new ones or as the service returned them. Default: none. */
  readonly opt_in_requests?: readonly (OptInStep | OptInRequest)[] | undefined;
  /** Whether the confirmation message is left out. Default: `false`. */
  readonly bypass_opt_in_response?: boolean | undefined;
  /** Whether the list is deleted: it is then listed unless `include_deleted` is `false`. Default: `false`. */
  readonly deleted?: boolean | undefined;
  /** Id of the account that owns the list. Default: the fake's first account. */
  readonly account_id?: number | undefined;
}

/**
 * Fields of a new subscriber, which is unsubscribed with `opted_out_at`, cleaned with `cleaned_at`, and otherwise
 * subscribed.
 */
export interface NewSubscriber extends Some<Subscriber> {}

/** Fields of a new scheduled message. */
export interface NewScheduledMessage extends Some<ScheduledMessage> {}

/** Fields of a new report. */
export interface NewReport extends Some<MomtReport> {
  /**
   * Minutes of the fake's clock until the report is complete, 0 to 1 000 000 000; `null` leaves the report as given.
   * Default: 10, or `null` if a field of its progress is given, such as `percent_complete`.
   */
  readonly minutes?: number | null | undefined;
}

/** Returns the fields that are not `undefined`. */
export const given = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
