// A page of another origin, in Chromium, that tries to read and to control the fake.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { listen } from "messaging-service-client/testing/node";
import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";
import { CHROMIUM, hasChromium, launchOptions } from "../../support/chromium.ts";
import { createFake } from "../../support/fakes/fake-service.ts";
import { test } from "../../support/test-in-chromium.ts";
import { TIMEOUT_MS } from "./open-inbox.ts";

if (!hasChromium) console.warn(`SKIPPED: hostile pages, for there is no ${CHROMIUM}`);

describe.runIf(hasChromium)("a page of another origin", { timeout: TIMEOUT_MS }, () => {
  let hostile: Server;
  beforeAll(async () => {
    hostile = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><p>Hello</p>");
    });
    await new Promise<void>((resolve) => hostile.listen(0, "127.0.0.1", resolve));
  }, TIMEOUT_MS);
  afterAll(() => hostile.close());

  /** A fake with something to steal and something to break, and a page of another origin. */
  const visit = async (browser: Browser, host: string) => {
    const service = createFake();
    service.addList({ name: "Secret list", keyword_names: ["VIP"], first_optin_message: "Hello" });
    service.failNext({ status: 503 });
    const server = await listen(service, { inbox: true });
    const page = await browser.newPage();
    onTestFinished(async () => {
      await page.close();
      await server.close();
    });
    await page.goto(`http://${host}:${(hostile.address() as AddressInfo).port}/`);
    return { service, page, url: server.inboxUrl ?? "" };
  };

  // The same site on another port, and another site.
  const hosts = ["127.0.0.1", "localhost"];

  test.for(hosts)(
    "a page of the other origin %s cannot read anything",
    async (host, { browser }) => {
      const { page, url } = await visit(browser, host);
      const read = await page.evaluate(async (target) => {
        const results: string[] = [];
        for (const path of ["state", "outbox", "requests", "messages", "inbox.js", ""]) {
          const response = await fetch(target + path).catch(() => undefined);
          results.push(response ? await response.text() : "");
          const opaque = await fetch(target + path, { mode: "no-cors" }).catch(() => undefined);
          results.push(opaque ? await opaque.text() : "");
        }
        const events = new EventSource(`${target}events`);
        const outcome = await new Promise<string>((resolve) => {
          events.onopen = () => resolve("opened");
          events.onerror = () => resolve("");
        });
        events.close();
        return [...results, outcome];
      }, url);
      expect(read.join("")).toBe("");
    },
  );

  test.for(hosts)(
    "a page of the other origin %s cannot control anything",
    async (host, { browser }) => {
      const { service, page, url } = await visit(browser, host);
      await page.evaluate(async (target) => {
        const body = JSON.stringify({ from: "+12065550123", text: "VIP" });
        const attempts: [string, RequestInit][] = [
          ["texts", { method: "POST", body }],
          ["texts", { method: "POST", body, mode: "no-cors" }],
          ["texts", { method: "POST", body, headers: { "content-type": "application/json" } }],
          ["faults", { method: "DELETE" }],
          ["reset", { method: "POST", mode: "no-cors" }],
          ["phones/+12065550123", { method: "PUT", body: '{"rcsReachable":false}' }],
        ];
        for (const [path, init] of attempts) await fetch(target + path, init).catch(() => {});
        navigator.sendBeacon(`${target}reset`, "");
        const frame = document.createElement("iframe");
        frame.name = "target";
        const form = document.createElement("form");
        form.action = `${target}reset`;
        form.method = "post";
        form.target = "target";
        document.body.append(frame, form);
        form.submit();
        await new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
        await new Promise((resolve) => setTimeout(resolve, 300));
      }, url);
      expect(service.phones).toEqual([]);
      expect(service.failures).toHaveLength(1);
      expect(service.lists).toHaveLength(1);
    },
  );

  test("a page of another origin cannot frame the inbox", async ({ browser }) => {
    const { page, url } = await visit(browser, "localhost");
    const framed = await page.evaluate(async (target) => {
      const frame = document.createElement("iframe");
      frame.src = target;
      document.body.append(frame);
      await new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
      return frame.contentDocument === null;
    }, url);
    expect(framed).toBe(true);
    const frame = page.frames().find((one) => one.parentFrame() === page.mainFrame());
    expect(await frame?.locator(".app").count()).toBe(0);
  });

  test("a page of another origin cannot reach the fake by a name that was rebound to this machine", async () => {
    const service = createFake();
    service.addList({ name: "Secret list" });
    const server = await listen(service, { inbox: true });
    const { port } = new URL(server.v2BaseUrl);
    const { chromium } = await import("playwright");
    const rebound = await chromium.launch({
      ...launchOptions,
      args: [...launchOptions.args, "--host-resolver-rules=MAP evil.example 127.0.0.1"],
    });
    onTestFinished(async () => {
      await rebound.close();
      await server.close();
    });
    const page = await rebound.newPage();
    const response = await page.goto(`http://evil.example:${port}/__fake/state`);
    expect(response?.status()).toBe(403);
    expect(await page.content()).not.toContain("Secret list");
  });
});
