import { inspect } from "node:util";
import ky from "ky";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { FetchLike } from "../../src/core/transport/transport.ts";
import * as rcsEndpoints from "../../src/core/wire/transactional.ts";
import * as v2Endpoints from "../../src/core/wire/v2.ts";
import { type ClientEvent, createThrottle, fetchFrom } from "../../src/index.ts";
import { type TracedOptions, traced } from "../../src/opentelemetry/index.ts";
import {
  account,
  clientsOf,
  errorOf,
  KINDS,
  PHONE,
  page,
  QUICK,
  singleOptIn,
  sleep,
  subscriber,
} from "../support/calls.ts";
import { createFake, v2Of } from "../support/fakes/fake-service.ts";
import { installFixture } from "../support/fixture.ts";
import {
  hang,
  REFUSED_URL,
  resetAfterReading,
  respond,
  startLoopback,
  truncate,
} from "../support/servers/loopback.ts";
import { useTurningClock } from "../support/turning-clock.ts";
import { startTelemetry, type Telemetry } from "./sdk.ts";

// The first installation takes a while.
beforeAll(() => void installFixture("first-ring"));

const CLIENT_KIND = 2;
const ERROR_STATUS = 2;

const clientsWith = (
  server: { readonly baseUrl: string },
  telemetry: Telemetry,
  { options = {}, more = {} }: { options?: Partial<TracedOptions>; more?: object } = {},
) => {
  const { tracer, meter } = telemetry;
  return clientsOf(server, { ...traced({ tracer, meter, ...options }), retry: QUICK, ...more });
};

const portOf = ({ baseUrl }: { readonly baseUrl: string }) => Number(new URL(baseUrl).port);

describe("the span of an attempt", () => {
  test("the span of an attempt follows the stable conventions for HTTP clients", async () => {
    await using telemetry = startTelemetry();
    await using server = await startLoopback(respond(503), respond(200, page));
    await clientsWith(server, telemetry).v2.lists.list({ page: 1, per_page: 50 });
    const common = {
      "http.request.method": "GET",
      "url.template": "/api/v2/lists",
      "url.full": `${server.baseUrl}/api/v2/lists?page=1&per_page=50`,
      "server.address": "127.0.0.1",
      "server.port": portOf(server),
    };
    const spans = telemetry.spans();
    expect(spans.map(({ name, kind }) => [name, kind])).toEqual(
      Array(2).fill(["GET /api/v2/lists", CLIENT_KIND]),
    );
    expect(spans[0]?.attributes).toEqual({
      ...common,
      "http.response.status_code": 503,
      "error.type": "503",
    });
    expect(spans[0]?.status).toEqual({ code: ERROR_STATUS });
    expect(spans[1]?.attributes).toEqual({
      ...common,
      "http.response.status_code": 200,
      "http.request.resend_count": 1,
    });
    expect(spans[1]?.status).toEqual({ code: 0 });
  });

  test.each([
    ["beside the instrumentation of undici", { instrumentation: {} }],
    ["without any other instrumentation", { instrumentation: false as const }],
  ])("an attempt has exactly one span %s", async (_, setup) => {
    await using telemetry = startTelemetry(setup);
    for (const kind of KINDS) {
      await using server = await startLoopback(respond(200, kind.success));
      await kind.call(clientsWith(server, telemetry));
    }
    expect(telemetry.spans().map(({ name }) => name)).toEqual(KINDS.map((kind) => kind.endpoint));
    const scopes = telemetry.spans().map(({ instrumentationScope }) => instrumentationScope.name);
    expect(new Set(scopes)).toEqual(new Set(["messaging-service"]));
  });

  test("the span of an attempt shows the ids, pages and dates of a URL, and replaces everything else", async () => {
    await using telemetry = startTelemetry();
    await using server = await startLoopback(
      respond(200, { ...subscriber, ...page, messages: [] }),
    );
    const { v2 } = clientsWith({ baseUrl: `${server.baseUrl}/tenant-7` }, telemetry);
    await v2.subscribers.remove(17, PHONE);
    await v2.scheduledMessages.list(17, { start_date: "20260101", end_date: "20260131" });
    await v2.request({ method: "GET", path: "/a/{N}/b", params: { N: 7 }, query: { page: 2 } });
    await v2.request({ method: "GET", path: "/a/{ID}", params: { ID: "2065550123" } });
    await v2.request({ method: "GET", path: "/a", query: { page: PHONE } });
    await v2.request({ method: "GET", path: "/a", query: { page: 123456789 } });
    await v2.request({ method: "GET", path: `/a/${"2065550123"}` });
    expect(
      telemetry.spans().map(({ attributes }) => {
        return String(attributes["url.full"]).replace(server.baseUrl, "");
      }),
    ).toEqual([
      "/tenant-7/api/v2/lists/17/subscribers/REDACTED",
      "/tenant-7/api/v2/lists/17/messages/scheduled?start_date=20260101&end_date=20260131",
      "/tenant-7/a/REDACTED/b?page=2",
      "/tenant-7/a/REDACTED",
      "/tenant-7/REDACTED?REDACTED",
      "/tenant-7/REDACTED?page=123456789",
      "/REDACTED",
    ]);
  });

  test("the span of an attempt whose path has no placeholder is named by its method alone, because the path may contain data", async () => {
    await using telemetry = startTelemetry({ instrumentation: false });
    await using server = await startLoopback(respond(200, {}));
    const { v2 } = clientsWith({ baseUrl: `${server.baseUrl}/tenant-7` }, telemetry);
    // In an event, `[number]` replaces the three segments of the number.
    const names = ["john.smith", "john.smith/{x", "206/555/0123", "x".repeat(300)];
    for (const name of names) {
      await v2.request({ method: "DELETE", path: `/customers/${name}` });
    }
    // Events truncate such a long path, which then seems to have fewer segments.
    await v2.request({
      method: "GET",
      path: `/customers/john.smith${"/x".repeat(200)}/{ID}`,
      params: { ID: 1 },
    });
    await v2.request({ method: "GET", path: "/api/v2/tags/{ID}", params: { ID: 1 } });
    const spans = telemetry
      .spans()
      .map(({ name, attributes }) => [
        name.slice(0, 25),
        attributes["url.template"]?.toString().slice(0, 20),
        String(attributes["url.full"]).replace(server.baseUrl, ""),
      ]);
    expect(spans).toEqual([
      ["DELETE", undefined, "/tenant-7/REDACTED/REDACTED"],
      ["DELETE", undefined, "/tenant-7/REDACTED/REDACTED/REDACTED"],
      ["DELETE", undefined, "/REDACTED"],
      ["DELETE", undefined, "/REDACTED"],
      ["GET", undefined, "/REDACTED"],
      ["GET /api/v2/tags/{ID}", "/api/v2/tags/{ID}", "/tenant-7/api/v2/tags/1"],
    ]);
    const metrics = inspect(await telemetry.metrics(), { depth: null });
    expect(metrics).toContain("/api/v2/tags/{ID}");
    for (const name of ["john.smith", "customers", "xxxxx"]) expect(metrics).not.toContain(name);
  });

  test("the span of an attempt of a documented endpoint is named by its method and template", async () => {
    const { getAccount, ...others } = v2Endpoints;
    const endpoints = [getAccount, ...Object.values(others), ...Object.values(rcsEndpoints)];
    const named: unknown[] = [];
    const tracer = { startSpan: (name: string) => void named.push(name) as never };
    const { fetch, onEvent } = traced({ tracer, fetch: async () => Response.json({}) });
    for (const { id } of endpoints) {
      onEvent({ type: "request", callId: "1", endpoint: id, attempt: 1 });
      await fetch("https://app.example.com/a", {});
    }
    expect(named).toEqual(endpoints.map(({ id }) => id));
    expect(named.length).toBeGreaterThan(9);
  });

  test("the span of an attempt names the default port of the scheme", async () => {
    await using telemetry = startTelemetry();
    const fetch = async () => Response.json(account);
    const server = { baseUrl: "https://app.example.com" };
    await clientsWith(server, telemetry, { options: { fetch } }).v2.accounts.me();
    expect(telemetry.spans()[0]?.attributes).toMatchObject({
      "server.address": "app.example.com",
      "server.port": 443,
    });
  });

  test("the span of an attempt has the span of the call as its parent, through queue and retries", async () => {
    await using telemetry = startTelemetry();
    await using server = await startLoopback(
      respond(200, account),
      respond(503),
      respond(200, account),
    );
    const throttle = createThrottle({ limit: 1, interval: 100 });
    const { v2 } = clientsWith(server, telemetry, { more: { throttle } });
    const parents = await Promise.all(
      ["first", "second"].map((name) => telemetry.within(name, () => v2.accounts.me())),
    );
    const attempts = telemetry.spans().filter(({ kind }) => kind === CLIENT_KIND);
    expect(attempts).toHaveLength(3);
    const count = (parent: string) =>
      attempts.filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent).length;
    expect(parents.map(count).toSorted()).toEqual([1, 2]);
  });

  test("the span of an attempt is active while its request is made, for logs and hooks", async () => {
    await using telemetry = startTelemetry();
    let active: unknown;
    const fetch = async () => {
      const key = Symbol.for("OpenTelemetry Context Key SPAN");
      active = (
        telemetry.context.active() as unknown as Map<symbol, unknown> & {
          getValue(key: symbol): { spanContext(): { spanId: string } };
        }
      )
        .getValue(key)
        .spanContext().spanId;
      return Response.json(account);
    };
    const { v2 } = clientsWith({ baseUrl: "https://a.example.com" }, telemetry, {
      options: { fetch },
    });
    await v2.accounts.me();
    expect(active).toBe(telemetry.spans()[0]?.spanContext().spanId);
  });

  test("a request that no client makes has no span", async () => {
    await using telemetry = startTelemetry({ instrumentation: false });
    const { tracer } = telemetry;
    const startSpan = vi.spyOn(tracer, "startSpan");
    const options = traced({ tracer, fetch: async () => Response.json(account) });
    await clientsOf({ baseUrl: "https://a.example.com" }, options).v2.accounts.me();
    await options.fetch("https://a.example.com/health", { method: "GET" });
    expect(startSpan).toHaveBeenCalledTimes(1);
  });

  test("the span of an attempt needs no registered context manager", async () => {
    await using telemetry = startTelemetry({ isRegistered: false, instrumentation: false });
    await using server = await startLoopback(respond(200, account));
    await clientsWith(server, telemetry).v2.accounts.me();
    expect(telemetry.spans()).toHaveLength(1);
  });
});

describe("error.type of a span", () => {
  test.each([
    ["an error status", respond(404), "404", 404],
    ["a redirect, which is not an error,", respond(302), undefined, 302],
    ["a lost connection", resetAfterReading, /^(ECONNRESET|UND_ERR_SOCKET)$/, undefined],
    ["a refused connection", undefined, "ECONNREFUSED", undefined],
    ["a timeout", hang, "timeout", undefined],
    ["a body that is cut off", truncate(singleOptIn), "connection", 200],
  ])("error.type of a span after %s is right", async (_, fault, type, status) => {
    await using telemetry = startTelemetry();
    await using listening = await startLoopback(fault ?? hang);
    const server = fault ? listening : { baseUrl: REFUSED_URL };
    const more = { timeout: fault === hang ? 500 : 30_000, retry: 0 };
    await errorOf(clientsWith(server, telemetry, { more }).v2.accounts.me());
    const [span] = telemetry.spans();
    expect(telemetry.spans()).toHaveLength(1);
    const { "error.type": told, "http.response.status_code": code } = span?.attributes ?? {};
    if (type instanceof RegExp) expect(told).toMatch(type);
    else expect(told).toBe(type);
    expect(code).toBe(status);
    expect(span?.status.code).toBe(type === undefined ? 0 : ERROR_STATUS);
  });

  test("error.type is abort if the caller's signal fires", async () => {
    await using telemetry = startTelemetry();
    await using server = await startLoopback(hang);
    const controller = new AbortController();
    const { v2 } = clientsWith(server, telemetry);
    const failed = errorOf(v2.accounts.me({ signal: controller.signal }));
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort();
    await failed;
    expect(telemetry.spans()[0]?.attributes["error.type"]).toBe("abort");
  });

  test("error.type is not recorded for a call without an attempt", async () => {
    await using telemetry = startTelemetry();
    const { v2 } = clientsWith({ baseUrl: "https://app.example.com" }, telemetry);
    await errorOf(v2.lists.retrieve(-1));
    await errorOf(v2.accounts.me({ signal: AbortSignal.abort() }));
    expect(telemetry.spans()).toEqual([]);
  });
});

describe("metrics of traced calls", () => {
  useTurningClock();

  test("metrics record the duration of each attempt and each wait in seconds, with suitable buckets", async () => {
    await using telemetry = startTelemetry({ instrumentation: false });
    await using server = await startLoopback(respond(503), respond(200, account));
    const throttle = createThrottle({ limit: 1, interval: 300 });
    await clientsWith(server, telemetry, { more: { throttle } }).v2.accounts.me();
    const [duration, wait, ...others] = await telemetry.metrics();
    expect(others).toEqual([]);
    expect(duration?.descriptor).toMatchObject({ name: "http.client.request.duration", unit: "s" });
    const endpoint = { "http.request.method": "GET", "url.template": "/api/v2/accounts/me" };
    const known = { ...endpoint, "server.address": "127.0.0.1", "server.port": portOf(server) };
    expect(duration?.dataPoints.map(({ attributes }) => attributes)).toEqual([
      { ...known, "http.response.status_code": 503, "error.type": "503" },
      { ...known, "http.response.status_code": 200 },
    ]);
    const [first] = duration?.dataPoints ?? [];
    expect(first?.value.count).toBe(1);
    expect(first?.value.sum).toBeLessThan(30);
    expect(first?.value.buckets.boundaries).toEqual([
      0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
    ]);
    expect(wait?.descriptor).toMatchObject({
      name: "messaging_service.client.throttle.wait.duration",
      unit: "s",
    });
    const [waited] = wait?.dataPoints ?? [];
    expect(waited?.attributes).toEqual(endpoint);
    expect(waited?.value.sum).toBeGreaterThan(0.05);
    expect(waited?.value.sum).toBeLessThan(30);
  });

  test("metrics are off without a meter", async () => {
    await using telemetry = startTelemetry({ instrumentation: false });
    await using server = await startLoopback(respond(200, account));
    await clientsWith(server, telemetry, { options: { meter: undefined } }).v2.accounts.me();
    expect(await telemetry.metrics()).toEqual([]);
    expect(telemetry.spans()).toHaveLength(1);
  });
});

describe("headers of W3C Trace Context", () => {
  test.each([[{}], [false as const]])(
    "headers of W3C Trace Context are not sent by default, %s",
    async (instrumentation) => {
      await using telemetry = startTelemetry({ instrumentation });
      await using server = await startLoopback(respond(200, account));
      await clientsWith(server, telemetry).v2.accounts.me();
      expect(server.onlyRequest().headers).not.toHaveProperty("traceparent");
    },
  );

  test("headers of W3C Trace Context name the span of the attempt if propagate is true", async () => {
    await using telemetry = startTelemetry();
    await using server = await startLoopback(respond(503), respond(200, account));
    const { tracer } = telemetry;
    const traceState = { serialize: () => "vendor=1" };
    const startSpan: typeof tracer.startSpan = (...args) => {
      const span = tracer.startSpan(...args);
      const spanContext = span.spanContext.bind(span);
      return Object.assign(span, { spanContext: () => ({ ...spanContext(), traceState }) });
    };
    const options = { propagate: true, tracer: { startSpan } };
    await clientsWith(server, telemetry, { options }).v2.accounts.me();
    expect(server.requests.map(({ headers }) => headers.traceparent)).toEqual(
      telemetry.spans().map((span) => {
        const { traceId, spanId } = span.spanContext();
        return `00-${traceId}-${spanId}-01`;
      }),
    );
    expect(server.requests.map(({ headers }) => headers.tracestate)).toEqual(
      Array(2).fill("vendor=1"),
    );
  });

  test("headers of W3C Trace Context leave the other headers of a request in a replaced global fetch", async () => {
    await using telemetry = startTelemetry();
    await using server = await startLoopback(respond(200, account));
    vi.spyOn(globalThis, "fetch");
    await clientsWith(server, telemetry, { options: { propagate: true } }).v2.accounts.me();
    expect(server.onlyRequest().headers).toMatchObject({
      authorization: expect.stringMatching(/^Basic /),
      "content-type": "application/json",
      traceparent: expect.stringMatching(/^00-/),
    });
  });

  test("headers of W3C Trace Context are not sent if the tracer is a no-op", async () => {
    await using server = await startLoopback(respond(200, account));
    const nothing = {
      spanContext: () => ({ traceId: "0".repeat(32), spanId: "0".repeat(16), traceFlags: 0 }),
      setAttributes: () => {},
      setStatus: () => {},
      end: () => {},
    };
    const tracer = { startSpan: () => nothing };
    await clientsOf(server, traced({ tracer, propagate: true })).v2.accounts.me();
    expect(server.onlyRequest().headers).not.toHaveProperty("traceparent");
  });
});

describe("`traced` in an application with its own fetch and listener", () => {
  test("`traced` sends attempts through the application's fetch and passes every event to its listener", async () => {
    await using telemetry = startTelemetry();
    await using server = await startLoopback(respond(503), respond(200, account));
    const hooked: string[] = [];
    const hooks = {
      beforeRequest: [
        ({ request }: { request: Request }) => {
          hooked.push(request.method);
        },
      ],
    };
    const events: ClientEvent["type"][] = [];
    const options = {
      fetch: fetchFrom(ky.extend({ hooks })),
      onEvent: ({ type }: ClientEvent) => void events.push(type),
    };
    await clientsWith(server, telemetry, { options }).v2.accounts.me();
    expect(hooked).toEqual(["GET", "GET"]);
    expect(events.slice(0, 5)).toEqual(["request", "response", "retry", "request", "response"]);
    expect(telemetry.spans()).toHaveLength(2);
  });

  test("an attempt has its span even if a listener makes a call when the attempt starts", async () => {
    await using telemetry = startTelemetry();
    await using server = await startLoopback(respond(200, { ...account, ...subscriber }));
    const calls = [() => v2.accounts.me() as Promise<unknown>];
    let inner: Promise<unknown> | undefined;
    const onEvent = ({ type }: ClientEvent) => {
      if (type === "request") inner ??= calls.pop()?.();
    };
    const settings = { options: { onEvent }, more: { throttle: false } };
    const { v2 } = clientsWith(server, telemetry, settings);
    await v2.subscribers.remove(17, PHONE);
    await inner;
    const templates = telemetry.spans().map(({ attributes }) => attributes["url.template"]);
    expect(templates.sort()).toEqual([expect.stringContaining("me"), expect.stringContaining("{")]);
  });

  test("concurrent attempts have their own spans if the application's fetch awaits before its requests", async () => {
    await using telemetry = startTelemetry();
    const service = createFake();
    const { id } = service.addList();
    const waits = [30, 20, 10];
    const fetch: FetchLike = async (...request) => {
      await sleep(waits.shift() ?? 0);
      return service.fetch(...request);
    };
    const v2 = v2Of(service, traced({ tracer: telemetry.tracer, fetch }));
    await Promise.allSettled([v2.lists.retrieve(id), v2.lists.retrieve(999), v2.accounts.me()]);
    const ends = telemetry
      .spans()
      .map(({ attributes }) => [attributes["url.full"], attributes["http.response.status_code"]]);
    expect(ends.toSorted()).toEqual([
      [`${service.v2BaseUrl}/api/v2/accounts/me`, 200],
      [`${service.v2BaseUrl}/api/v2/lists/${id}`, 200],
      [`${service.v2BaseUrl}/api/v2/lists/999`, 404],
    ]);
  });

  test("clients that share one `traced` have their own spans, even if they are created at the same time", async () => {
    await using telemetry = startTelemetry({ instrumentation: false });
    await using server = await startLoopback(respond(200, account));
    const options = traced({ tracer: telemetry.tracer });
    const clock = vi.spyOn(performance, "now").mockReturnValue(5);
    const clients = [1, 2, 3].map(() => clientsOf(server, options).v2);
    clock.mockRestore();
    await Promise.all(clients.map((v2) => v2.accounts.me()));
    expect(telemetry.spans()).toHaveLength(3);
  });

  test("`traced` sends a request without a span if it does not receive the client's events", async () => {
    await using telemetry = startTelemetry({ instrumentation: false });
    await using server = await startLoopback(respond(200, account));
    const { fetch } = traced({ tracer: telemetry.tracer });
    await clientsOf(server, { fetch }).v2.accounts.me();
    expect(telemetry.spans()).toEqual([]);
  });

  test("`traced` sends a request even if the tracer, the meter and the listener fail", async () => {
    await using server = await startLoopback(respond(503), respond(200, account));
    const fail = () => {
      throw new Error("broken");
    };
    const meter = { createHistogram: () => ({ record: fail }) };
    const span = { spanContext: fail, setAttributes: fail, setStatus: fail, end: fail };
    for (const tracer of [{ startSpan: fail }, { startSpan: () => span }]) {
      const { v2 } = clientsOf(server, traced({ tracer, meter, onEvent: fail }));
      expect(await v2.accounts.me()).toEqual(account.account);
    }
  });

  test("`traced` gives Deno a body that it never resends by itself", async () => {
    vi.stubGlobal("Deno", {});
    const bodies: unknown[] = [];
    vi.stubGlobal("fetch", async (_url: string, { body }: RequestInit) => {
      bodies.push(body);
      return Response.json({});
    });
    const tracer = { startSpan: () => ({}) as never };
    const { rcs } = clientsOf({ baseUrl: "https://a.example.com" }, traced({ tracer }));
    await rcs.request({ method: "POST", path: "/a", json: {} });
    vi.unstubAllGlobals();
    expect(bodies[0]).toBeInstanceOf(Blob);
  });

  test.each([[undefined], [null], [{}], ["tracer"]])("`traced` refuses the tracer %s", (tracer) => {
    expect(() => traced({ tracer: tracer as never })).toThrow(/option `tracer(\.startSpan)?` must/);
  });
});
