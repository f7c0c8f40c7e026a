import { listOf } from "../../schemas/shared/fields.ts";
import { endpoints, messagesQuerySchema } from "./inputs.ts";
import { type ControlContext, route } from "./route.ts";
import {
  messageViewSchema,
  requestViewSchema,
  type StateView,
  sentMessageSchema,
  stateViewSchema,
  webhookViewSchema,
} from "./views.ts";

const toState = ({ service }: ControlContext): StateView => {
  const { id, email, username } = service.account;
  const { now, nextDueAt, lists, phones, reports, failures } = service;
  return {
    account: { id, email, username },
    clock: { now: now.toISOString(), nextDueAt: nextDueAt?.toISOString() ?? null },
    lists: [...lists],
    phones: phones.map((phone) => ({ ...phone, optIns: [...phone.optIns] })),
    reports: [...reports],
    faults: [...failures],
    endpoints,
  };
};

/** Calls that change nothing. */
export const readRoutes = [
  route({
    method: "GET",
    path: "state",
    operationId: "readState",
    summary:
      "Returns the account, the lists, the phones, the reports, the clock and the armed faults",
    status: 200,
    response: stateViewSchema,
    run: toState,
  }),
  route({
    method: "GET",
    path: "outbox",
    operationId: "readOutbox",
    summary: "Returns the messages that were sent to phones, as `service.outbox`",
    query: messagesQuerySchema,
    status: 200,
    response: listOf(sentMessageSchema),
    run: ({ service }, { query }) =>
      service.outbox.filter(({ to }) => query.to === undefined || to === query.to),
  }),
  route({
    method: "GET",
    path: "messages",
    operationId: "readMessages",
    summary: "Returns the messages to and from phones",
    query: messagesQuerySchema,
    status: 200,
    response: listOf(messageViewSchema),
    run: ({ log, service }, { query }) => {
      service.sendDue();
      return log.messages.filter(({ phone }) => query.to === undefined || phone === query.to);
    },
  }),
  route({
    method: "GET",
    path: "requests",
    operationId: "readRequests",
    summary: "Returns the requests of the application, as `service.requests`",
    status: 200,
    response: listOf(requestViewSchema),
    run: ({ service }) => service.requests,
  }),
  route({
    method: "GET",
    path: "webhooks",
    operationId: "readWebhooks",
    summary:
      "Returns the webhooks of sends and the responses of the application, as `service.webhooks`",
    status: 200,
    response: listOf(webhookViewSchema),
    run: ({ service }) => service.webhooks,
  }),
];
