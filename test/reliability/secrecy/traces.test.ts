import { inspect } from "node:util";
import { beforeAll, expect, test, vi } from "vitest";
import { createThrottle } from "../../../src/index.ts";
import { traced } from "../../../src/opentelemetry/index.ts";
import { startTelemetry } from "../../opentelemetry/sdk.ts";
import { clientsOf, E164, PHONE, subscriber } from "../../support/calls.ts";
import { CARRIERS } from "../../support/carriers.ts";
import { installFixture } from "../../support/fixture.ts";
import { hang, type Responder, respond, startLoopback } from "../../support/servers/loopback.ts";
import { CALLS, RESPONDERS, SECRETS } from "../../support/telltale.ts";

beforeAll(() => void installFixture("first-ring"));

test.each(CARRIERS)(
  "no span, event or metric contains a credential, a text or a phone number if $carrier sends the requests",
  async ({ fetch }) => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    await using telemetry = startTelemetry();
    const { tracer, meter } = telemetry;
    const events: unknown[] = [];
    let current: Responder = hang;
    await using server = await startLoopback((exchange) => current(exchange));
    const onEvent = (event: unknown) => void events.push(event);
    const clients = clientsOf(server, {
      ...traced({ tracer, meter, fetch, onEvent }),
      timeout: 100,
      retry: { limit: 1, backoff: { max: 1 } },
      throttle: createThrottle({ limit: CALLS.length - 4, interval: 20 }),
    });
    for (current of RESPONDERS) await Promise.allSettled(CALLS.map((call) => call(clients)));
    const spans = telemetry.spans();
    expect(spans.length).toBeGreaterThan(RESPONDERS.length * 5);
    const shown = spans.map(({ name, attributes, status, events, links }) => {
      return { name, attributes, status, events, links };
    });
    const metrics = await telemetry.metrics();
    expect(metrics.length).toBeGreaterThan(1);
    const text = inspect([shown, metrics, events], { depth: null, maxArrayLength: null });
    for (const secret of SECRETS) expect(text).not.toContain(secret);
  },
);

test("the instrumentation of undici shows no phone number if a hook replaces its URL", async () => {
  await using server = await startLoopback(respond(200, subscriber));
  const startSpanHook = ({ origin, path }: { origin: string; path: string }) => {
    if (origin !== server.baseUrl) return {};
    const safe = path.replace(/\?.*/, "").replace(/(?<=\/subscribers\/)[^/]+/, "REDACTED");
    return { "url.full": origin + safe, "url.path": safe, "url.query": "" };
  };
  await using telemetry = startTelemetry({ instrumentation: { startSpanHook } });
  await clientsOf(server).v2.subscribers.remove(17, PHONE);
  const [span] = telemetry.spans();
  expect(span?.attributes["url.path"]).toBe("/api/v2/lists/17/subscribers/REDACTED");
  for (const secret of SECRETS) expect(inspect(span?.attributes)).not.toContain(secret);
});

test("the instrumentation of undici shows no phone number if it ignores the service's requests", async () => {
  await using server = await startLoopback(respond(200, subscriber));
  const ignoreRequestHook = ({ origin }: { origin: string }) => origin === server.baseUrl;
  await using telemetry = startTelemetry({ instrumentation: { ignoreRequestHook } });
  await clientsOf(server).v2.subscribers.remove(17, E164);
  expect(telemetry.spans()).toEqual([]);
});
