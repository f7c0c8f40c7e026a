import * as z from "zod/mini";
import { withoutUndefined } from "../../core/options.ts";
import { followUpProblems, stepOrderProblems } from "../../core/rules/opt-in-steps.ts";
import {
  type List,
  listSchema,
  type OptInRequest,
  optInRequestSchema,
  type Subscriber,
  subscriberSchema,
} from "../../core/schemas/index.ts";
import type { OptInStep } from "../../core/schemas/opt-in.ts";
import { assertFields, assertUsage, parseUsage, UsageError } from "./checks.ts";
import type { FakeClock } from "./fake-clock.ts";
import * as f from "./fake-fields.ts";
import {
  findAccountId,
  type ResourceContext,
  type Some,
  type StoredList,
  toList,
} from "./store.ts";

type NewSteps = readonly (OptInStep | OptInRequest)[];
const newSteps: z.ZodMiniType = f.listOf(z.looseObject({}, f.mustBe("an object")));

/** Fields that only a new list has, or that have a different form in a `List`. */
export const newListFields = f.objectOf({
  /** Steps of a double opt-in, new or as the service returned them. Default: none. */
  opt_in_requests: z.optional(newSteps as z.ZodMiniType<NewSteps, NewSteps>),
  /** Whether the confirmation message is skipped. Default: `false`. */
  bypass_opt_in_response: f.optionalBoolean,
  /** Whether the list is deleted. A deleted list is still listed unless `include_deleted` is `false`. Default: `false`. */
  deleted: f.optionalBoolean,
  /** Id of the account that owns the list. Default: the fake's first account. */
  account_id: z.optional(f.integer),
});

/** Fields of a new list. */
export interface NewList
  extends Some<Omit<List, "counts" | "opt_in_requests">>,
    Readonly<z.input<typeof newListFields>> {}

/**
 * Fields of a new subscriber. With `cleaned_at`, the subscriber is cleaned; with `opted_out_at`, unsubscribed; otherwise
 * subscribed.
 */
export interface NewSubscriber extends Some<Subscriber> {}

const ADD_LIST = "addList";
const ADD_SUBSCRIBER = "addSubscriber";

/** Schema of a list whose steps have no unknown fields, with the rules that make it possible to complete its double opt-in. */
const completeListSchema = z
  .extend(listSchema, {
    opt_in_type: f.oneOf(["single", "double"]),
    opt_in_requests: f
      .listOf(z.catchall(optInRequestSchema, z.never()).check(f.rule(followUpProblems)))
      .check(f.rule(stepOrderProblems)),
  })
  .check(
    z.refine(
      ({ opt_in_type, opt_in_requests: steps }) => opt_in_type === "double" || !steps.length,
      {
        path: ["opt_in_requests"],
        error: "must be empty for a list with single opt-in",
      },
    ),
  );

/** Subscriber whose phone number may have any common format. */
export const newSubscriberSchema = z.extend(subscriberSchema, { phone_number: f.phoneSchema });

/** Converts a step to the opt-in request that the service returns for it. */
export const toOptInRequest = (
  { store, clock }: ResourceContext,
  listId: number,
  { bypass_opt_in_response = false, ...step }: Some<OptInRequest>,
  bypass?: boolean,
): OptInRequest =>
  ({
    no_response_message: null,
    opt_in_message: null,
    second_opt_in_message: null,
    follow_up_hour: null,
    ...withoutUndefined(step),
    bypass_opt_in_response: bypass ?? bypass_opt_in_response,
    id: store.ids.idOf(undefined),
    list_id: listId,
    created_at: clock.timestamp,
    updated_at: clock.timestamp,
  }) as OptInRequest;

export const addList = (context: ResourceContext, fields: NewList = {}): List => {
  assertFields(ADD_LIST, fields);
  const { store } = context;
  const { opt_in_requests = [], bypass_opt_in_response, deleted, account_id, ...rest } = fields;
  parseUsage(ADD_LIST, newListFields, fields);
  const accountId = findAccountId(ADD_LIST, store, account_id);
  const id = store.ids.idOf(rest.id);
  const resource: StoredList["resource"] = {
    id,
    name: `List ${id}`,
    email_digest: null,
    email_subscribe: null,
    email_unsubscribe: null,
    first_optin_message: null,
    second_optin_message: null,
    message_help: null,
    message_stop: null,
    message_reply: null,
    message_already_subscribed: null,
    message_yes: null,
    keyword_names: [],
    opt_in_type: opt_in_requests.length > 0 ? "double" : "single",
    ...withoutUndefined(rest),
    opt_in_requests: opt_in_requests.map((step) =>
      toOptInRequest(context, id, step, bypass_opt_in_response),
    ),
  };
  const stored: StoredList = {
    accountId,
    resource,
    bypassOptInResponse: bypass_opt_in_response ?? false,
    deleted: deleted ?? false,
    subscribers: new Map(),
    conversations: new Map(),
    scheduledMessages: [],
  };
  const list = toList(stored);
  parseUsage(ADD_LIST, completeListSchema, list);
  assertUsage(ADD_LIST, !store.lists.has(id), `${id} is taken`, "id");
  store.lists.set(id, stored);
  return list;
};

const AREA_CODES = [206, 212, 305, 312, 415, 416, 514, 604, 617, 702];
const PHONES_PER_AREA = 9900;

/** Returns the generated phone number at an index: +12065550100, +12065550101, … */
export const phoneNumberAt = (index: number): string => {
  const areaCode = AREA_CODES[Math.floor(index / PHONES_PER_AREA) % AREA_CODES.length];
  return `+1${areaCode}555${String(100 + (index % PHONES_PER_AREA)).padStart(4, "0")}`;
};

/** @throws TypeError when all generated numbers are taken. */
export const generatePhoneNumber = (taken: ReadonlyMap<string, unknown>): string => {
  const first = taken.size;
  for (let index = first; index < first + AREA_CODES.length * PHONES_PER_AREA; index += 1) {
    const phoneNumber = phoneNumberAt(index);
    if (!taken.has(phoneNumber)) return phoneNumber;
  }
  const message = "must be given, because all generated numbers are taken";
  throw new UsageError(ADD_SUBSCRIBER, [{ path: ["phone_number"], message }]);
};

export const addSubscriber = (
  list: StoredList,
  clock: FakeClock,
  fields: NewSubscriber = {},
): Subscriber => {
  assertFields(ADD_SUBSCRIBER, fields);
  const { phone_number = generatePhoneNumber(list.subscribers), ...rest } = fields;
  const subscriber: Subscriber = {
    phone_number,
    cleaned_at: null,
    subscribed_at: clock.timestamp,
    opted_out_at: null,
    opt_in_method: "Keyword",
    keyword_name: list.resource.keyword_names[0] ?? null,
    carrier: 1,
    carrier_name: "Example Wireless",
    global_carrier_id: "1",
    global_carrier_name: "Example Wireless",
    total_messages_received: 0,
    ...withoutUndefined(rest),
  };
  const parsed = parseUsage(ADD_SUBSCRIBER, newSubscriberSchema, subscriber);
  subscriber.phone_number = parsed.phone_number;
  list.subscribers.set(subscriber.phone_number, subscriber);
  return subscriber;
};
