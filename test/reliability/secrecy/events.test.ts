import { expect, test, vi } from "vitest";
import { type ClientEvent, createThrottle } from "../../../src/index.ts";
import { clientsOf } from "../../support/calls.ts";
import { CARRIERS } from "../../support/carriers.ts";
import { hang, type Responder, startLoopback } from "../../support/servers/loopback.ts";
import { CALLS, EVENT_TYPES, RESPONDERS, SECRETS } from "../../support/telltale.ts";

test.each(CARRIERS)(
  "no event contains a credential, a text or a phone number if $carrier sends the requests",
  async ({ fetch }) => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const events: ClientEvent[] = [];
    let current: Responder = hang;
    await using server = await startLoopback((exchange) => current(exchange));
    const clients = clientsOf(server, {
      fetch,
      onEvent: (event) => void events.push(event),
      timeout: 100,
      retry: { limit: 1, backoff: { max: 1 } },
      throttle: createThrottle({ limit: CALLS.length - 4, interval: 20 }),
    });
    for (current of RESPONDERS) await Promise.allSettled(CALLS.map((call) => call(clients)));
    expect([...new Set(events.map(({ type }) => type))].sort()).toEqual(EVENT_TYPES);
    const json = JSON.stringify(events);
    for (const secret of SECRETS) expect(json).not.toContain(secret);
  },
);
