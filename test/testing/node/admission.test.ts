// Requests that the fake's server accepts or refuses: one table for host names, and one for pages in browsers.
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { listen } from "messaging-service-client/testing/node";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  isOwnHost,
  parseHost,
  parseOrigin,
  toServerUrl,
} from "../../../src/testing/node/admission.ts";
import { basic, createFake } from "../../support/fakes/fake-service.ts";

const at = (host: string, ...allowedHosts: string[]) => ({ host, port: 4010, allowedHosts });

test.each([
  [true, "127.0.0.1:4010", at("127.0.0.1")],
  [true, "localhost:4010", at("127.0.0.1")],
  [true, "LOCALHOST:4010", at("127.0.0.1")],
  [true, "[::1]:4010", at("127.0.0.1")],
  [true, "127.0.0.1:4010", at("localhost")],
  [true, "10.0.0.5:4010", at("10.0.0.5")],
  [true, "fake.lan:4010", at("fake.lan")],
  [true, "10.0.0.5:8080", at("0.0.0.0")],
  [true, "[fe80::1]:4010", at("::")],
  [true, "localhost:8080", at("0.0.0.0")],
  [true, "fake:4010", at("0.0.0.0", "fake")],
  [true, "fake", at("127.0.0.1", "fake")],
  [true, "127.0.0.1", { host: "127.0.0.1", port: 80, allowedHosts: [] }],
  [false, "evil.example.com:4010", at("127.0.0.1")],
  [false, "localhost.evil.example.com:4010", at("127.0.0.1")],
  [false, "127.0.0.1.evil.example.com:4010", at("127.0.0.1")],
  [false, "evil.example.com:4010", at("0.0.0.0")],
  [false, "evil.example.com:4010", at("0.0.0.0", "fake")],
  [false, "127.0.0.1:4011", at("127.0.0.1")],
  [false, "10.0.0.6:4010", at("10.0.0.5")],
  [false, "", at("127.0.0.1")],
  [false, undefined, at("127.0.0.1")],
  [false, "user@127.0.0.1:4010", at("127.0.0.1")],
  [false, "127.0.0.1:4010/path", at("127.0.0.1")],
  [false, "127.0.0.1:4010, evil.example.com", at("127.0.0.1")],
  [false, "a b", at("127.0.0.1")],
])("isOwnHost returns %s for the header %s", (isOwn, header, listening) => {
  expect(isOwnHost(header, listening)).toBe(isOwn);
});

test.each([
  ["localhost", "localhost"],
  ["Fake.LAN", "fake.lan"],
  ["127.1", "127.0.0.1"],
  ["0.0.0.0", "0.0.0.0"],
  ["::1", "::1"],
  ["[::1]", "::1"],
  ["0:0:0:0:0:0:0:1", "::1"],
  ...["", " ", "a b", "a:80", "[::1]:80", "http://a", "a/b", "u@a", "999.1.1.1", "%20"].map(
    (value) => [value],
  ),
  ...["fe80::1%eth0", 5, undefined].map((value) => [value]),
])("parseHost reads %j as %j", (value, host) => {
  expect(parseHost(value)).toBe(host);
});

test.each([
  ["http://localhost:3000", "http://localhost:3000"],
  ["HTTP://LocalHost:80/", "http://localhost"],
  ["https://app.example.com", "https://app.example.com"],
  ["capacitor://localhost", "capacitor://localhost"],
  ...["*", "null", "localhost:3000", "http://a/b", "http://a?b", "http://u@a", "http:a"].map(
    (value) => [value],
  ),
  ...["file:///a", "data:text/html,a", " http://a", "", undefined].map((value) => [value]),
])("parseOrigin reads %j as %j", (value, origin) => {
  expect(parseOrigin(value)).toBe(origin);
});

test.each([
  ["127.0.0.1", "http://127.0.0.1:4010"],
  ["::1", "http://[::1]:4010"],
  ["0.0.0.0", "http://127.0.0.1:4010"],
  ["::", "http://[::1]:4010"],
])("the base URL of a server on %s is %s", (host, url) => {
  expect(toServerUrl(host, 4010)).toBe(url);
});

test.each([
  [{ host: "" }, /host must be a host name or an address, such as .*; 0\.0\.0\.0/],
  [{ host: " " }, /host must be a host name or an address/],
  [{ host: "http://127.0.0.1" }, /host must be a host name or an address/],
  [{ port: 70_000 }, /port must be an integer/],
  [{ allowedHosts: "fake" }, /allowedHosts must be an array of host names without a port/],
  [
    { allowedHosts: ["fake:80"] },
    /allowedHosts\.0 must be a host name without a port, such as fake/,
  ],
  [{ allowedOrigins: "http://localhost:3000" }, /allowedOrigins must be an array of origins/],
  [{ allowedOrigins: ["*"] }, /allowedOrigins\.0 must be the origin of a web page, such as http/],
  [{ allowedOrigins: ["a.example", "null"] }, /allowedOrigins\.1 must be the origin of a web page/],
  [{ webhooksTo: "127.0.0.1:3000" }, /webhooksTo must be an origin/],
  [{ webhooksTo: "http://127.0.0.1:3000/hooks" }, /webhooksTo must be an origin/],
  [{ webhooksTo: "http://app:3000" }, /webhooksTo must be on this machine, unless/],
  [{ allowedOrigin: ["http://localhost:3000"] }, /`allowedOrigin`.* mean `allowedOrigins`/],
  [{ webhooksAnywhere: "yes" }, /webhooksAnywhere must be true or false/],
])("listen refuses %j", async (options, message) => {
  const listening = listen(createFake(), options as never);
  await expect(listening).rejects.toThrow(message);
  await expect(listening).rejects.toBeInstanceOf(TypeError);
});

test("listen refuses a body of more than 1 MiB with 413", async () => {
  const { service, url } = await open();
  const body = "x".repeat(1_048_577);
  expect((await fetch(`${url}/api/v2/lists/`, { method: "POST", body })).status).toBe(413);
  expect(service.requests).toEqual([]);
});

test("listen responds 413 to a caller that reads nothing before its large body is sent", async () => {
  const { url } = await open();
  const { port } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1").pause();
  onTestFinished(() => void socket.destroy());
  const length = 50_000_000;
  socket.write(`POST / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-length: ${length}\r\n\r\n`);
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.write(Buffer.alloc(length, "x"), () => resolve());
  });
  const [head] = (await once(socket.setEncoding("utf8").resume(), "data")) as [string];
  expect(head).toMatch(/^HTTP\/1\.1 413 /);
});

/** Origin of a page that the server allows. */
const PAGE = "http://localhost:3000";

/** Starts a fake with data to read and to change. It allows `PAGE` and the host `fake`. */
const open = async () => {
  const service = createFake();
  service.addList({ name: "Secret list" });
  service.addReport({ minutes: 0, total_rows: 2 });
  const options = { inbox: true, allowedOrigins: [`${PAGE}/`], allowedHosts: ["fake"] };
  const server = await listen(service, options);
  onTestFinished(() => server.close());
  return { service, url: server.v2BaseUrl };
};

/** Sends a request with headers that `fetch` does not allow. Returns the status and the body. */
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

const CROSS = { "sec-fetch-site": "cross-site" };
const LINK = { ...CROSS, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

/** Headers that a browser sends with requests from a page of a different origin, or to a different host. */
const REFUSED: Readonly<Record<string, Record<string, string>>> = {
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
  "an allowed Origin, with a Host of another name": { origin: PAGE, host: "evil.example" },
  ...Object.fromEntries(
    [
      "http://localhost:3001",
      "https://localhost:3000",
      `${PAGE}.evil.example`,
      "HTTP://localhost:3000",
    ].map((origin) => [`the Origin ${origin}`, { ...CROSS, origin }]),
  ),
};

/** Requests to both APIs, the inbox page and the control API. */
const CALLS = [
  ["GET", "/__fake/state"],
  ["GET", "/__fake/events"],
  ["GET", "/__fake/inbox.js"],
  ["POST", "/__fake/reset"],
  ["DELETE", "/__fake/faults"],
  ["OPTIONS", "/__fake/reset"],
  ["GET", "/api/v2/lists"],
  ["POST", "/api/v2/lists/"],
  ["OPTIONS", "/api/v2/lists"],
  ["POST", "/transactional_messages/send_rcs_text"],
  ["GET", "/reports/3.csv"],
] as const;

const withPort = (given: object, url: string): Record<string, string> => {
  const { port } = new URL(url);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, String(value).replace("PORT", port)]),
  );
};

describe("requests of browsers", () => {
  test.each(Object.entries(REFUSED))(
    "every address responds 403 to %s, even with the key, and records and changes nothing",
    async (_, given) => {
      const { service, url } = await open();
      service.failNext({ status: 503 });
      const { account } = service;
      const credentials = { authorization: basic(account), "x-api-key": account.apiKey };
      const headers = { ...credentials, ...withPort(given, url) };
      for (const [method, path] of CALLS) {
        const answer = await send(url + path, { method, headers });
        expect(answer.status, `${method} ${path}`).toBe(403);
        expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String), errors: [] });
        expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
      }
      expect([service.requests, service.failures.length, service.lists.length]).toEqual([[], 1, 1]);
    },
  );

  test.each([
    [
      "from its own origin",
      { host: "localhost:PORT", origin: "http://localhost:PORT", "sec-fetch-site": "same-origin" },
    ],
    ["to an allowed host", { host: "fake:8080" }],
    [
      "that a proxy forwards for its own pages",
      { origin: "http://localhost:5173", "sec-fetch-site": "same-origin" },
    ],
  ])("a request %s is accepted", async (_, given) => {
    const { service, url } = await open();
    const headers = { ...withPort(given, url), authorization: basic(service.account) };
    for (const path of ["/__fake/state", "/api/v2/lists"]) {
      expect((await send(url + path, { headers })).status).toBe(200);
    }
  });

  test("a link on another site opens the inbox and the file of a report, but not in a frame or by POST", async () => {
    const { url } = await open();
    const statusOf = async (path: string, headers = {}, method = "GET") =>
      (await send(url + path, { method, headers: { ...LINK, ...headers } })).status;
    for (const path of ["/__fake/", "/reports/3.csv"]) {
      expect(await statusOf(path)).toBe(200);
      expect(await statusOf(path, { "sec-fetch-dest": "iframe" })).toBe(403);
      expect(await statusOf(path, {}, "POST")).toBe(403);
    }
    expect(await statusOf("/__fake/state")).toBe(403);
  });

  test("the inbox cannot be framed, and its responses allow no other origin, not even to a preflight", async () => {
    const { url } = await open();
    const page = await send(`${url}/__fake/`, {});
    expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    for (const method of ["GET", "OPTIONS"]) {
      const { headers } = await send(`${url}/__fake/state`, { method });
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(headers).toMatchObject({
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
      });
    }
  });

  test("the option allowedOrigins admits a page, allows only this page, and does not record its preflights", async () => {
    const { service, url } = await open();
    const page = { ...CROSS, origin: PAGE, "sec-fetch-mode": "cors" };
    const allowed = { "access-control-allow-origin": PAGE, vary: "origin" };
    const asked = "authorization, x-api-key, content-type";
    const preflight = await send(`${url}/api/v2/lists/`, {
      method: "OPTIONS",
      headers: {
        ...page,
        "access-control-request-method": "POST",
        "access-control-request-headers": asked,
      },
    });
    const methods = { "access-control-allow-methods": "*", "access-control-allow-headers": asked };
    expect(preflight).toMatchObject({ status: 204, headers: { ...allowed, ...methods } });
    expect(service.requests).toEqual([]);
    const headers = { ...page, authorization: basic(service.account) };
    for (const [path, status] of [
      ["/api/v2/lists", 200],
      ["/__fake/state", 200],
      ["/nowhere", 501],
    ] as const) {
      expect(await send(url + path, { headers })).toMatchObject({ status, headers: allowed });
    }
  });
});
