import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { listen } from "messaging-service-client/testing/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { basic, createFake } from "../../support/fakes/fake-service.ts";
import { openControl } from "../control/control.ts";

/** Sends a request with headers that `fetch` would not send. Returns the status and the body. */
const send = async (
  url: string,
  { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> },
) => {
  const outgoing = request(url, { method, headers }).end();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  let body = "";
  for await (const chunk of response) body += chunk;
  return { status: response.statusCode, headers: response.headers, body };
};

/** Headers of requests that a browser sends for a page of another origin, or to another host. */
const refused = {
  "a Host of another name": { host: "evil.example" },
  "a Host of another name with the right port": { host: "evil.example:PORT" },
  "a Host with another port": { host: "127.0.0.1:1" },
  "an Origin of another site": { origin: "https://evil.example" },
  "an Origin of another port of this machine": { origin: "http://127.0.0.1:3000" },
  "an opaque Origin": { origin: "null" },
  "an Origin of another scheme": { origin: "https://127.0.0.1:PORT" },
  "Sec-Fetch-Site: cross-site": { "sec-fetch-site": "cross-site" },
  "Sec-Fetch-Site: cross-site, with an Origin that would pass": {
    origin: "http://127.0.0.1:PORT",
    "sec-fetch-site": "cross-site",
  },
  "Sec-Fetch-Site with an unknown value": { "sec-fetch-site": "other" },
  "Sec-Fetch-Site: same-site": { "sec-fetch-site": "same-site" },
};

const withPort = (given: object, url: string): Record<string, string> => {
  const { port } = new URL(url);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, String(value).replace("PORT", port)]),
  );
};

test.each(Object.entries(refused))(
  "the inbox and the control API respond 403 to %s",
  async (_, given) => {
    const { service, url } = await openControl();
    service.failNext({ status: 503 });
    const headers = withPort(given, url);
    for (const [method, path] of [
      ["GET", "state"],
      ["GET", "events"],
      ["GET", "inbox.js"],
      ["POST", "reset"],
      ["DELETE", "faults"],
      ["OPTIONS", "reset"],
    ] as const) {
      const { status, body } = await send(url + path, { method, headers });
      expect(status, `${method} ${path}`).toBe(403);
      expect(body).not.toContain("503");
    }
    expect(service.failures).toHaveLength(1);
  },
);

test.each(Object.entries(refused))(
  "both APIs respond 403 to %s, even with the key, and record nothing",
  async (_, given) => {
    const service = createFake();
    const { id } = service.addReport({ minutes: 0 });
    const server = await listen(service);
    onTestFinished(() => server.close());
    const { account } = service;
    const credentials = { authorization: basic(account), "x-api-key": account.apiKey };
    const headers = { ...credentials, ...withPort(given, server.v2BaseUrl) };
    for (const [method, path] of [
      ["GET", "/api/v2/lists"],
      ["POST", "/api/v2/lists/"],
      ["OPTIONS", "/api/v2/lists"],
      ["POST", "/transactional_messages/send_rcs_text"],
      ["GET", `/reports/${id}.csv`],
    ] as const) {
      const answer = await send(server.v2BaseUrl + path, { method, headers });
      expect(answer.status, `${method} ${path}`).toBe(403);
      expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String), errors: [] });
      expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
    }
    expect(service.requests).toEqual([]);
    expect(service.lists).toEqual([]);
  },
);

test.each(["127.0.0.1", "localhost"])(
  "a request to %s from its own origin is accepted",
  async (host) => {
    const { url } = await openControl();
    const { port } = new URL(url);
    const own = { host: `${host}:${port}`, origin: `http://${host}:${port}` };
    const headers = { ...own, "sec-fetch-site": "same-origin" };
    expect((await send(`${url}state`, { headers })).status).toBe(200);
  },
);

test("the inbox opens by a link on another site, and cannot be framed", async () => {
  const { url } = await openControl();
  const headers = {
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
  };
  const page = await send(url, { headers });
  expect(page.status).toBe(200);
  expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  const framed = await send(url, { headers: { ...headers, "sec-fetch-dest": "iframe" } });
  expect(framed.status).toBe(403);
  const state = await send(`${url}state`, { headers });
  expect(state.status).toBe(403);
});

test("no response of the fake allows another origin, not even to a preflight", async () => {
  const { url } = await openControl();
  for (const method of ["GET", "OPTIONS"]) {
    const { headers } = await send(`${url}state`, { method });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(headers).toMatchObject({
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
  }
});

test("the file of a report opens by a link on another site", async () => {
  const service = createFake();
  const { id } = service.addReport({ minutes: 0, total_rows: 2 });
  const server = await listen(service);
  onTestFinished(() => server.close());
  const headers = {
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
  };
  const file = await send(`${server.v2BaseUrl}/reports/${id}.csv`, { headers });
  expect([file.status, file.headers["content-type"]]).toEqual([200, "text/csv"]);
  const posted = await send(`${server.v2BaseUrl}/reports/${id}.csv`, { method: "POST", headers });
  expect(posted.status).toBe(403);
});

describe("the option allowedOrigins", () => {
  const PAGE = "http://localhost:3000";
  const open = async () => {
    const service = createFake();
    service.addList({ name: "VIP" });
    const server = await listen(service, { inbox: true, allowedOrigins: [`${PAGE}/`] });
    onTestFinished(() => server.close());
    return { service, url: server.v2BaseUrl };
  };
  const crossOrigin = { origin: PAGE, "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" };

  test("the option allowedOrigins admits a page, and its responses allow only this page", async () => {
    const { service, url } = await open();
    const headers = { ...crossOrigin, authorization: basic(service.account) };
    for (const path of ["/api/v2/lists", "/__fake/state", "/nowhere"]) {
      const answer = await send(url + path, { headers });
      expect(answer.status).toBe(path === "/nowhere" ? 501 : 200);
      expect(answer.headers).toMatchObject({
        "access-control-allow-origin": PAGE,
        vary: "origin",
      });
    }
    expect(service.requests).toHaveLength(2);
  });

  test("the option allowedOrigins responds to preflights and does not record them", async () => {
    const { service, url } = await open();
    const asked = "authorization, x-api-key, content-type";
    const preflight = await send(`${url}/api/v2/lists/`, {
      method: "OPTIONS",
      headers: {
        ...crossOrigin,
        "access-control-request-method": "POST",
        "access-control-request-headers": asked,
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      "access-control-allow-origin": PAGE,
      "access-control-allow-methods": "*",
      "access-control-allow-headers": asked,
    });
    expect(service.requests).toEqual([]);
  });

  test.each([
    "http://localhost:3001",
    "https://localhost:3000",
    "http://localhost:3000.evil.example",
    "HTTP://localhost:3000",
    "null",
  ])("the option allowedOrigins does not admit %s", async (origin) => {
    const { service, url } = await open();
    for (const path of ["/api/v2/lists", "/__fake/state"]) {
      for (const headers of [{ ...crossOrigin, origin }, { origin }]) {
        const answer = await send(url + path, { headers });
        expect(answer.status).toBe(403);
        expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
      }
    }
    expect(service.requests).toEqual([]);
  });

  test("the option allowedOrigins admits no page whose own name was rebound", async () => {
    const { url } = await open();
    const headers = { ...crossOrigin, host: "evil.example" };
    expect((await send(`${url}/api/v2/lists`, { headers })).status).toBe(403);
  });
});

test("a proxy may forward the requests of its own pages, as a development server does", async () => {
  const { service, url } = await openControl();
  const headers = { origin: "http://localhost:5173", "sec-fetch-site": "same-origin" };
  const target = new URL("/api/v2/lists", url).href;
  const answer = await send(target, {
    headers: { ...headers, authorization: basic(service.account) },
  });
  expect(answer.status).toBe(200);
});
