// Typical uses of dispatchers of undici 6, 7 and 8 and of Node itself: tests with the fake, downloads, traces, many calls.
import { getEventListeners } from "node:events";
import { readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import type { FetchLike } from "../../../src/core/transport/transport.ts";
import { fetchFrom, TransactionalClient, V2Client } from "../../../src/index.ts";
import { traced } from "../../../src/opentelemetry/index.ts";
import { downloadReport } from "../../../src/reports/index.ts";
import { createFakeService } from "../../../src/testing/index.ts";
import { listen } from "../../../src/testing/node/listen.ts";
import { startTelemetry } from "../../opentelemetry/sdk.ts";
import { expectNoLink, FILE } from "../../reports/downloads.ts";
import {
  account,
  clientsOf,
  errorOf,
  KINDS,
  message,
  QUICK,
  transaction,
} from "../../support/calls.ts";
import { DISPATCHERS, UNDICI } from "../../support/dispatchers.ts";
import { linkTo, SIGNATURE, serve } from "../../support/servers/file-host.ts";
import { hang, respond, startLoopback } from "../../support/servers/loopback.ts";

vi.setConfig({ testTimeout: 300_000 });

describe.each(DISPATCHERS)("over $carrier", (carrier) => {
  const fetch = carrier.fetch as FetchLike;

  test("clients reach a listening fake over a dispatcher", async () => {
    const service = createFakeService();
    await using server = Object.assign(await listen(service), {
      async [Symbol.asyncDispose]() {
        await server.close();
      },
    });
    const { email, apiKey } = service.account;
    const common = { apiKey, fetch, retry: QUICK };
    const v2 = new V2Client({ ...common, baseUrl: server.v2BaseUrl, email });
    const rcs = new TransactionalClient({ ...common, baseUrl: server.transactionalBaseUrl });
    const { id } = service.addList({ name: "VIP" });
    service.failNext({ status: 503 });
    expect(await v2.lists.list().toArray()).toMatchObject([{ id, name: "VIP" }]);
    const { transactionId } = await rcs.sendRcsText(message);
    expect(service.outbox).toMatchObject([{ transactionId }]);
    service.failNext({ fault: "dropped" });
    expect(await errorOf(rcs.sendRcsText(message))).toMatchObject({ outcome: "unknown" });
    expect(service.outbox).toHaveLength(2);
  });

  test("downloadReport requests a file that breaks off again, without credentials", async () => {
    await using host = await startLoopback(
      serve(FILE, { pieces: [100_000, 200_000, FILE.length] }),
    );
    const file = await downloadReport({ s3_url: linkTo(host) }, { fetch });
    expect(FILE.equals(await file.bytes())).toBe(true);
    expect(host.requests).toHaveLength(3);
    expect(host.requests[0]?.url).toBe(`/reports/7.csv?${SIGNATURE}`);
    expect(host.requests[0]?.headers).not.toHaveProperty("authorization");
  });

  test("errors of downloadReport hide the link", async () => {
    await using host = await startLoopback(respond(403, "no"));
    expectNoLink(await errorOf(downloadReport({ s3_url: linkTo(host) }, { fetch, retry: 0 })));
  });

  test("a body of downloadReport that is canceled closes its connection", async () => {
    await using host = await startLoopback(serve(FILE, { pieces: [100_000], ending: "stall" }));
    const { body } = await downloadReport({ s3_url: linkTo(host) }, { fetch });
    await body.cancel();
    await expect.poll(() => host.onlyRequest().abandoned).toBe(true);
  });

  test("the span of traced is the only span, even with the instrumentation of undici", async () => {
    await using telemetry = startTelemetry();
    const { tracer } = telemetry;
    await using server = await startLoopback(respond(200, account));
    const options = traced({ tracer, fetch, propagate: true });
    await clientsOf(server, options).v2.accounts.me();
    expect(telemetry.spans().map(({ name }) => name)).toEqual([KINDS[0]?.endpoint]);
    const [span] = telemetry.spans();
    const { traceId, spanId } = span?.spanContext() ?? {};
    expect(server.onlyRequest().headers.traceparent).toBe(`00-${traceId}-${spanId}-01`);
  });
});

const MEANS = [
  { means: "Node's own fetch", open: () => ({ fetch: undefined, close() {} }) },
  ...UNDICI.map(({ major, undici }) => ({
    means: `undici ${major}`,
    open: () => {
      const agent = new undici.Agent({ connections: 32 });
      return { fetch: fetchFrom(agent), close: () => agent.destroy() };
    },
  })),
];

describe.each(MEANS)("fifteen hundred calls over $means", ({ open }) => {
  test("calls over a dispatcher leave no descriptor, listener or timer behind, whether they end or are aborted", async () => {
    let turn = 0;
    await using server = await startLoopback((exchange) => {
      turn += 1;
      return turn % 10 === 0 ? hang(exchange) : respond(202, transaction)(exchange);
    });
    const { fetch, close } = open();
    const { rcs } = clientsOf(server, { fetch, retry: 0, throttle: false });
    const counts = () => ({
      descriptors: readdirSync("/proc/self/fd").length,
      timers: process.getActiveResourcesInfo().filter((name) => name === "Timeout").length,
    });
    const before = counts();
    const { signal } = new AbortController();
    let aborted = 0;
    const worker = async () => {
      for (let call = 0; call < 47; call += 1) {
        const own = new AbortController();
        const sent = rcs.sendRcsText(message, { signal: AbortSignal.any([signal, own.signal]) });
        const timer = setTimeout(() => own.abort(), 30);
        const result = await sent.catch(({ code }) => code);
        clearTimeout(timer);
        if (result === "abort") aborted += 1;
        expect(getEventListeners(own.signal, "abort")).toEqual([]);
      }
    };
    await Promise.all(Array.from({ length: 32 }, worker));
    expect(aborted).toBeGreaterThan(100);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    await close();
    await setImmediate();
    // If a request is aborted before its connection opens, the server closes the unused connection after a minute or more.
    const patient = { timeout: 120_000 };
    await expect
      .poll(() => counts().descriptors, patient)
      .toBeLessThanOrEqual(before.descriptors + 2);
    await expect.poll(() => counts().timers, patient).toBeLessThanOrEqual(before.timers + 2);
  });
});
