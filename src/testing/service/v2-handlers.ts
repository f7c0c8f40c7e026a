import * as z from "zod/mini";
import type { ValidationIssue } from "../../core/errors.ts";
import { withoutUndefined } from "../../core/options.ts";
import { dayToEpochMs } from "../../core/rules/dates.ts";
import { listCreateSchema, optInSettingsResultSchema } from "../../core/schemas/index.ts";
import { DEFAULT_PER_PAGE, type PageQuery } from "../../core/schemas/page.ts";
import { toValidationIssues } from "../../core/schemas/validation-issues.ts";
import { toBasic } from "../../core/wire/encodings.ts";
import type * as v2 from "../../core/wire/v2.ts";
import {
  configureOptIn,
  createList,
  getAccount,
  listLists,
  listScheduledMessages,
  removeSubscriber,
  retrieveList,
  retrieveMomtReport,
} from "../../core/wire/v2.ts";
import { type FakeResponse, jsonResponse } from "../fake/exchange.ts";
import { MS_PER_UNIT } from "../fake/fake-clock.ts";
import { addList, toOptInRequest } from "../fake/fake-lists.ts";
import { toReport } from "../fake/reports.ts";
import { type StoredList, statusOf, toList } from "../fake/store.ts";
import { type FakeApi, type HandledCall, type HandledEndpoint, handle } from "./handler.ts";

const documentedListSchema = z.object(listCreateSchema.shape);

const v2Error: FakeApi["error"] = (status, error, headers) =>
  jsonResponse(status, { status: "error", error }, headers);

const v2Invalid = (errors: readonly ValidationIssue[]): FakeResponse => {
  const sentences = errors.map(({ path, message }) => `${path.join(".")} ${message}`.trim());
  return { ...v2Error(422, sentences.join("; ")), errors };
};

const notFound = (what: string): FakeResponse => v2Error(404, `${what} not found`);

/** Returns the id of the path; `NaN` for other spellings of a number, such as `0x2`. */
const toId = ({ ID = "" }: HandledCall<unknown>["params"]): number =>
  String(Number(ID)) === ID ? Number(ID) : Number.NaN;

/** Returns the list of the path, if the account owns it. */
const findOwnList = ({ world, account, params }: HandledCall<unknown>): StoredList | undefined => {
  const list = world.store.lists.get(toId(params));
  return list?.accountId === account.id ? list : undefined;
};

const cutPage = <T>(all: readonly T[], { page = 1, per_page = DEFAULT_PER_PAGE }: PageQuery) => {
  const items = all.slice((page - 1) * per_page, page * per_page);
  const pages_count = Math.ceil(all.length / per_page);
  return { items, envelope: { status: "OK", per_page, count: all.length, page, pages_count } };
};

const v2Handlers = {
  configureOptIn: handle(configureOptIn, (call) => {
    const list = findOwnList(call);
    if (!list || list.deleted) return notFound("List");
    const { world, body } = call;
    const { opt_in_type, bypass_opt_in_response = false } = body;
    if (opt_in_type === "single") {
      const { first_optin_message, second_optin_message } = body;
      const given = withoutUndefined({ first_optin_message, second_optin_message });
      list.bypassOptInResponse = bypass_opt_in_response;
      list.resource = { ...list.resource, ...given, opt_in_type, opt_in_requests: [] };
      world.machine.conversations.applySettings(list);
      return jsonResponse(200, {
        opt_in_type,
        first_optin_message: list.resource.first_optin_message,
        second_optin_message: list.resource.second_optin_message,
      });
    }
    const steps = body.opt_in_requests ?? [];
    const opt_in_requests = steps.map((step) =>
      toOptInRequest(world, list.resource.id, step, body.bypass_opt_in_response),
    );
    const status = "Opt-in settings were successfully updated.";
    const result = { status, opt_in_type, opt_in_requests };
    const { error } = z.safeParse(optInSettingsResultSchema, result);
    if (error) return v2Invalid(toValidationIssues(error.issues));
    list.bypassOptInResponse = bypass_opt_in_response;
    list.resource = { ...list.resource, opt_in_type, opt_in_requests };
    world.machine.conversations.applySettings(list);
    return jsonResponse(200, result);
  }),
  createList: handle(createList, ({ world, account, body }) => {
    // Keys that are not documented for a new list are ignored.
    const settings = z.parse(documentedListSchema, body);
    const list = addList(world, { ...settings, account_id: account.id });
    return jsonResponse(201, { status: "List was successfully created.", list });
  }),
  getAccount: handle(getAccount, ({ account: { apiKey: _, ...account } }) =>
    jsonResponse(200, { status: "OK", account }),
  ),
  listLists: handle(listLists, ({ world, account, query }) => {
    const lists = [...world.store.lists.values()]
      .filter(({ accountId }) => accountId === account.id)
      .filter(({ deleted }) => !deleted || query.include_deleted !== false)
      .sort((a, b) => a.resource.id - b.resource.id);
    const { items, envelope } = cutPage(lists, query);
    return jsonResponse(200, { ...envelope, lists: items.map(toList) });
  }),
  listScheduledMessages: handle(listScheduledMessages, (call) => {
    const list = findOwnList(call);
    if (!list) return notFound("List");
    const { start_date, end_date } = call.query;
    const fromMs = typeof start_date === "string" ? dayToEpochMs(start_date) : -Infinity;
    const untilMs =
      typeof end_date === "string" ? dayToEpochMs(end_date) + MS_PER_UNIT.days : Infinity;
    const messages = list.scheduledMessages.filter(({ sent_at }) => {
      const sentMs = Date.parse(sent_at);
      return sentMs >= fromMs && sentMs < untilMs;
    });
    const { items, envelope } = cutPage(messages, call.query);
    return jsonResponse(200, { ...envelope, count: items.length, messages: items });
  }),
  removeSubscriber: handle(removeSubscriber, (call) => {
    const list = findOwnList(call);
    if (!list || list.deleted) return notFound("List");
    // The specification documents only the format of `phone_number`, as it was returned.
    const phone = call.params.SUBSCRIBER_ID ?? "";
    const before = list.subscribers.get(phone);
    if (!before || statusOf(before) !== "subscribed") return notFound("Subscriber");
    call.world.machine.apply(list, phone, "removed");
    const subscriber = list.subscribers.get(phone);
    return jsonResponse(200, { status: "Subscriber was successfully unsubscribed.", subscriber });
  }),
  retrieveList: handle(retrieveList, (call) => {
    const list = findOwnList(call);
    return list ? jsonResponse(200, { status: "OK", list: toList(list) }) : notFound("List");
  }),
  retrieveMomtReport: handle(retrieveMomtReport, ({ world, account, params }) => {
    const stored = world.store.reports.get(toId(params));
    if (stored?.resource.account_id !== account.id) return notFound("Report");
    const momt_report = toReport(stored, world.clock.nowMs);
    return jsonResponse(200, { status: "OK", momt_report });
  }),
} satisfies Record<keyof typeof v2, HandledEndpoint>;

/** Version 2. Its errors are the fake's own, because the specification does not show their format. */
export const v2Api: FakeApi = {
  name: "v2",
  handlers: Object.values(v2Handlers),
  admits: ({ headers }, { email, apiKey }) =>
    headers.authorization?.replace(/^basic /i, "Basic ") === toBasic(email, apiKey),
  error: v2Error,
  invalid: v2Invalid,
};
