import type { Endpoint } from "../../../src/wire/endpoint.ts";
import * as transactional from "../../../src/wire/transactional.ts";
import * as v2 from "../../../src/wire/v2.ts";

/** Operation in the documents: its endpoint, and the details that an endpoint does not hold. */
export interface Operation {
  readonly endpoint: Endpoint;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  /** Section of the specification. */
  readonly section: string;
  /** Status of a success; `2XX` if the specification does not say which. */
  readonly success: "200" | "202" | "2XX";
}

const of = (
  endpoint: unknown,
  operationId: string,
  tag: string,
  summary: string,
  section: string,
  success: Operation["success"],
): Operation => ({
  endpoint: endpoint as Endpoint,
  operationId,
  tag,
  summary,
  section,
  success,
});

const endpointOf2 = (number: number) => `Version 2, endpoint ${number}`;

export const v2Operations: readonly Operation[] = [
  of(v2.getAccount, "getAccount", "Accounts", "The current account", endpointOf2(1), "2XX"),
  of(v2.listLists, "listLists", "Lists", "All lists of the account", endpointOf2(2), "2XX"),
  of(v2.createList, "createList", "Lists", "Create a list", endpointOf2(5), "2XX"),
  of(v2.retrieveList, "retrieveList", "Lists", "One list", endpointOf2(3), "2XX"),
  of(v2.configureOptIn, "configureOptIn", "Lists", "Configure opt-in type", endpointOf2(4), "2XX"),
  of(
    v2.removeSubscriber,
    "removeSubscriber",
    "Subscribers",
    "Unsubscribe a subscriber from a list",
    endpointOf2(6),
    "200",
  ),
  of(
    v2.listScheduledMessages,
    "listScheduledMessages",
    "Scheduled messages",
    "Scheduled messages of a list",
    endpointOf2(7),
    "200",
  ),
  of(
    v2.retrieveMomtReport,
    "retrieveMomtReport",
    "MOMT reports",
    "Status and data of one MOMT report",
    endpointOf2(8),
    "200",
  ),
];

export const transactionalOperations: readonly Operation[] = [
  of(
    transactional.sendRcsText,
    "sendRcsText",
    "Messages",
    "Send an RCS text message",
    "Send an RCS text message",
    "2XX",
  ),
  of(
    transactional.sendRcsFile,
    "sendRcsFile",
    "Messages",
    "Send an RCS file message",
    "Send an RCS file message",
    "202",
  ),
];
