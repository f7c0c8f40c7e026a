// Requests by real dispatchers of undici 6, 7 and 8 to real servers.
import { getEventListeners, once } from "node:events";
import { createGzip } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { VERSION } from "../../../src/core/transport/platform.ts";
import { ApiError, checkFile, fetchFrom } from "../../../src/index.ts";
import {
  account,
  clientsOf,
  errorOf,
  KINDS,
  message,
  singleOptIn,
  sleep,
  transaction,
} from "../../support/calls.ts";
import { UNDICI } from "../../support/dispatchers.ts";
import {
  flood,
  hang,
  resetAfterReading,
  respond,
  startLoopback,
} from "../../support/servers/loopback.ts";
import { startRaw } from "../../support/servers/raw-server.ts";
import { SECRETS, shownOf } from "../../support/telltale.ts";

vi.setConfig({ testTimeout: 30_000 });

describe.each(UNDICI)("a dispatcher of undici $major", ({ undici }) => {
  const { Agent } = undici;
  const agent = new Agent();
  const fetch = fetchFrom(agent);
  const accountJson = JSON.stringify(account);

  test.each(KINDS)("$kind arrives as it does with fetch", async (kind) => {
    await using server = await startLoopback(respond(200, kind.success));
    await kind.call(clientsOf(server, { fetch: globalThis.fetch }));
    await kind.call(clientsOf(server, { fetch }));
    const [plain, carried] = server.requests.map(({ method, url, body, headers }) => {
      // Ignores browser headers, and the headers that differ on purpose.
      const { "accept-language": _, "sec-fetch-mode": __, ...others } = headers;
      return { method, url, body, headers: { ...others, "accept-encoding": "", "user-agent": "" } };
    });
    expect(carried).toEqual(plain);
    expect(server.requests[1]?.headers).toMatchObject({
      "accept-encoding": "gzip",
      "user-agent": `messaging-service-client/${VERSION}`,
    });
  });

  test("a header that a factory of the application adds to one request is not in the next request", async () => {
    await using server = await startLoopback(respond(200, account));
    let tenant = "first";
    const tagging = new Agent({
      factory: (origin, options) => {
        const pool = new undici.Pool(origin, options);
        const dispatch = pool.dispatch.bind(pool);
        pool.dispatch = (request, handler) => {
          const headers = request.headers as Record<string, string>;
          headers["x-tenant"] ??= tenant;
          return dispatch(request, handler);
        };
        return pool;
      },
    });
    const { v2 } = clientsOf(server, { fetch: fetchFrom(tagging) });
    await v2.accounts.me();
    tenant = "second";
    await v2.accounts.me();
    await v2.accounts.me({ headers: { "x-tenant": "third" } });
    await v2.accounts.me();
    const tenants = server.requests.map(({ headers }) => headers["x-tenant"]);
    expect(tenants).toEqual(["first", "second", "third", "second"]);
    await tagging.destroy();
  });

  test.each(["/a", "/a'b", '/"a"', "/ä", "/.a", "/a%2e", "/a//b", "/a/", "/a|b", "/a^b"])(
    "the path %s arrives as it does with fetch",
    async (path) => {
      await using server = await startLoopback(respond(200, account));
      for (const carrier of [globalThis.fetch, fetch]) {
        const { v2 } = clientsOf(server, { fetch: carrier });
        await v2.accounts.me();
        await v2.request({ method: "GET", path, query: { q: "it's (1) ~ä" } });
      }
      const [, plain, , carried] = server.requests.map(({ url }) => url);
      expect(carried).toBe(plain);
    },
  );

  test("withResponse gives the status, the headers and the URL", async () => {
    const headers = { "x-request-id": "5f3a", "set-cookie": ["a=1", "b=2"], "x-umlaut": "\xfc" };
    await using server = await startLoopback(respond(200, account, headers, "Fine \xfc"));
    const { v2 } = clientsOf(server, { fetch });
    const call = v2.accounts.me();
    const { data, response } = await call.withResponse();
    expect((await call.withResponse()).response).toBe(response);
    expect(data).toEqual(account.account);
    expect(response).toBeInstanceOf(Response);
    expect(response).toMatchObject({ ok: true, status: 200, redirected: false });
    expect(response.url).toBe(`${server.baseUrl}/api/v2/accounts/me`);
    expect(response.headers.get("x-request-id")).toBe("5f3a");
    expect(response.headers.get("x-umlaut")).toBe("\xfc");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.bodyUsed).toBe(true);
    await expect(response.json()).rejects.toThrow(TypeError);
  });

  test("an informational response is not the response", async () => {
    await using server = await startLoopback(async ({ read, response }) => {
      await read();
      response.writeEarlyHints({ link: "</style.css>; rel=preload" });
      response.writeProcessing();
      response.end(accountJson);
    });
    expect(await clientsOf(server, { fetch }).v2.accounts.me()).toEqual(account.account);
  });

  test.each([
    "HTTP/1.1 100 Continue\r\n\r\n",
    "HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n",
  ])(
    "a send whose response follows %j is sent once and succeeds, or has an unknown outcome",
    async (before) => {
      let requests = 0;
      await using server = await startRaw((socket) => {
        requests += 1;
        const body = JSON.stringify(transaction);
        socket.write(before);
        return socket.write(`HTTP/1.1 202 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      });
      const sent = clientsOf(server, { fetch }).rcs.sendRcsText(message);
      // undici refuses a 100 that it did not ask for.
      if (before.includes("100")) expect(await errorOf(sent)).toMatchObject({ outcome: "unknown" });
      else expect(await sent).toMatchObject(transaction);
      expect(requests).toBe(1);
    },
  );

  test("trailers of a response are ignored", async () => {
    await using server = await startLoopback(async ({ read, response }) => {
      await read();
      response.writeHead(200, { trailer: "x-sum" });
      response.write(accountJson);
      response.addTrailers({ "x-sum": "5" });
      response.end();
    });
    const { response } = await clientsOf(server, { fetch }).v2.accounts.me().withResponse();
    expect(response.headers.get("x-sum")).toBeNull();
  });

  test("no text is sent twice if the service closes a kept-alive connection as the request arrives", async () => {
    let requests = 0;
    await using server = await startRaw((socket) => {
      requests += 1;
      if (requests > 1) return socket.destroy();
      const body = JSON.stringify(transaction);
      return socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    });
    const { rcs } = clientsOf(server, { fetch });
    await rcs.sendRcsText(message);
    const error = await errorOf(rcs.sendRcsText(message));
    expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
    expect(requests).toBe(2);
  });

  test("an aborted upload closes its socket", async () => {
    const controller = new AbortController();
    // The service starts to read only after the client has aborted.
    await using server = await startLoopback(async ({ read }) => {
      await once(controller.signal, "abort");
      await read();
    });
    const json = { note: "x".repeat(20_000_000) };
    const { rcs } = clientsOf(server, { fetch });
    const request = { method: "POST", path: "/notes", json } as const;
    const failed = errorOf(rcs.request(request, { signal: controller.signal }));
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort();
    expect(await failed).toMatchObject({ code: "abort", outcome: "unknown" });
    await expect.poll(() => server.onlyRequest().abandoned).toBe(true);
  });

  test("a call that is aborted while its request waits for a connection is never sent", async () => {
    await using server = await startLoopback(hang, respond(200, account));
    const narrow = new Agent({ connections: 1, pipelining: 1 });
    const { v2 } = clientsOf(server, { fetch: fetchFrom(narrow), retry: 0 });
    const [first, second] = [new AbortController(), new AbortController()];
    const blocking = errorOf(v2.accounts.me({ signal: first.signal }));
    await expect.poll(() => server.requests.length).toBe(1);
    const waiting = errorOf(v2.accounts.me({ signal: second.signal }));
    second.abort();
    await waiting;
    first.abort();
    await blocking;
    await v2.accounts.me();
    expect(server.requests).toHaveLength(2);
    await narrow.close();
  });

  test.each(["close", "destroy"] as const)(
    "a call after %s() of the dispatcher sends nothing",
    async (end) => {
      await using server = await startLoopback(respond(200, transaction));
      const ended = new Agent();
      const { rcs } = clientsOf(server, { fetch: fetchFrom(ended) });
      await ended[end]();
      const error = await errorOf(rcs.sendRcsText(message));
      expect(error).toMatchObject({ code: "connection", outcome: "not_sent", attempts: 3 });
      expect(error.message).toMatch(/UND_ERR_(CLOSED|DESTROYED)/);
      expect(server.requests).toEqual([]);
    },
  );

  test("a dispatcher that is destroyed during a send leaves its outcome unknown", async () => {
    await using server = await startLoopback(hang);
    const ended = new Agent();
    const failed = errorOf(clientsOf(server, { fetch: fetchFrom(ended) }).rcs.sendRcsText(message));
    await expect.poll(() => server.requests.length).toBe(1);
    await ended.destroy();
    expect(await failed).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
  });

  test.each(["MockAgent", "MockPool"])(
    "a %s responds, and its requests reach no network",
    async (kind) => {
      const mock = new undici.MockAgent();
      mock.disableNetConnect();
      const service = mock.get("https://rcs.example.com");
      const path = "/transactional_messages/send_rcs_text";
      const bodies: string[] = [];
      service.intercept({ path, method: "POST" }).reply(202, ({ body }) => {
        bodies.push(String(body));
        return transaction;
      });
      const base = { baseUrl: "https://rcs.example.com" };
      const { rcs } = clientsOf(base, { fetch: fetchFrom(kind === "MockPool" ? service : mock) });
      expect(await rcs.sendRcsText(message)).toMatchObject(transaction);
      expect(JSON.parse(bodies[0] ?? "")).toMatchObject({ smsFailover: message.smsFailover });
      const error = await errorOf(rcs.sendRcsText(message, { retry: 0 }));
      expect(error).toMatchObject({ code: "connection", outcome: "not_sent" });
      expect(error.message).toContain("UND_MOCK_ERR_MOCK_NOT_MATCHED");
      await mock.close();
    },
  );

  test("retries of an interceptor are turned off", async () => {
    const composed = agent.compose(undici.interceptors.retry({ maxRetries: 3, minTimeout: 1 }));
    for (const fault of [respond(503), resetAfterReading]) {
      await using server = await startLoopback(fault);
      const { v2 } = clientsOf(server, { fetch: fetchFrom(composed), retry: 0 });
      const error = await errorOf(v2.lists.configureOptIn(17, singleOptIn));
      expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
      server.onlyRequest();
    }
  });

  test("redirects of an interceptor are not followed", async () => {
    await using elsewhere = await startLoopback(respond(200, account));
    const location = `${elsewhere.baseUrl}/take`;
    await using server = await startLoopback(respond(307, "", { location }));
    const composed = agent.compose(undici.interceptors.redirect({ maxRedirections: 5 }));
    const { rcs } = clientsOf(server, { fetch: fetchFrom(composed) });
    const error = await errorOf(rcs.sendRcsText(message));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 307, outcome: "rejected" });
    expect(elsewhere.requests).toEqual([]);
  });

  test.each(KINDS)("no error of $kind shows a key, a phone number or a text", async (kind) => {
    for (const fault of [resetAfterReading, hang, respond(503), respond(401)]) {
      await using server = await startLoopback(fault);
      const error = await errorOf(kind.call(clientsOf(server, { fetch, timeout: 200, retry: 0 })));
      for (const secret of SECRETS) expect(shownOf(error)).not.toContain(secret);
    }
  });

  test("the time limits of a dispatcher do not end a call without time limits", async () => {
    const impatient = new Agent({ headersTimeout: 300, bodyTimeout: 300 });
    await using server = await startLoopback(async ({ read, response }) => {
      await read();
      setTimeout(() => response.end(accountJson), 2500);
    });
    const { v2 } = clientsOf(server, { fetch: fetchFrom(impatient), timeout: false });
    expect(await v2.accounts.me()).toEqual(account.account);
    await impatient.close();
  });

  describe("called by a function around it", () => {
    test.each([
      ["plain", undefined],
      ["compressed", "gzip"],
    ])("a %s body is a stream that makes the sender wait until it is read", async (_, coding) => {
      let sent = 0;
      await using server = await startLoopback(({ response }) => {
        if (coding) response.setHeader("content-encoding", coding);
        const body = coding ? createGzip({ level: 0 }) : response;
        if (body !== response) body.pipe(response);
        const pour = () => {
          do sent += 65_536;
          while (!response.destroyed && body.write(Buffer.alloc(65_536)));
        };
        body.on("drain", pour);
        pour();
      });
      const response = await fetch(server.baseUrl, {});
      const reader = response.body?.getReader();
      await reader?.read();
      // Waits until the sender stops because all buffers are full.
      for (let before = -1; before < sent && sent < 1e8; await sleep(300)) before = sent;
      expect(sent).toBeLessThan(30_000_000);
      const held = sent;
      for (let chunks = 0; chunks < 1000; chunks += 1) await reader?.read();
      await expect.poll(() => sent).toBeGreaterThan(held);
      await reader?.cancel();
      await expect.poll(() => server.onlyRequest().abandoned).toBe(true);
    });

    test("the endless body of a 205 is cut off early", async () => {
      let sent = 0;
      await using server = await startLoopback(({ response }) => {
        response.writeHead(205);
        const pour = () => {
          do sent += 65_536;
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        };
        response.on("drain", pour);
        pour();
      });
      expect((await fetch(server.baseUrl, {})).status).toBe(205);
      await expect.poll(() => server.onlyRequest().abandoned).toBe(true);
      expect(sent).toBeLessThan(30_000_000);
    });

    test("a signal ends the body, and is released when the body has ended", async () => {
      await using server = await startLoopback(respond(200, account), flood(200, "x"));
      const { signal } = new AbortController();
      expect(await (await fetch(server.baseUrl, { signal })).json()).toEqual(account);
      expect(getEventListeners(signal, "abort")).toEqual([]);
      const controller = new AbortController();
      const response = await fetch(server.baseUrl, { signal: controller.signal });
      const reason = new Error("the user left");
      controller.abort(reason);
      await expect(response.text()).rejects.toBe(reason);
      await expect.poll(() => server.requests[1]?.abandoned).toBe(true);
      await expect(fetch(server.baseUrl, { signal: AbortSignal.abort(reason) })).rejects.toBe(
        reason,
      );
    });

    test("checkFile uses a function around the dispatcher", async () => {
      await using server = await startLoopback(
        respond(200, "", { "content-type": "application/pdf", "content-length": "5" }),
      );
      const toServer = (url: string, init: RequestInit) =>
        fetch(url.replace("https://files.example.com", server.baseUrl), init);
      const checked = await checkFile("https://files.example.com/menu.pdf", { fetch: toServer });
      expect(checked).toEqual({ contentType: "application/pdf", size: 5 });
      expect(server.onlyRequest().method).toBe("HEAD");
    });
  });
});
