import {
  listSchema,
  momtReportSchema,
  scheduledMessageSchema,
  subscriberSchema,
} from "../../schemas/index.ts";
import { assertUsage, parseUsage } from "../fake/checks.ts";
import { listOf, phoneSchema } from "../fake/fields.ts";
import { sentMessageSchema } from "../fake/messages.ts";
import { webhookSchema } from "../fake/sends.ts";
import { fakePhoneSchema } from "../fake/world.ts";
import { armedFailureSchema, type NextFailure } from "../handlers/faults.ts";
import { recordedRequestSchema } from "../handlers/recorded-requests.ts";
import { endpoints } from "../handlers/request-filter.ts";
import { toMatch, waitForMatch } from "../wait-for-message.ts";
import { toMessageView } from "./events.ts";
import { CONTROL, type ControlContext, type ControlRoute, route } from "./route.ts";
import * as schemas from "./schemas.ts";

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

/** Reads the id of a resource from a path. */
const toIdOf = (
  resources: readonly { readonly id: number }[],
  name: string,
  id: string | undefined,
): number => {
  const known = resources.find((resource) => String(resource.id) === id);
  assertUsage(CONTROL, known !== undefined, `must be the id of ${name}`, "ID");
  return known.id;
};

/** Every call of the control API except the stream of events. */
export const controlRoutes: readonly ControlRoute[] = [
  route({
    method: "GET",
    path: "state",
    operationId: "readState",
    summary:
      "Returns the account, the lists, the phones, the reports, the clock and the armed faults",
    status: 200,
    response: schemas.stateViewSchema,
    run: toState,
  }),
  route({
    method: "GET",
    path: "outbox",
    operationId: "readOutbox",
    summary: "Returns the messages that were sent to phones, like `service.outbox`",
    query: schemas.outboxQuerySchema,
    history: "outbox",
    status: 200,
    response: listOf(sentMessageSchema),
    run: ({ service }, { query }) => service.outbox.filter(toMatch(query)),
  }),
  route({
    method: "GET",
    path: "messages",
    operationId: "readMessages",
    summary:
      "Returns the messages to and from phones; with `to` or `text`, the messages to phones that match; with `wait`, as soon as there is one",
    query: schemas.messagesQuerySchema,
    history: "messages",
    status: 200,
    response: listOf(schemas.messageViewSchema),
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
  route({
    method: "GET",
    path: "requests",
    operationId: "readRequests",
    summary: "Returns the requests of the application, like `service.requests`",
    history: "requests",
    status: 200,
    response: listOf(recordedRequestSchema),
    run: ({ service }) => service.requests,
  }),
  route({
    method: "GET",
    path: "webhooks",
    operationId: "readWebhooks",
    summary:
      "Returns the webhooks of sends and the responses of the application, like `service.webhooks`",
    history: "webhooks",
    status: 200,
    response: listOf(webhookSchema),
    run: ({ service }) => service.webhooks,
  }),
  route({
    method: "POST",
    path: "texts",
    operationId: "sendText",
    summary:
      "Sends a text from a phone, like `receiveText`, and returns the messages that go back to it",
    body: schemas.textInputSchema,
    status: 200,
    response: listOf(sentMessageSchema),
    run: ({ service }, { body }) => service.receiveText(body),
  }),
  route({
    method: "POST",
    path: "clock",
    operationId: "advanceClock",
    summary: "Moves the clock, like `advance`: reminders and scheduled messages go out",
    body: schemas.clockInputSchema,
    status: 200,
    response: schemas.clockViewSchema,
    run: (context, { body: { until, ...duration } }) => {
      const { service } = context;
      if (until === undefined) service.advance(duration);
      else {
        const { nextDueAt, now } = service;
        const message = "cannot be next_due: no reminder or scheduled message is due";
        assertUsage(CONTROL, nextDueAt !== undefined, message, "until");
        service.advance({ milliseconds: Math.max(0, nextDueAt.getTime() - now.getTime()) });
      }
      return clockOf(context);
    },
  }),
  route({
    method: "POST",
    path: "faults",
    operationId: "armFault",
    summary: "Makes the next requests fail, like `failNext`",
    body: schemas.faultInputSchema,
    status: 201,
    response: armedFailureSchema,
    // The method checks the combination of fields.
    run: ({ service }, { body }) => service.failNext(body as unknown as NextFailure),
  }),
  route({
    method: "DELETE",
    path: "faults",
    operationId: "disarmFaults",
    summary: "Disarms every fault, like `clearFailures`",
    status: 204,
    run: ({ service }) => service.clearFailures(),
  }),
  route({
    method: "DELETE",
    path: "faults/{ID}",
    operationId: "disarmFault",
    summary: "Disarms one fault",
    status: 204,
    run: ({ service }, { params }) => {
      service.clearFailures(toIdOf(service.failures, "an armed fault", params.ID));
    },
  }),
  route({
    method: "POST",
    path: "lists",
    operationId: "addList",
    summary: "Adds a list, like `addList`",
    body: schemas.listInputSchema,
    status: 201,
    response: listSchema,
    run: ({ service }, { body }) => service.addList(body),
  }),
  route({
    method: "DELETE",
    path: "lists/{ID}",
    operationId: "removeList",
    summary:
      "Removes a list with its keywords, subscribers and scheduled messages, like `removeList`",
    status: 204,
    run: ({ service }, { params }) =>
      service.removeList(toIdOf(service.lists, "a list", params.ID)),
  }),
  route({
    method: "POST",
    path: "subscribers",
    operationId: "addSubscriber",
    summary: "Adds a subscriber to a list, like `addSubscriber`",
    body: schemas.subscriberInputSchema,
    status: 201,
    response: subscriberSchema,
    run: ({ service }, { body: { list_id, ...fields } }) => service.addSubscriber(list_id, fields),
  }),
  route({
    method: "POST",
    path: "scheduled_messages",
    operationId: "addScheduledMessage",
    summary: "Adds a scheduled message to a list, like `addScheduledMessage`",
    body: schemas.scheduledMessageInputSchema,
    status: 201,
    response: scheduledMessageSchema,
    run: ({ service }, { body: { list_id, ...fields } }) =>
      service.addScheduledMessage(list_id, fields),
  }),
  route({
    method: "POST",
    path: "reports",
    operationId: "addReport",
    summary: "Adds a report, like `addReport`",
    body: schemas.reportInputSchema,
    status: 201,
    response: momtReportSchema,
    run: ({ service }, { body }) => service.addReport(body),
  }),
  route({
    method: "PUT",
    path: "phones/{PHONE}",
    operationId: "setPhone",
    summary: "Sets whether RCS and SMS reach a phone, like `setRcsReachable` and `setSmsReachable`",
    body: schemas.phoneInputSchema,
    status: 200,
    response: fakePhoneSchema,
    run: ({ service }, { params, body: { rcsReachable, smsReachable } }) => {
      const phone = parseUsage(CONTROL, phoneSchema, params.PHONE, "PHONE");
      if (rcsReachable !== undefined) service.setRcsReachable(phone, rcsReachable);
      if (smsReachable !== undefined) service.setSmsReachable(phone, smsReachable);
      const known = service.phones.find(({ phoneNumber }) => phoneNumber === phone);
      const reachable = { rcsReachable: true, smsReachable: true };
      return known ?? { phoneNumber: phone, ...reachable, latestMessageAt: null, optIns: [] };
    },
  }),
  route({
    method: "DELETE",
    path: "conversations/{PHONE}",
    operationId: "removeConversation",
    summary: "Removes the messages to and from a phone, like `removeConversation`",
    status: 204,
    run: ({ service }, { params }) =>
      service.removeConversation(parseUsage(CONTROL, phoneSchema, params.PHONE, "PHONE")),
  }),
  route({
    method: "POST",
    path: "reset",
    operationId: "reset",
    summary: "Returns the fake to its initial state, or to an empty one, like `reset`",
    body: schemas.resetInputSchema,
    status: 204,
    run: ({ service }, { body }) => service.reset(body),
  }),
];
