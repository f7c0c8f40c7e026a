import { setTimeout as pause } from "node:timers/promises";
import type { FakeService } from "messaging-service-client/testing";
import { type ListenOptions, listen } from "messaging-service-client/testing/node";
import { afterEach, describe, expect, test } from "vitest";
import { webhookTarget } from "../../../src/testing/node/post-webhook.ts";
import { createFake, rcsOf, rcsText } from "../../support/fakes/fake-service.ts";
import {
  flood,
  hang,
  type Responder,
  respond,
  startLoopback,
} from "../../support/servers/loopback.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** An application on loopback. */
const startApplication = async (...responders: readonly Responder[]) => {
  const application = await startLoopback(...responders);
  closers.push(() => application[Symbol.asyncDispose]());
  return application;
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
    const application = await startApplication(respond(201, "thanks"));
    const { service } = await start({ webhooksTo: application.baseUrl });
    const transactionId = await send(service);
    await expect.poll(() => service.webhooks).toMatchObject([{ status: 201, response: "thanks" }]);
    const { method, url, headers, body } = application.onlyRequest();
    expect([method, url, headers["content-type"]]).toEqual([
      ...["POST", "/hooks?x=1", "application/json"],
    ]);
    expect(JSON.parse(body)).toEqual({ transactionId, event: "delivered" });
  });

  test("listen posts a webhook after the response to its send, however slow it is", async () => {
    const application = await startApplication(respond(200));
    const { service, server } = await start({ webhooksTo: application.baseUrl });
    service.failNext({ fault: "slow", delayMs: 400 });
    const overHttp = { baseUrl: server.transactionalBaseUrl, fetch: undefined };
    const sending = rcsOf(service, overHttp).sendRcsText(rcsText);
    await expect.poll(() => service.sends).toHaveLength(1);
    await pause(100);
    expect(application.requests).toHaveLength(0);
    await sending;
    await expect.poll(() => application.requests).toHaveLength(1);
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
    const application = await startApplication(respond(307, "", { location: "/elsewhere" }));
    const { service } = await start({ webhooksTo: application.baseUrl });
    await send(service);
    await expect.poll(() => service.webhooks[0]?.status).toBe(307);
    application.onlyRequest();
  });

  test("listen records the beginning of a long response to a webhook, and reads no more", async () => {
    const application = await startApplication(flood(200, "x".repeat(100)));
    const { service } = await start({ webhooksTo: application.baseUrl });
    await send(service);
    await expect.poll(() => service.webhooks[0]?.response).toBe("x".repeat(4096));
  });

  test("listen ends webhooks that are under way when it closes", async () => {
    const application = await startApplication(hang);
    const { service, server } = await start({ webhooksTo: application.baseUrl });
    await send(service);
    await expect.poll(() => application.requests).toHaveLength(1);
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
