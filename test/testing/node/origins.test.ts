// A page of a different origin, in Chromium, that tries to read from the fake and to control it.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { listen } from "messaging-service-client/testing/node";
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";
import { CHROMIUM, hasChromium } from "../../support/chromium.ts";
import { createFake } from "../../support/fakes/fake-service.ts";
import { test } from "../../support/test-in-chromium.ts";
import { TIMEOUT_MS } from "../inbox/open-inbox.ts";

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

  /** Opens a page of a different origin, and starts a fake with data to steal and to change. */
  const visit = async (page: Page, host: string, allowedOrigins: string[] = []) => {
    const service = createFake();
    service.addList({ name: "Secret list", keyword_names: ["VIP"], first_optin_message: "Hello" });
    service.failNext({ status: 503 });
    const server = await listen(service, { inbox: true, allowedOrigins });
    onTestFinished(() => server.close());
    await page.goto(`http://${host}:${(hostile.address() as AddressInfo).port}/`);
    const { email, apiKey } = service.account;
    const api = { url: server.v2BaseUrl, basic: `Basic ${btoa(`${email}:${apiKey}`)}`, apiKey };
    return { service, api, url: server.inboxUrl ?? "" };
  };

  // The same site on a different port, and a different site.
  const hosts = ["127.0.0.1", "localhost"];

  const pageOrigin = (host: string) => `http://${host}:${(hostile.address() as AddressInfo).port}`;

  /** Calls both APIs from a page with credentials, as a client does. Returns the statuses, with 0 for a failed call. */
  const callApis = (page: Page, api: { url: string; basic: string; apiKey: string }) =>
    page.evaluate(async ({ url, basic, apiKey }) => {
      const json = { "content-type": "application/json" };
      const message = {
        phoneNumber: "+12065550123",
        webhookUrl: "https://example.com/hooks",
        rcsPayload: { text: "Hi" },
        smsFailover: "Hi",
      };
      const calls: [string, RequestInit][] = [
        ["/api/v2/lists", { headers: { ...json, authorization: basic } }],
        [
          "/api/v2/lists/",
          { method: "POST", headers: { ...json, authorization: basic }, body: '{"list":{}}' },
        ],
        [
          "/transactional_messages/send_rcs_text",
          {
            method: "POST",
            headers: { ...json, "x-api-key": apiKey },
            body: JSON.stringify(message),
          },
        ],
        ["/__fake/state", {}],
        ["/__fake/clock", { method: "POST", headers: json, body: '{"hours":1}' }],
        ["/__fake/faults", { method: "DELETE" }],
      ];
      const statuses: number[] = [];
      for (const [path, init] of calls) {
        const response = await fetch(url + path, init).catch(() => undefined);
        if (response) await response.text();
        statuses.push(response?.status ?? 0);
      }
      const events = new EventSource(`${url}/__fake/events`);
      statuses.push(
        await new Promise<number>((resolve) => {
          events.onopen = () => resolve(200);
          events.onerror = () => resolve(0);
        }),
      );
      events.close();
      return statuses;
    }, api);

  test.for(hosts)(
    "a page of the other origin %s can neither read nor control the fake, even with the key",
    async (host, { page }) => {
      const { service, api, url } = await visit(page, host);
      expect(await callApis(page, api)).toEqual([0, 0, 0, 0, 0, 0, 0]);
      const read = await page.evaluate(async (target) => {
        const bodies: string[] = [];
        for (const path of ["state", "requests", "inbox.js", ""]) {
          const opaque = await fetch(target + path, { mode: "no-cors" }).catch(() => undefined);
          bodies.push(opaque ? await opaque.text() : "");
        }
        // Requests without a preflight.
        const body = JSON.stringify({ from: "+12065550123", text: "VIP" });
        await fetch(`${target}texts`, { method: "POST", body, mode: "no-cors" }).catch(() => {});
        navigator.sendBeacon(`${target}reset`, "");
        const frame = document.createElement("iframe");
        frame.name = "target";
        const form = document.createElement("form");
        Object.assign(form, { action: `${target}reset`, method: "post", target: "target" });
        document.body.append(frame, form);
        const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
        form.submit();
        await loaded;
        await new Promise((resolve) => {
          const image = new Image();
          image.onerror = resolve;
          image.src = new URL("/api/v2/lists", target).href;
        });
        return bodies;
      }, url);
      expect(read.join("")).toBe("");
      expect([service.requests, service.phones, service.failures.length]).toEqual([[], [], 1]);
      expect(service.lists).toHaveLength(1);
    },
  );

  test.for(hosts)(
    "a page of the allowed origin %s can call the fake, and no other page can",
    async (host, { page }) => {
      const { service, api } = await visit(page, host, [pageOrigin(host)]);
      service.clearFailures();
      expect(await callApis(page, api)).toEqual([200, 201, 202, 200, 200, 204, 200]);
      expect(service.sends).toHaveLength(1);
      const [other = ""] = hosts.filter((name) => name !== host);
      await page.goto(`${pageOrigin(other)}/`);
      expect(await callApis(page, api)).toEqual([0, 0, 0, 0, 0, 0, 0]);
      expect(service.requests).toHaveLength(3);
    },
  );
});
