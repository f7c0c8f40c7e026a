import { sendRcsFile, sendRcsText } from "../../wire/transactional.ts";
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

// They are named one by one: the object of a whole module would keep every endpoint in every bundle.
const ENDPOINTS = [
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
] as const;

/** An endpoint of the service: method and path template, such as `"GET /api/v2/lists/{ID}"`. */
export type FakeEndpoint = (typeof ENDPOINTS)[number]["id"];

/** The endpoints that the fake serves. */
export const endpointIds: readonly FakeEndpoint[] = ENDPOINTS.map(({ id }) => id);
