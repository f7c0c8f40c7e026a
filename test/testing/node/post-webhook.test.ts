import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { FakeService } from "messaging-service-client/testing";
import { type ListenOptions, listen } from "messaging-service-client/testing/node";
import { afterEach, describe, expect, test } from "vitest";
import { webhookTarget } from "../../../src/testing/node/webhooks.ts";
import { createFake, rcsOf, rcsText } from "../../support/fakes/fake-service.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** The origin of an application on loopback. */
const startApplication = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const start = async (options: ListenOptions) => {
  const service = createFake({
    webhooks: ({ transactionId }, event) => ({ transactionId, event }),
  });
  const server = await listen(service, options);
  closers.push(() => server.close());
  return { service, server };
};

const send = async (service: FakeService, webhookUrl = "https://shop.example.com/hooks?x=1") =>
  (await rcsOf(service).sendRcsText({ ...rcsText, webhookUrl })).transactionId;

describe("webhooks posted by listen", () => {
  test("listen posts webhooks as JSON to the path of the webhookUrl at webhooksTo", async () => {
    const received: unknown[] = [];
    const webhooksTo = await startApplication(async (request, response) => {
      const { method, url, headers } = request;
      received.push([method, url, headers["content-type"], JSON.parse(await text(request))]);
      response.writeHead(201).end("thanks");
    });
    const { service } = await start({ webhooksTo });
    const transactionId = await send(service);
    await expect.poll(() => service.webhooks).toMatchObject([{ status: 201, response: "thanks" }]);
    expect(received).toEqual([
      ["POST", "/hooks?x=1", "application/json", { transactionId, event: "delivered" }],
    ]);
  });

  test("listen posts no webhook to another machine, and records the reason", async () => {
    const { service } = await start({});
    await send(service);
    await expect
      .poll(() => service.webhooks[0]?.error)
      .toMatch(/^Not posted, because shop\.example\.com is not this machine/);
  });

  test("listen records a refused connection of a webhook", async () => {
    const { service } = await start({ webhooksTo: "http://127.0.0.1:1" });
    await send(service);
    await expect.poll(() => service.webhooks[0]?.error).toMatch(/ECONNREFUSED/);
  });

  test("listen follows no redirect of a webhook", async () => {
    let requests = 0;
    const webhooksTo = await startApplication((_, response) => {
      requests += 1;
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    const { service } = await start({ webhooksTo });
    await send(service);
    await expect.poll(() => service.webhooks[0]?.status).toBe(307);
    expect(requests).toBe(1);
  });

  test("listen records the beginning of a long response to a webhook, and reads no more", async () => {
    const webhooksTo = await startApplication((_, response) => {
      response.write("x".repeat(100_000));
    });
    const { service } = await start({ webhooksTo });
    await send(service);
    await expect.poll(() => service.webhooks[0]?.response).toBe("x".repeat(4096));
  });

  test("listen ends webhooks that are under way when it closes", async () => {
    let arrived = 0;
    const webhooksTo = await startApplication(() => {
      arrived += 1;
    });
    const { service, server } = await start({ webhooksTo });
    await send(service);
    await expect.poll(() => arrived).toBe(1);
    await server.close();
    await expect.poll(() => service.webhooks[0]?.error).toBe("The server was closed");
  });

  test("listen posts no webhook after it was closed", async () => {
    const { service, server } = await start({ webhooksAnywhere: true });
    await server.close();
    await send(service);
    expect(service.webhooks[0]).not.toHaveProperty("error");
  });
});

describe("the target of a webhook", () => {
  const nowhere = { to: undefined, anywhere: false };
  test.each([
    "https://localhost:3000/hooks",
    "https://127.0.0.1/hooks",
    "https://127.9.9.9/",
    "https://[::1]:8443/",
  ])("the webhook target %s is this machine", (url) => {
    expect(webhookTarget(url, nowhere)).toHaveProperty("url");
  });

  test.each([
    "https://example.com/",
    "https://localhost.example.com/",
    "https://127.0.0.1.example.com/",
    "https://192.168.1.5/",
    "https://[::2]/",
  ])("the webhook target %s is another machine, and allowed only with `anywhere`", (url) => {
    expect(webhookTarget(url, nowhere)).toHaveProperty("error");
    expect(webhookTarget(url, { to: undefined, anywhere: true })).toMatchObject({
      url: new URL(url),
    });
  });

  test("the target of a webhook has the origin of webhooksTo, even for a path that begins with two slashes", () => {
    const to = "http://127.0.0.1:3000";
    const target = webhookTarget("https://example.com//evil.example/x?y=1", {
      to,
      anywhere: false,
    });
    expect(target).toMatchObject({ url: new URL("http://127.0.0.1:3000//evil.example/x?y=1") });
  });
});
