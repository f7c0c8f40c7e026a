// Calls full of secrets, and a service that repeats them in every response, for tests that search for leaks.
import { inspect } from "node:util";
import type { ClientEvent } from "../../src/index.ts";
import {
  API_KEY,
  BASIC,
  type Clients,
  E164,
  FALLBACK,
  KINDS,
  message,
  PHONE,
  TEXT,
} from "./calls.ts";
import { hang, type Responder, resetAfterReading, respond, truncate } from "./servers/loopback.ts";

const PLAIN = [API_KEY, BASIC, TEXT, FALLBACK, PHONE, E164, "2065550123", "555-0123"];
/** Credentials, phone numbers and texts, unchanged and URL-encoded. */
export const SECRETS: readonly string[] = [...PLAIN, ...PLAIN.map(encodeURIComponent)];

/** Returns all text that inspecting and serializing an error shows. */
export const shownOf = (error: unknown): string =>
  inspect(error, { depth: null, showHidden: true, getters: true }) + JSON.stringify(error);

/** Body that quotes every secret. */
export const telltale = { error: PLAIN.join(", "), message: PLAIN.join(", "), status: "error" };
const issue = { code: "custom", message: PLAIN.join(", "), path: ["phoneNumber"] };

/** Calls of every kind, some of which are refused. */
export const CALLS: readonly ((clients: Clients) => PromiseLike<unknown>)[] = [
  ...KINDS.map(
    ({ call }) =>
      (clients: Clients) =>
        call(clients),
  ),
  ({ rcs }) => rcs.sendRcsText({ ...message, phoneNumber: `${PHONE} ext. 5` }),
  ({ rcs }) => rcs.sendRcsText({ ...message, rcsPayload: { text: TEXT, more: TEXT } as never }),
  ({ v2 }) => v2.lists.list({ page: E164 as never }),
  ({ v2 }) => v2.lists.create({ name: 5 as never, message_help: TEXT }, { timeout: -1 }),
  ({ rcs }) => rcs.request({ method: "POST", path: "/notes", json: message }),
  ({ v2 }) => v2.request({ method: "GET", path: "/{N}", params: { N: PHONE }, query: { q: TEXT } }),
  ({ v2 }) => v2.request({ method: "GET", path: `/numbers/${E164}` }),
];

/** Successful body of every call, each with drift. */
export const drifting = {
  account: { id: PHONE },
  opt_in_type: "single",
  first_optin_message: [TEXT],
  second_optin_message: null,
  subscriber: { phone_number: [E164], carrier_name: [PHONE] },
  list: { name: [TEXT] },
  ...{ transactionId: "t-1", message: [FALLBACK] },
  ...{ page: 1, pages_count: 1, lists: [PHONE] },
};

/** Every type of event, sorted. */
export const EVENT_TYPES: readonly ClientEvent["type"][] = [
  "failed",
  "queued",
  "request",
  "response",
  "response_mismatch",
  "retry",
  "succeeded",
  "throttled",
];

/** Responses and failures of every kind. */
export const RESPONDERS: readonly Responder[] = [
  respond(503, telltale),
  respond(429, telltale),
  respond(400, { error: issue.message, errors: [issue] }),
  respond(200, telltale),
  respond(200, drifting),
  respond(302, "", { location: `https://example.com/${E164}` }),
  resetAfterReading,
  truncate(telltale),
  hang,
];
