import { expect, test, vi } from "vitest";
import { type ClientEvent, createThrottle } from "../../src/index.ts";
import {
  API_KEY,
  BASIC,
  type Clients,
  clientsOf,
  E164,
  FALLBACK,
  KINDS,
  message,
  PHONE,
  TEXT,
} from "../support/calls.ts";
import { CARRIERS } from "../support/carriers.ts";
import {
  type Answer,
  answer,
  hang,
  resetAfterReading,
  startLoopback,
  truncate,
} from "../support/loopback.ts";

const SECRETS = [API_KEY, BASIC, TEXT, FALLBACK, PHONE, E164, "2065550123", "555-0123"];
const encoded = SECRETS.map(encodeURIComponent);

/** A body that quotes everything. */
const telltale = { error: SECRETS.join(", "), message: SECRETS.join(", "), status: "error" };
const issue = { code: "custom", message: SECRETS.join(", "), path: ["phoneNumber"] };

const CALLS: readonly ((clients: Clients) => PromiseLike<unknown>)[] = [
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

/** Proves every call, and drifts in every one. */
const drifting = {
  account: { id: PHONE },
  opt_in_type: "single",
  first_optin_message: [TEXT],
  subscriber: { phone_number: [E164], carrier_name: [PHONE] },
  list: { name: [TEXT] },
  ...{ transactionId: "t-1", message: [FALLBACK] },
  ...{ page: 1, pages_count: 1, lists: [PHONE] },
};

const ANSWERS: readonly Answer[] = [
  answer(503, telltale),
  answer(429, telltale),
  answer(400, { error: issue.message, errors: [issue] }),
  answer(200, telltale),
  answer(200, drifting),
  answer(302, "", { location: `https://example.com/${E164}` }),
  resetAfterReading,
  truncate(telltale),
  hang,
];

test.each(CARRIERS)(
  "no event holds a credential, a text or a phone number, carried by $carrier",
  async ({ fetch }) => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const events: ClientEvent[] = [];
    let current: Answer = hang;
    await using server = await startLoopback((exchange) => current(exchange));
    const clients = clientsOf(server, {
      fetch,
      onEvent: (event) => void events.push(event),
      timeout: 100,
      retry: { limit: 1, backoff: { max: 1 } },
      throttle: createThrottle({ limit: CALLS.length - 4, interval: 20 }),
    });
    for (current of ANSWERS) await Promise.allSettled(CALLS.map((call) => call(clients)));
    expect([...new Set(events.map(({ type }) => type))].sort()).toEqual([
      "failed",
      "request",
      "response",
      "response_mismatch",
      "retry",
      "succeeded",
      "throttled",
    ]);
    const json = JSON.stringify(events);
    for (const secret of [...SECRETS, ...encoded]) expect(json).not.toContain(secret);
  },
);
