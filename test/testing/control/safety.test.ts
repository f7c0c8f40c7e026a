import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { expect, test } from "vitest";
import { openControl } from "./control.ts";

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

const refused = {
  "a Host of another name": { host: "evil.example" },
  "a Host of another name with the right port": { host: "evil.example:PORT" },
  "a Host with another port": { host: "127.0.0.1:1" },
  "an Origin of another site": { origin: "https://evil.example" },
  "an Origin of another port of this machine": { origin: "http://127.0.0.1:3000" },
  "an opaque Origin": { origin: "null" },
  "Sec-Fetch-Site: cross-site": { "sec-fetch-site": "cross-site" },
  "Sec-Fetch-Site: same-site": { "sec-fetch-site": "same-site" },
};

test.each(Object.entries(refused))("%s is refused with 403", async (_, given) => {
  const { service, url } = await openControl();
  service.failNext({ status: 503 });
  const { port } = new URL(url);
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value.replace("PORT", port)]),
  );
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
});

test.each(["127.0.0.1", "localhost"])(
  "a request to %s with its own origin passes",
  async (host) => {
    const { url } = await openControl();
    const { port } = new URL(url);
    const own = { host: `${host}:${port}`, origin: `http://${host}:${port}` };
    const headers = { ...own, "sec-fetch-site": "same-origin" };
    expect((await send(`${url}state`, { headers })).status).toBe(200);
  },
);

test("the page itself opens by a link on another site, and cannot be framed", async () => {
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

test("no response allows another origin, not even a preflight", async () => {
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
