import * as z from "zod/mini";
import { listSchema } from "../../schemas/list.ts";
import { momtReportSchema } from "../../schemas/momt-report.ts";
import { scheduledMessageSchema } from "../../schemas/scheduled-message.ts";
import { listOf } from "../../schemas/shared/fields.ts";
import { subscriberSchema } from "../../schemas/subscriber.ts";
import type { NextFailure } from "../faults/failure.ts";
import type { NewList } from "../resources/new-resources.ts";
import * as inputs from "./inputs.ts";
import { InputError } from "./problems.ts";
import { type ControlContext, route } from "./route.ts";
import { clockViewSchema, faultViewSchema, phoneViewSchema, sentMessageSchema } from "./views.ts";

const clockOf = ({ service }: ControlContext) => ({
  now: service.now.toISOString(),
  nextDueAt: service.nextDueAt?.toISOString() ?? null,
});

/** Reads a phone from a path. */
const toPhone = (phone: string | undefined): string => {
  const { data, error } = z.safeParse(inputs.phoneSchema, phone);
  if (data !== undefined) return data;
  const [issue] = error?.issues ?? [];
  throw new InputError([{ path: ["PHONE"], message: issue?.message ?? "must be a phone number" }]);
};

/** Calls that change something. */
export const writeRoutes = [
  route({
    method: "POST",
    path: "texts",
    operationId: "sendText",
    summary:
      "Sends a text from a phone, as `receiveText`, and returns the messages that the phone is sent",
    body: inputs.textInputSchema,
    status: 200,
    response: listOf(sentMessageSchema),
    run: ({ service }, { body }) => service.receiveText(body),
  }),
  route({
    method: "POST",
    path: "clock",
    operationId: "advanceClock",
    summary: "Moves the clock, as `advance`: reminders and scheduled messages go out",
    body: inputs.clockInputSchema,
    status: 200,
    response: clockViewSchema,
    run: (context, { body: { until, ...duration } }) => {
      const { service } = context;
      if (until === undefined) service.advance(duration);
      else {
        const { nextDueAt, now } = service;
        if (nextDueAt === undefined) {
          const message = "cannot be reached: no reminder and no scheduled message is due";
          throw new InputError([{ path: ["until"], message }]);
        }
        service.advance({ milliseconds: Math.max(0, nextDueAt.getTime() - now.getTime()) });
      }
      return clockOf(context);
    },
  }),
  route({
    method: "POST",
    path: "faults",
    operationId: "armFault",
    summary: "Makes the next requests fail, as `failNext`",
    body: inputs.faultInputSchema,
    status: 201,
    response: faultViewSchema,
    // The method checks the combination of fields.
    run: ({ service }, { body }) => service.failNext(body as unknown as NextFailure),
  }),
  route({
    method: "DELETE",
    path: "faults",
    operationId: "disarmFaults",
    summary: "Disarms every fault, as `clearFailures`",
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
      const id = Number(params.ID);
      if (!service.failures.some((armed) => armed.id === id)) {
        throw new InputError([{ path: ["ID"], message: "must be the id of an armed fault" }]);
      }
      service.clearFailures(id);
    },
  }),
  route({
    method: "POST",
    path: "lists",
    operationId: "addList",
    summary: "Adds a list, as `addList`",
    body: inputs.listInputSchema,
    status: 201,
    response: listSchema,
    // The method checks the steps.
    run: ({ service }, { body }) => service.addList(body as NewList),
  }),
  route({
    method: "POST",
    path: "subscribers",
    operationId: "addSubscriber",
    summary: "Adds a subscriber to a list, as `addSubscriber`",
    body: inputs.subscriberInputSchema,
    status: 201,
    response: subscriberSchema,
    run: ({ service }, { body: { list_id, ...fields } }) => service.addSubscriber(list_id, fields),
  }),
  route({
    method: "POST",
    path: "scheduled_messages",
    operationId: "addScheduledMessage",
    summary: "Adds a scheduled message to a list, as `addScheduledMessage`",
    body: inputs.scheduledMessageInputSchema,
    status: 201,
    response: scheduledMessageSchema,
    run: ({ service }, { body: { list_id, ...fields } }) =>
      service.addScheduledMessage(list_id, fields),
  }),
  route({
    method: "POST",
    path: "reports",
    operationId: "addReport",
    summary: "Adds a report, as `addReport`",
    body: inputs.reportInputSchema,
    status: 201,
    response: momtReportSchema,
    run: ({ service }, { body }) => service.addReport(body),
  }),
  route({
    method: "PUT",
    path: "phones/{PHONE}",
    operationId: "setPhone",
    summary: "Sets whether RCS and SMS reach a phone, as `setRcsReachable` and `setSmsReachable`",
    body: inputs.phoneInputSchema,
    status: 200,
    response: phoneViewSchema,
    run: ({ service }, { params, body: { rcsReachable, smsReachable } }) => {
      const phone = toPhone(params.PHONE);
      if (rcsReachable !== undefined) service.setRcsReachable(phone, rcsReachable);
      if (smsReachable !== undefined) service.setSmsReachable(phone, smsReachable);
      const known = service.phones.find(({ phoneNumber }) => phoneNumber === phone);
      const reachable = { rcsReachable: true, smsReachable: true };
      return known ?? { phoneNumber: phone, ...reachable, latestMessageAt: null, optIns: [] };
    },
  }),
  route({
    method: "POST",
    path: "reset",
    operationId: "reset",
    summary: "Starts afresh, as `reset`",
    body: inputs.emptyInputSchema,
    status: 204,
    run: ({ service }) => service.reset(),
  }),
];
