// Credentials are sent only to the service. The fault matrix tests redirects with every kind of call.
import { describe, expect, test, vi } from "vitest";
import type { FetchLike } from "../../../src/core/transport/transport.ts";
import { checkFile } from "../../../src/index.ts";
import { API_KEY, BASIC, clientsOf, EMAIL, errorOf, KINDS } from "../../support/calls.ts";
import {
  type Loopback,
  type Responder,
  respond,
  startLoopback,
} from "../../support/servers/loopback.ts";

// The timeout allows for real sockets on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const SECRETS = [API_KEY, BASIC, EMAIL];

/** Asserts that no request to a server contains credentials. */
const expectNoCredentials = ({ requests }: Loopback) => {
  for (const { url, headers, body } of requests) {
    const received = JSON.stringify([url, headers, body]);
    for (const secret of SECRETS) expect(received).not.toContain(secret);
    for (const name of ["authorization", "x-api-key", "cookie", "proxy-authorization"]) {
      expect(headers).not.toHaveProperty(name);
    }
  }
};

describe("URLs as the path of request()", () => {
  const WAYS_OUT: readonly (readonly [name: string, path: (host: string) => string])[] = [
    ["an absolute URL", (host) => `http://${host}/take`],
    ["a URL with a user before its host", (host) => `http://a:b@${host}/take`],
    ["a URL without a scheme", (host) => `//${host}/take`],
    ["three slashes before the host", (host) => `///${host}/take`],
    ["two backslashes before the host", (host) => `\\\\${host}/take`],
    ["a slash and a backslash before the host", (host) => `/\\${host}/take`],
    ["a host after an empty user", (host) => `@${host}/take`],
    ["a password and a host", (host) => `:b@${host}/take`],
    ["a step up and a host", (host) => `/..//${host}/take`],
    ["white space before a URL", (host) => ` http://${host}/take`],
    ["a line break before a host", (host) => `\n//${host}/take`],
    ["a file URL", () => "file:///etc/hostname"],
    ["a data URL", () => "data:application/json,{}"],
  ];

  test.each(WAYS_OUT)(
    "request() refuses the path with %s, and sends nothing",
    async (_, pathOf) => {
      await using elsewhere = await startLoopback(respond(200, {}));
      await using server = await startLoopback(respond(200, {}));
      const path = pathOf(new URL(elsewhere.baseUrl).host);
      const { v2, rcs } = clientsOf(server);
      for (const client of [v2, rcs]) {
        for (const validateRequests of [true, false]) {
          const call = client.request({ method: "GET", path }, { validateRequests });
          expect(await errorOf(call)).toMatchObject({ code: "validation", outcome: "not_sent" });
        }
      }
      expect(elsewhere.requests).toEqual([]);
      expect(server.requests).toEqual([]);
    },
  );

  test.each(WAYS_OUT)(
    "request() sends a parameter with %s within one path segment",
    async (_, pathOf) => {
      await using elsewhere = await startLoopback(respond(200, {}));
      await using server = await startLoopback(respond(200, {}));
      const N = pathOf(new URL(elsewhere.baseUrl).host);
      const { rcs } = clientsOf(server);
      const templates = ["/{N}", "/a/{N}/b", "/a{N}"];
      for (const path of templates) await rcs.request({ method: "GET", path, params: { N } });
      expect(elsewhere.requests).toEqual([]);
      expect(server.requests).toHaveLength(templates.length);
    },
  );
});

describe("responses that point to another origin", () => {
  const HEADERS: readonly (readonly [name: string, headers: (url: string) => object])[] = [
    ["location of a success", (url) => ({ location: url })],
    ["content-location", (url) => ({ "content-location": url })],
    ["refresh", (url) => ({ refresh: `0;url=${url}` })],
    ["link to the next page", (url) => ({ link: `<${url}>; rel="next"` })],
  ];

  test.each(HEADERS)(
    "a response that points to another origin by %s is not followed",
    async (_, headersOf) => {
      await using elsewhere = await startLoopback(respond(200, {}));
      for (const kind of KINDS) {
        const headers = headersOf(`${elsewhere.baseUrl}/take`) as Record<string, string>;
        await using server = await startLoopback(respond(201, kind.success, headers));
        await kind.call(clientsOf(server));
        server.onlyRequest();
      }
      expect(elsewhere.requests).toEqual([]);
    },
  );

  test("a cookie of a response is never sent back", async () => {
    await using server = await startLoopback(respond(200, {}, { "set-cookie": "session=s-1" }));
    const { v2, rcs } = clientsOf(server);
    for (const client of [v2, rcs, v2, rcs]) await client.request({ method: "GET", path: "/a" });
    for (const { headers } of server.requests) expect(headers).not.toHaveProperty("cookie");
  });
});

describe("credentials of two clients", () => {
  test("a client never sends another client's credential, whatever they share", async () => {
    await using server = await startLoopback(respond(200, {}));
    const throttle = { acquire: async () => {} };
    const { v2, rcs } = clientsOf(server, { throttle, headers: { "x-shared": "yes" } });
    await v2.request({ method: "GET", path: "/a" });
    await rcs.request({ method: "GET", path: "/a" });
    const [first, second] = server.requests.map(({ headers }) => headers);
    expect(first).toMatchObject({ authorization: `Basic ${BASIC}` });
    expect(first).not.toHaveProperty("x-api-key");
    expect(second).toMatchObject({ "x-api-key": API_KEY });
    expect(second).not.toHaveProperty("authorization");
  });
});

describe("credentials and checkFile", () => {
  const PDF = { "content-type": "application/pdf", "content-length": "5" };
  const found: Responder = ({ response }) => response.writeHead(200, PDF).end();

  test("checkFile sends no credential to the file's host or its redirects", async () => {
    await using cdn = await startLoopback(found);
    await using host = await startLoopback(({ response }) =>
      response
        .writeHead(302, { location: "https://cdn.example.com/a.pdf", "set-cookie": "s=1" })
        .end(),
    );
    // Connects https URLs to loopback and uses the real fetch for everything else.
    const fetch: FetchLike = (url, init) => {
      const { pathname, hostname } = new URL(url);
      const { baseUrl } = hostname.startsWith("cdn.") ? cdn : host;
      return globalThis.fetch(baseUrl + pathname, init);
    };
    clientsOf(host);
    expect(await checkFile("https://files.example.com/a", { fetch })).toMatchObject({ size: 5 });
    for (const server of [host, cdn]) {
      expect(server.onlyRequest().method).toBe("HEAD");
      expectNoCredentials(server);
    }
  });
});

test("a send passes the URL of a file to the service, and does not request it", async () => {
  await using host = await startLoopback(respond(200, ""));
  const asked: string[] = [];
  const fetch: FetchLike = async (url) => {
    asked.push(new URL(url).origin);
    return Response.json({ message: "Accepted", transactionId: "t-1" }, { status: 202 });
  };
  const { rcs } = clientsOf({ baseUrl: "https://rcs.example.com" }, { fetch });
  await rcs.sendRcsFile({
    phoneNumber: "+12065550123",
    webhookUrl: "https://example.com/webhooks",
    rcsPayload: { file: { url: `https://${new URL(host.baseUrl).host}/menu.pdf` } },
    smsFailover: "Our menu",
  });
  expect(asked).toEqual(["https://rcs.example.com"]);
  expect(host.requests).toEqual([]);
});
