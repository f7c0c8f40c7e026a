import type * as transactional from "../../wire/transactional.ts";
import { sendRcsFile, sendRcsText } from "../../wire/transactional.ts";
import type * as v2 from "../../wire/v2.ts";
import {
  configureOptIn,
  createList,
  getAccount,
  listLists,
  listScheduledMessages,
  removeSubscriber,
  retrieveList,
  retrieveMomtReport,
} from "../../wire/v2.ts";

/** An endpoint of the service: method and path template, such as `"GET /api/v2/lists/{ID}"`. */
export type FakeEndpoint =
  | (typeof v2)[keyof typeof v2]["id"]
  | (typeof transactional)[keyof typeof transactional]["id"];

/** The endpoints that the fake serves, one by one: the object of a whole module would keep every endpoint in every bundle. */
export const endpointIds: readonly FakeEndpoint[] = [
  configureOptIn,
  createList,
  getAccount,
  listLists,
  listScheduledMessages,
  removeSubscriber,
  retrieveList,
  retrieveMomtReport,
  sendRcsFile,
  sendRcsText,
].map(({ id }) => id);
