import type * as z from "zod/mini";
import {
  listSchema,
  momtReportSchema,
  scheduledMessageSchema,
  subscriberSchema,
} from "../../core/schemas/index.ts";
import { assertUsage, parseUsage } from "../fake/checks.ts";
import * as f from "../fake/fake-fields.ts";
import { receivedTextSchema, sentMessageSchema, webhookSchema } from "../fake/messages.ts";
import { recordedRequestSchema } from "../fake/recorded-requests.ts";
import { newReportFields } from "../fake/reports.ts";
import { fakePhoneSchema } from "../fake/world.ts";
import { type FakeHistory, type FakeService, resetSchema } from "../fake-service.ts";
import { armedFailureSchema, type NextFailure } from "../service/armed-failures.ts";
import { endpoints } from "../service/request-filter.ts";
import { toMatch, waitForMatch } from "../wait-for-message.ts";
import { toMessageView } from "./event-stream.ts";
import * as schemas from "./schemas.ts";

/** Name of a control call in error messages. The response lists the problems without it. */
export const CONTROL = "control";

export interface ControlContext {
  readonly service: FakeService;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
}

export interface ControlInput<Query, Body> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
}

/** One call of the control API as data. The server, the docs and the tests all use it. */
export interface ControlRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path template under `/__fake/`; `{NAME}` stands for a path parameter. */
  readonly path: string;
  readonly operationId: string;
  /** Summary of the call: a sentence that starts with a verb, without its period. */
  readonly summary: string;
  readonly query?: z.ZodMiniType | undefined;
  readonly body?: z.ZodMiniType | undefined;
  /** History that the call returns. The `truncated` header of the response shows whether older records were dropped. */
  readonly history?: FakeHistory | undefined;
  readonly status: 200 | 201 | 204;
  /** Body of a success; absent for 204. */
  readonly response?: z.ZodMiniType;
  /** Returns the body of a success, or a promise of it. */
  readonly run: (context: ControlContext, input: ControlInput<never, never>) => unknown;
}

type OutputOf<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;

/** Declares a call by its id, its method and its path; the types of its input follow from its schemas. */
const route = <
  Query extends z.ZodMiniType | undefined = undefined,
  Body extends z.ZodMiniType | undefined = undefined,
>(
  operationId: string,
  call: `${ControlRoute["method"]} ${string}`,
  {
    status,
    ...definition
  }: Pick<ControlRoute, "summary" | "history" | "response"> & {
    /** Default: 200 with a body, 204 without one. */
    readonly status?: 201;
    readonly query?: Query;
    readonly body?: Body;
    readonly run: (
      context: ControlContext,
      input: ControlInput<OutputOf<Query>, OutputOf<Body>>,
    ) => unknown;
  },
): ControlRoute => {
  const [method, path] = call.split(" ") as [ControlRoute["method"], string];
  const defaultStatus = definition.response ? 200 : 204;
  return { ...definition, operationId, method, path, status: status ?? defaultStatus };
};

const clockOf = ({ service }: ControlContext) => ({
  now: service.now.toISOString(),
  nextDueAt: service.nextDueAt?.toISOString() ?? null,
});

const toState = (context: ControlContext): schemas.StateView => {
  const clock = clockOf(context);
  const { account, lists, phones, reports, failures: faults } = context.service;
  const { id, email, username } = account;
  return { account: { id, email, username }, clock, lists, phones, reports, faults, endpoints };
};

/** @throws UsageError about the field or parameter at `path` when no resource has the id. */
export const toIdOf = (
  resources: readonly { readonly id: number }[],
  name: string,
  id: unknown,
  path = "ID",
): number => {
  const known = resources.find((resource) => String(resource.id) === String(id));
  assertUsage(CONTROL, known !== undefined, `must be the id of ${name}`, path);
  return known.id;
};

/** Every call of the control API except the stream of events. */
export const controlRoutes: readonly ControlRoute[] = [
  route("readState", "GET state", {
    summary:
      "Returns the account, the lists, the phones, the reports, the clock and the armed faults",
    response: schemas.stateViewSchema,
    run: toState,
  }),
  route("readOutbox", "GET outbox", {
    summary: "Returns the messages that were sent to phones, like `service.outbox`",
    query: schemas.outboxQuerySchema,
    history: "outbox",
    response: f.listOf(sentMessageSchema),
    run: ({ service }, { query }) => service.outbox.filter(toMatch(query)),
  }),
  route("readMessages", "GET messages", {
    summary:
      "Returns the messages to and from phones; with `to` or `text`, the messages to phones that match; with `wait`, as soon as there is one",
    query: schemas.messagesQuerySchema,
    history: "messages",
    response: f.listOf(schemas.messageViewSchema),
    run: async ({ service, signal }, { query: { to, text, wait } }) => {
      if (to === undefined && text === undefined) return service.messages.map(toMessageView);
      const matches = toMatch({ to, text });
      if (wait !== undefined)
        await waitForMatch(service, matches, { timeout: Number(wait), signal });
      return service.messages
        .filter((message) => message.direction === "sent" && matches(message))
        .map(toMessageView);
    },
  }),
  route("readRequests", "GET requests", {
    summary: "Returns the requests of the application, like `service.requests`",
    history: "requests",
    response: f.listOf(recordedRequestSchema),
    run: ({ service }) => service.requests,
  }),
  route("readWebhooks", "GET webhooks", {
    summary:
      "Returns the webhooks of sends and the responses of the application, like `service.webhooks`",
    history: "webhooks",
    response: f.listOf(webhookSchema),
    run: ({ service }) => service.webhooks,
  }),
  route("sendText", "POST texts", {
    summary:
      "Sends a text from a phone, like `receiveText`, and returns the messages that go back to it",
    body: schemas.body(receivedTextSchema.shape),
    response: f.listOf(sentMessageSchema),
    run: ({ service }, { body }) => service.receiveText(body),
  }),
  route("advanceClock", "POST clock", {
    summary: "Moves the clock and sends due reminders and scheduled messages, like `advance`",
    body: schemas.clockInputSchema,
    response: schemas.clockViewSchema,
    run: (context, { body: { until, ...duration } }) => {
      const { service } = context;
      if (until === undefined) service.advance(duration);
      else {
        const { nextDueAt, now } = service;
        const message = "cannot be next_due, because no reminder or scheduled message is due";
        assertUsage(CONTROL, nextDueAt !== undefined, message, "until");
        service.advance({ milliseconds: Math.max(0, nextDueAt.getTime() - now.getTime()) });
      }
      return clockOf(context);
    },
  }),
  route("armFault", "POST faults", {
    summary: "Makes the next requests fail, like `failNext`",
    body: schemas.faultInputSchema,
    status: 201,
    response: armedFailureSchema,
    // The method checks the combination of fields.
    run: ({ service }, { body }) => service.failNext(body as unknown as NextFailure),
  }),
  route("disarmFaults", "DELETE faults", {
    summary: "Disarms every fault, like `clearFailures`",
    run: ({ service }) => service.clearFailures(),
  }),
  route("disarmFault", "DELETE faults/{ID}", {
    summary: "Disarms one fault",
    run: ({ service }, { params }) => {
      service.clearFailures(toIdOf(service.failures, "an armed fault", params.ID));
    },
  }),
  route("addList", "POST lists", {
    summary: "Adds a list, like `addList`",
    body: schemas.listInputSchema,
    status: 201,
    response: listSchema,
    run: ({ service }, { body }) => service.addList(body),
  }),
  route("removeList", "DELETE lists/{ID}", {
    summary:
      "Removes a list with its keywords, subscribers and scheduled messages, like `removeList`",
    run: ({ service }, { params }) =>
      service.removeList(toIdOf(service.lists, "a list", params.ID)),
  }),
  route("addSubscriber", "POST subscribers", {
    summary: "Adds a subscriber to a list, like `addSubscriber`",
    body: schemas.subscriberInputSchema,
    status: 201,
    response: subscriberSchema,
    run: ({ service }, { body: { list_id, ...fields } }) => service.addSubscriber(list_id, fields),
  }),
  route("addScheduledMessage", "POST scheduled_messages", {
    summary: "Adds a scheduled message to a list, like `addScheduledMessage`",
    body: schemas.scheduledMessageInputSchema,
    status: 201,
    response: scheduledMessageSchema,
    run: ({ service }, { body: { list_id, ...fields } }) =>
      service.addScheduledMessage(list_id, fields),
  }),
  route("addReport", "POST reports", {
    summary: "Adds a report, like `addReport`",
    body: schemas.body({ ...schemas.some(momtReportSchema), ...newReportFields.shape }),
    status: 201,
    response: momtReportSchema,
    run: ({ service }, { body }) => service.addReport(body),
  }),
  route("setPhone", "PUT phones/{PHONE}", {
    summary: "Sets whether RCS and SMS reach a phone, like `setRcsReachable` and `setSmsReachable`",
    body: schemas.phoneInputSchema,
    response: fakePhoneSchema,
    run: ({ service }, { params, body: { rcsReachable, smsReachable } }) => {
      const phone = parseUsage(CONTROL, f.phoneSchema, params.PHONE, "PHONE");
      if (rcsReachable !== undefined) service.setRcsReachable(phone, rcsReachable);
      if (smsReachable !== undefined) service.setSmsReachable(phone, smsReachable);
      const known = service.phones.find(({ phoneNumber }) => phoneNumber === phone);
      const reachable = { rcsReachable: true, smsReachable: true };
      return known ?? { phoneNumber: phone, ...reachable, latestMessageAt: null, optIns: [] };
    },
  }),
  route("removeConversation", "DELETE conversations/{PHONE}", {
    summary: "Removes the messages to and from a phone, like `removeConversation`",
    run: ({ service }, { params }) =>
      service.removeConversation(parseUsage(CONTROL, f.phoneSchema, params.PHONE, "PHONE")),
  }),
  route("reset", "POST reset", {
    summary: "Returns the fake to its initial state, or to an empty one, like `reset`",
    body: schemas.body(resetSchema.shape),
    run: ({ service }, { body }) => service.reset(body),
  }),
];
