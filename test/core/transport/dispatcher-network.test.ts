// Dispatchers of undici 6, 7 and 8 with a proxy, client certificates and HTTP/2.
import { createServer as createHttpServer } from "node:http";
import {
  constants,
  createSecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import { connect, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { describe, expect, test, vi } from "vitest";
import { fetchFrom } from "../../../src/index.ts";
import { account, clientsOf, E164, errorOf, message, transaction } from "../../support/calls.ts";
import { UNDICI } from "../../support/dispatchers.ts";
import { createCertificate } from "../../support/servers/certificate.ts";
import { listen } from "../../support/servers/listen.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";
import { useTurningClock } from "../../support/turning-clock.ts";

vi.setConfig({ testTimeout: 30_000 });

const certificate = createCertificate();
const { key, cert } = certificate;

/** Starts a proxy that responds to CONNECT with a status, and records the targets. */
const startProxy = async (status = 200) => {
  const targets: string[] = [];
  const server = createHttpServer();
  server.on("connect", ({ url = "" }, client: Socket) => {
    targets.push(url);
    client.on("error", () => {});
    if (status !== 200) return client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const upstream = connect(Number(url.split(":")[1]), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on("error", () => client.destroy());
    return client.on("close", () => upstream.destroy());
  });
  const listening = await listen(server);
  return Object.assign(listening, { targets, url: `http://127.0.0.1:${listening.port}` });
};

describe.each(UNDICI)("a dispatcher of undici $major", ({ major, undici }) => {
  test("a ProxyAgent sends through its proxy, over TLS", async () => {
    await using proxy = await startProxy();
    const server = createHttpsServer(certificate, (request, response) => {
      request.resume().on("end", () => response.end(JSON.stringify(transaction)));
    });
    await using service = await listen(server);
    const agent = new undici.ProxyAgent({ uri: proxy.url, requestTls: { ca: cert } });
    const baseUrl = `https://localhost:${service.port}`;
    const { rcs } = clientsOf({ baseUrl }, { fetch: fetchFrom(agent) });
    expect(await rcs.sendRcsText(message)).toMatchObject(transaction);
    expect(proxy.targets).toEqual([`localhost:${service.port}`]);
    await agent.close();
  });

  test.each([403, 407, 502])(
    "a proxy that responds with %i proves that nothing was sent",
    async (no) => {
      await using proxy = await startProxy(no);
      const agent = new undici.ProxyAgent(proxy.url);
      const baseUrl = "https://rcs.example.com";
      const { rcs } = clientsOf({ baseUrl }, { fetch: fetchFrom(agent) });
      const error = await errorOf(rcs.sendRcsText(message));
      expect(error).toMatchObject({ code: "connection", outcome: "not_sent", attempts: 3 });
      expect(error.message).toContain(
        `: the proxy refused the tunnel with status ${no}: check its`,
      );
      await agent.destroy();
    },
  );

  test("a proxy whose own connection to the service is lost leaves a send unknown", async () => {
    await using proxy = await startProxy();
    let requests = 0;
    const server = createHttpsServer(certificate, (request) => {
      requests += 1;
      request.resume().on("end", () => request.socket.destroy());
    });
    await using service = await listen(server);
    const agent = new undici.ProxyAgent({ uri: proxy.url, requestTls: { ca: cert } });
    const baseUrl = `https://localhost:${service.port}`;
    const error = await errorOf(
      clientsOf({ baseUrl }, { fetch: fetchFrom(agent) }).rcs.sendRcsText(message),
    );
    expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
    expect(requests).toBe(1);
    await agent.destroy();
  });

  test("an EnvHttpProxyAgent sends through the proxy that it is given", async () => {
    vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    await using proxy = await startProxy();
    await using server = await startLoopback(respond(200, account));
    const agent = new undici.EnvHttpProxyAgent({
      ...{ httpProxy: proxy.url, noProxy: "" },
      proxyTunnel: true,
    });
    const { v2 } = clientsOf(server, { fetch: fetchFrom(agent) });
    expect(await v2.accounts.me()).toEqual(account.account);
    expect(proxy.targets).toHaveLength(1);
    await agent.close();
  });

  test("a client certificate is shown to a service that demands one", async () => {
    const seen: string[] = [];
    const options = { ...certificate, ca: cert, requestCert: true, rejectUnauthorized: true };
    const server = createHttpsServer(options, (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      seen.push(String(subject.CN));
      request.resume().on("end", () => response.end(JSON.stringify(transaction)));
    });
    await using service = await listen(server);
    const baseUrl = `https://localhost:${service.port}`;
    const sendWith = (tls: object) => {
      const agent = new undici.Agent({ connect: { ca: cert, ...tls } });
      return clientsOf({ baseUrl }, { fetch: fetchFrom(agent) }).rcs.sendRcsText(message);
    };
    expect(await sendWith({ key, cert })).toMatchObject(transaction);
    expect(seen).toEqual(["localhost"]);
    const error = await errorOf(sendWith({ maxVersion: "TLSv1.2" }));
    expect(error).toMatchObject({ code: "connection", outcome: "not_sent", attempts: 3 });
    // In TLS 1.3, the client may already write before the service has checked the certificate.
    expect((await errorOf(sendWith({}))).outcome).toMatch(/unknown|not_sent/);
    expect(seen).toHaveLength(1);
  });

  describe("over HTTP/2", () => {
    useTurningClock();

    /** POSTs in flight on one connection. undici below 8.5 writes the next POST only after the previous response. */
    const atOnce = major === 8 ? 5 : 1;

    const startH2 = async (
      respondTo: (
        phone: string,
        session: ServerHttp2Session,
        stream: ServerHttp2Stream,
      ) => object | undefined,
    ) => {
      const phones: string[] = [];
      const server = createSecureServer(certificate);
      server.on("sessionError", () => {});
      server.on("stream", async (stream, headers) => {
        stream.on("error", () => {});
        let body = "";
        try {
          for await (const chunk of stream) body += chunk;
        } catch {
          return;
        }
        const phone = body === "" ? String(headers[":path"]) : JSON.parse(body).phoneNumber;
        phones.push(phone);
        const found = respondTo(phone, stream.session as ServerHttp2Session, stream);
        if (!found) return;
        stream.respond({ ":status": 200, "content-type": "application/json", "x-request-id": "7" });
        stream.end(JSON.stringify(found));
      });
      const listening = await listen(server);
      const agent = new undici.Agent({ allowH2: true, connections: 1, connect: { ca: cert } });
      const baseUrl = `https://localhost:${listening.port}`;
      // undici 6 and 7 never settle some requests of a session that ends, so the timeout must be short.
      const options = { fetch: fetchFrom(agent), throttle: false, timeout: 2000 } as const;
      const clients = clientsOf({ baseUrl }, options);
      return {
        ...clients,
        agent,
        baseUrl,
        phones,
        async [Symbol.asyncDispose]() {
          void agent.destroy().catch(() => {});
          await listening[Symbol.asyncDispose]();
        },
      };
    };

    test("requests and responses are the same as over HTTP/1.1", async () => {
      await using service = await startH2((phone) => (phone === E164 ? transaction : account));
      expect(await service.rcs.sendRcsText(message)).toMatchObject(transaction);
      const { data, response } = await service.v2.accounts.me().withResponse();
      expect(data).toEqual(account.account);
      expect(response.headers.get("x-request-id")).toBe("7");
      expect(service.phones).toEqual([E164, "/api/v2/accounts/me"]);
    });

    test.each<readonly [string, (session: ServerHttp2Session) => void]>([
      ["GOAWAY", (session) => session.goaway(2)],
      ["a GOAWAY that denies what was seen", (session) => session.goaway(0, 1)],
      ["the end of the session", (session) => session.destroy()],
      ["a reset of the connection", (session) => session.socket.destroy()],
    ])("no text that is under way is sent twice after %s", async (_, stop) => {
      let stopped = false;
      await using service = await startH2((_phone, session) => {
        if (stopped) return transaction;
        if (service.phones.length < atOnce) return undefined;
        stopped = true;
        stop(session);
        return undefined;
      });
      const phones = Array.from({ length: 8 }, (_, index) => `+1206555010${index}`);
      const results = await Promise.allSettled(
        phones.map((phoneNumber) => service.rcs.sendRcsText({ ...message, phoneNumber })),
      );
      expect(stopped).toBe(true);
      expect(new Set(service.phones).size).toBe(service.phones.length);
      for (const [index, result] of results.entries()) {
        if (result.status === "fulfilled") continue;
        // A request that the service received is never reported as not sent.
        const isSeen = service.phones.includes(phones[index] as string);
        if (isSeen) expect(result.reason.outcome).toBe("unknown");
      }
    });

    test("a text whose stream is refused is sent once, although undici 8 would repeat it", async () => {
      await using service = await startH2((phone, _session, stream) => {
        if (service.phones.indexOf(phone) < service.phones.length - 1) return transaction;
        stream.close(constants.NGHTTP2_REFUSED_STREAM);
        return undefined;
      });
      const error = await errorOf(service.rcs.sendRcsText(message));
      expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
      expect(service.phones).toEqual([E164]);

      const { agent, baseUrl } = service;
      const body = JSON.stringify({ phoneNumber: "undici itself" });
      const itself = undici.request(baseUrl, { dispatcher: agent, method: "POST", body });
      await itself.then(({ body: read }) => read.dump()).catch(() => {});
      const times = service.phones.filter((phone) => phone === "undici itself").length;
      expect(times).toBe(major === 8 ? 2 : 1);
    });

    test.each<readonly [string, (stream: ServerHttp2Stream) => unknown]>([
      ["the end of its stream", (stream) => stream.end()],
      ["the loss of its stream", (stream) => stream.destroy()],
      ["the end of the session", (stream) => stream.session?.destroy()],
      ["a reset of the connection", (stream) => stream.session?.socket.destroy()],
    ])(
      "a send whose response body is shorter than its content-length has an unknown outcome: %s",
      async (_, end) => {
        const whole = JSON.stringify({ ...transaction, more: " ".repeat(100) });
        for (const body of [`${JSON.stringify(transaction)}  `, whole.slice(0, 30)]) {
          await using service = await startH2((_phone, _session, stream) => {
            stream.respond({ ":status": 200, "content-length": whole.length });
            stream.write(body, () => setTimeout(end, 20, stream));
            return undefined;
          });
          const error = await errorOf(service.rcs.sendRcsText(message));
          const code = /connection|timeout/;
          expect([error.code, error.outcome]).toEqual([expect.stringMatching(code), "unknown"]);
          expect(service.phones).toEqual([E164]);
        }
      },
    );

    test("informational responses are not the response", async () => {
      await using service = await startH2((_phone, _session, stream) => {
        stream.additionalHeaders({ ":status": 103, link: "</style.css>; rel=preload" });
        stream.additionalHeaders({ ":status": 102 });
        return transaction;
      });
      const { data, response } = await service.rcs.sendRcsText(message).withResponse();
      expect(data).toMatchObject(transaction);
      expect(response.headers.get("link")).toBeNull();
    });
  });
});
