import * as z from "zod/mini";
import { followUpProblems, stepOrderProblems } from "../../rules/opt-in-steps.ts";
import { type List, listSchema } from "../../schemas/list.ts";
import { type OptInRequest, optInRequestSchema } from "../../schemas/opt-in.ts";
import type { OptInStep } from "../../schemas/opt-in-settings.ts";
import { listOf, rule } from "../../schemas/shared/fields.ts";
import { assertFields, assertResource, assertUsage } from "../assert-usage.ts";
import { assertTimestamps } from "./assert-timestamps.ts";
import { findAccountId } from "./find-resource.ts";
import { given, type NewList, type ResourceContext } from "./new-resources.ts";
import { type StoredList, toList } from "./stored-list.ts";

const CALL = "addList";

/** Schema of a list whose double opt-in can be completed. */
const completeListSchema = z.extend(listSchema, {
  opt_in_requests: listOf(optInRequestSchema.check(rule(followUpProblems))).check(
    rule(stepOrderProblems),
  ),
});

const isBooleanOrMissing = (value: unknown): boolean =>
  value === undefined || typeof value === "boolean";

/** Completes a step into the opt-in request that the service returns. */
export const toOptInRequest = (
  { store, clock }: ResourceContext,
  listId: number,
  step: OptInStep | OptInRequest,
  bypass?: boolean,
): OptInRequest =>
  ({
    no_response_message: null,
    opt_in_message: null,
    second_opt_in_message: null,
    follow_up_hour: null,
    ...given(step),
    bypass_opt_in_response: bypass ?? step.bypass_opt_in_response ?? false,
    id: store.ids.idOf(undefined),
    list_id: listId,
    created_at: clock.timestamp,
    updated_at: clock.timestamp,
  }) as OptInRequest;

/** @throws TypeError when the specification does not allow the combination. */
const assertOptIn = ({ opt_in_type, opt_in_requests }: StoredList["resource"]): void => {
  const isKnown = opt_in_type === "single" || opt_in_type === "double";
  assertUsage(CALL, isKnown, "opt_in_type must be single or double");
  const isEmpty = opt_in_requests.length === 0;
  const expected = "opt_in_requests must be empty for a list with single opt-in";
  assertUsage(CALL, opt_in_type === "double" || isEmpty, expected);
};

/** Adds a list, with generated values for missing fields. */
export const addList = (context: ResourceContext, fields: NewList = {}): List => {
  assertFields(CALL, fields);
  const { store } = context;
  const { opt_in_requests = [], bypass_opt_in_response, deleted, account_id, ...rest } = fields;
  const areSteps =
    Array.isArray(opt_in_requests) && opt_in_requests.every((step) => Object(step) === step);
  assertUsage(CALL, areSteps, "opt_in_requests must be an array of steps");
  assertUsage(CALL, isBooleanOrMissing(deleted), "deleted must be true or false");
  const isBoolean = isBooleanOrMissing(bypass_opt_in_response);
  assertUsage(CALL, isBoolean, "bypass_opt_in_response must be true or false");
  const accountId = findAccountId(CALL, store, account_id);
  for (const [index, step] of opt_in_requests.entries()) {
    const fields = step as Partial<OptInRequest>;
    assertTimestamps(CALL, fields, ["created_at", "updated_at"], `opt_in_requests.${index}.`);
  }
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
    ...given(rest),
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
    scheduledMessages: [],
  };
  const list = toList(stored);
  assertResource(CALL, completeListSchema, list);
  assertOptIn(resource);
  assertUsage(CALL, !store.lists.has(id), `id ${id} is taken`);
  store.lists.set(id, stored);
  return list;
};
