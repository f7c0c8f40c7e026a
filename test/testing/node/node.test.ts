import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { FakeService } from "messaging-service-client/testing";
import {
  type ListeningService,
  type ListenOptions,
  listen,
} from "messaging-service-client/testing/node";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createFake, rcsOf, rcsText, v2Of } from "../../support/fakes/fake-service.ts";
import { startTurningClock } from "../../support/turning-clock.ts";

const opened: ListeningService[] = [];
const open = async (service: FakeService, options?: ListenOptions): Promise<ListeningService> => {
  const server = await listen(service, options);
  opened.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

const overHttp = ({ v2BaseUrl }: ListeningService) => ({ baseUrl: v2BaseUrl, fetch: undefined });

describe("listen", () => {
  test("listen serves both APIs to both clients", async () => {
    const service = createFake();
    const server = await open(service);
    const { id } = service.addList({ name: "VIP" });
    expect(await v2Of(service, overHttp(server)).lists.retrieve(id)).toMatchObject({ name: "VIP" });
    const rcs = rcsOf(service, { baseUrl: server.transactionalBaseUrl, fetch: undefined });
    const { transactionId } = await rcs.sendRcsText(rcsText);
    expect(service.outbox).toMatchObject([{ transactionId, text: rcsText.rcsPayload.text }]);
  });

  test("listen serves one service through several ports", async () => {
    const service = createFake();
    for (const server of [await open(service), await open(service)]) {
      await v2Of(service, overHttp(server)).lists.create({ name: server.v2BaseUrl });
    }
    expect((await v2Of(service).lists.list()).count).toBe(2);
  });

  test("listen uses the given port and host", async () => {
    const first = await open(createFake());
    const port = Number(new URL(first.v2BaseUrl).port);
    await first.close();
    const second = await open(createFake(), { port, host: "localhost" });
    expect(second.v2BaseUrl).toBe(`http://localhost:${port}`);
    expect((await fetch(`${second.v2BaseUrl}/api/v2/lists`)).status).toBe(401);
  });

  test("listen on every interface returns a URL that clients accept", async () => {
    const service = createFake();
    const server = await open(service, { host: "0.0.0.0" });
    expect(server.v2BaseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await v2Of(service, overHttp(server)).accounts.me()).id).toBe(service.account.id);
  });

  test("listen rejects if the port is taken", async () => {
    const { v2BaseUrl } = await open(createFake());
    const port = Number(new URL(v2BaseUrl).port);
    await expect(listen(createFake(), { port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});

describe("close of a listening fake", () => {
  test("close stops listening, and can be called twice at the same time", async () => {
    const server = await open(createFake());
    await Promise.all([server.close(), server.close()]);
    await server.close();
    await expect(fetch(`${server.v2BaseUrl}/api/v2/lists`)).rejects.toThrow("fetch failed");
  });

  test("close ends a hanging request at once", async () => {
    startTurningClock();
    onTestFinished(() => void vi.useRealTimers());
    const service = createFake();
    const server = await open(service);
    service.failNext({ fault: "hang" });
    const hanging = fetch(`${server.v2BaseUrl}/api/v2/lists`).catch(({ message }) => message);
    while (service.requests.length === 0) await pause(5);
    const began = performance.now();
    await server.close();
    expect(await hanging).toBe("fetch failed");
    // Node itself would end an open connection only after five seconds.
    expect(performance.now() - began).toBeLessThan(4_000);
  });

  test("close ends a stalled response and a slow response", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const service = createFake();
    const server = await open(service);
    service.failNext({ fault: "stalled_body" });
    service.failNext({ fault: "slow", delayMs: 60_000 });
    const stalled = (await fetch(`${server.v2BaseUrl}/api/v2/lists`)).text();
    const slow = fetch(`${server.v2BaseUrl}/api/v2/lists`);
    const ends = Promise.allSettled([stalled, slow]);
    while (service.requests.length < 2) await pause(5);
    await server.close();
    expect((await ends).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    // A later write does not throw.
    await vi.advanceTimersByTimeAsync(60_000);
  });

  test("close ends keep-alive connections", async () => {
    const server = await open(createFake());
    const { hostname, port } = new URL(server.v2BaseUrl);
    const socket = connect(Number(port), hostname).on("error", () => {});
    await once(socket, "connect");
    await server.close();
    if (!socket.destroyed) await once(socket, "close");
    expect(socket.destroyed).toBe(true);
  });
});
