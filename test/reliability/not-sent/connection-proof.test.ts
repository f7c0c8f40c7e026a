// Real failures before and after a connection is made, and the outcome that a client derives from them.
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import ky from "ky";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { FetchLike } from "../../../src/core/transport/transport.ts";
import { fetchFrom } from "../../../src/index.ts";
import { clientsOf, errorOf, message, transaction } from "../../support/calls.ts";
import {
  ALL_CARRIERS,
  type Carrier,
  type Carrying,
  overNodeFetch,
} from "../../support/carriers.ts";
import { UNDICI } from "../../support/dispatchers.ts";
import { createCertificate, INTERNAL_ERROR } from "../../support/servers/certificate.ts";
import { startDying } from "../../support/servers/dying-server.ts";
import { listen } from "../../support/servers/listen.ts";
import {
  hang,
  REFUSED_PORT,
  REFUSED_URL,
  respond,
  startLoopback,
} from "../../support/servers/loopback.ts";

const certificate = createCertificate();
const { fetch } = globalThis;

interface Dispatcher {
  dispatch(options: object, handler: Record<string, (...args: unknown[]) => void>): boolean;
  readonly isMockActive?: boolean;
}
/** Symbol under which Node stores the dispatcher of its fetch. */
const GLOBAL = Symbol.for("undici.globalDispatcher.1");
const globals = globalThis as unknown as Record<symbol, Dispatcher>;
void Response;
const own = globals[GLOBAL] as Dispatcher;
const Agent = own.constructor as new (options: object) => Dispatcher;
afterEach(() => {
  globals[GLOBAL] = own;
});

const afterHello = (act: (socket: Socket) => unknown) => () =>
  createTcpServer((socket) => socket.once("data", () => act(socket)));

interface Handshake {
  readonly ends: string;
  readonly make: () => Server;
  /** Whether the failure contains the host. If so, it is proof even inside a wrapper. */
  readonly namesHost?: boolean;
  /** Advice in the error message. */
  readonly says: string;
}
const speaking = (options: TlsOptions) => () =>
  createTlsServer({ ...certificate, ...options }, (socket) => void socket.on("error", () => {}));
const FAILED = "the TLS handshake failed";

/** Failures during the TLS handshake. */
const HANDSHAKES: readonly Handshake[] = [
  { ends: "alert 80", make: afterHello((socket) => socket.end(INTERNAL_ERROR)), says: FAILED },
  { ends: "a reset", make: afterHello((socket) => socket.resetAndDestroy()), says: "" },
  {
    ends: "a closed connection",
    make: afterHello((socket) => socket.destroy()),
    namesHost: true,
    says: "during the TLS handshake",
  },
  {
    ends: "an untrusted certificate",
    make: speaking({}),
    says: "the certificate of the host is not trusted",
  },
  {
    ends: "plain HTTP",
    make: () => createTcpServer((socket) => socket.end("HTTP/1.1 400 Bad\r\n\r\n")),
    says: "the host does not speak TLS on this port: check the scheme and the port of baseUrl",
  },
  {
    ends: "a version of TLS that the runtime refuses",
    make: speaking({ maxVersion: "TLSv1.1", minVersion: "TLSv1" }),
    says: FAILED,
  },
  {
    ends: "no cipher in common",
    make: speaking({ maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-GCM-SHA256" }),
    says: FAILED,
  },
];

/** Makes one send with two retries and returns its error. */
const failedSend = ({ fetch, onEvent }: Carrying, baseUrl: string) =>
  errorOf(clientsOf({ baseUrl }, { fetch, onEvent }).rcs.sendRcsText(message));

const wraps = ({ carrier }: Carrier): boolean => carrier.includes("wrapper");

const NOT_SENT = { code: "connection", outcome: "not_sent", attempts: 3 };
const UNKNOWN = { code: "connection", outcome: "unknown", attempts: 1 };

describe.each(ALL_CARRIERS)("failures before a connection, carried by $carrier", (carrier) => {
  const isWrapper = wraps(carrier);

  test.each(HANDSHAKES)(
    "a send whose TLS handshake ends with $ends is not_sent, and unknown inside a wrapper that hides the host",
    async ({ make, namesHost, says }) => {
      await using server = await listen(make());
      const error = await failedSend(carrier, `https://localhost:${server.port}`);
      if (!isWrapper) expect(error.message).toContain(says);
      expect(error).toMatchObject(isWrapper && !namesHost ? UNKNOWN : NOT_SENT);
      expect(server.seen()).toBe(error.attempts);
    },
  );

  test("a send to a port that fetch blocks is not_sent, and unknown inside a wrapper or a patch", async () => {
    const error = await failedSend(carrier, "http://127.0.0.1:6667");
    const isPatched = carrier.carrier.includes("patched fetch");
    // A dispatcher blocks no port, so its connection is refused, which may change.
    const isBlocked = error.message.includes("fetch blocks this port: check the port of the URL");
    const expected = isWrapper || isPatched ? UNKNOWN : NOT_SENT;
    expect(error).toMatchObject({
      ...expected,
      isTransient: !isBlocked,
      attempts: isBlocked ? 1 : expected.attempts,
    });
    if (isPatched) expect(isBlocked).toBe(true);
  });
});

test("a send that Node's own fetch refuses for its port is not_sent", async () => {
  const error = await failedSend({ fetch: overNodeFetch }, "http://127.0.0.1:6667");
  expect(error).toMatchObject({ ...NOT_SENT, isTransient: false, attempts: 1 });
  expect(error.message).toContain("fetch blocks this port: check the port of the URL");
});

// dispatcher.test.ts covers this case for dispatchers.
const OVER_FETCH = ALL_CARRIERS.filter(({ carrier }) => !carrier.includes("dispatcher"));

test.each(OVER_FETCH)(
  "a send to a refused address that the base URL does not name is not_sent, and unknown inside a wrapper (carried by $carrier)",
  async (carrier) => {
    const lookup = (_: string, __: object, done: (error: null, found: object[]) => void) =>
      done(null, [{ address: "127.0.0.1", family: 4 }]);
    globals[GLOBAL] = new Agent({ connect: { lookup } });
    const error = await failedSend(carrier, `https://service.example.com:${REFUSED_PORT}`);
    expect(error.message).toContain("(ECONNREFUSED)");
    expect(error).toMatchObject(wraps(carrier) ? UNKNOWN : NOT_SENT);
  },
);

describe("patches of globalThis.fetch", () => {
  const sendWith = async (patch: FetchLike, make = HANDSHAKES[0]?.make) => {
    await using server = await listen((make as () => Server)());
    vi.stubGlobal("fetch", patch);
    try {
      return await failedSend({ fetch: undefined }, `https://localhost:${server.port}`);
    } finally {
      vi.unstubAllGlobals();
    }
  };

  test("a failure of the request that the client has started proves that nothing was sent", async () => {
    expect(await sendWith((url, init) => fetch(url, init))).toMatchObject(NOT_SENT);
    expect(await sendWith((url, init) => fetch(new Request(url, init)))).toMatchObject(NOT_SENT);
    expect(await sendWith((url, init) => fetch(url, { ...init }))).toMatchObject(NOT_SENT);
  });

  test.each(UNDICI)(
    "a failure of the request that the fetch of undici $major has started proves that nothing was sent",
    async ({ undici }) => {
      const patch = undici.fetch as unknown as FetchLike;
      expect(await sendWith((url, init) => patch(url, init))).toMatchObject(NOT_SENT);
    },
  );

  test("a failure that a patch of fetch replaces proves nothing", async () => {
    const replacing: FetchLike = (url, init) =>
      fetch(url, init).catch(() => {
        throw Object.assign(new Error("lost"), { code: "ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR" });
      });
    expect(await sendWith(replacing)).toMatchObject(UNKNOWN);
  });

  test("a request of the patch that gets no connection proves nothing about the client's request, which was read", async () => {
    await using server = await startDying("never");
    vi.stubGlobal("fetch", async (url: string, init: RequestInit & { dispatcher?: object }) => {
      const { dispatcher: _, ...plain } = init;
      return fetch(url, init).catch(() => fetch(url, plain));
    });
    const { rcs } = clientsOf(server);
    await rcs.request({ method: "GET", path: "/warm" });
    const error = await errorOf(rcs.sendRcsText(message));
    vi.unstubAllGlobals();
    expect(error.message).toContain("ECONNREFUSED");
    expect(error).toMatchObject(UNKNOWN);
    expect(server.read).toEqual(["POST"]);
  });

  test("a patch that sends in another way after a refused connection leaves a send unknown at its timeout", async () => {
    await using server = await startLoopback(hang);
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      await fetch(url, init).catch(() => {});
      return fetch(server.baseUrl, { method: "POST" });
    });
    const { rcs } = clientsOf({ baseUrl: REFUSED_URL }, { timeout: 500 });
    const error = await errorOf(rcs.sendRcsText(message));
    vi.unstubAllGlobals();
    expect(error).toMatchObject({ code: "timeout", outcome: "unknown", attempts: 1 });
    server.onlyRequest();
  });

  test("a body that fails like a connection to the service proves nothing after its response", async () => {
    const body = new ReadableStream({
      pull() {
        const fields = { code: "ENOTFOUND", syscall: "getaddrinfo", hostname: "rcs.example.com" };
        throw Object.assign(new Error("lost"), fields);
      },
    });
    const options = { fetch: async () => new Response(body, { status: 202 }) };
    const { rcs } = clientsOf({ baseUrl: "https://rcs.example.com" }, options);
    expect(await errorOf(rcs.sendRcsText(message))).toMatchObject(UNKNOWN);
  });

  test("a failure of a request without the client's options proves nothing", async () => {
    const { method, headers } = { method: "POST", headers: { "x-own": "1" } };
    expect(await sendWith((url) => fetch(url, { method, headers }))).toMatchObject(UNKNOWN);
  });

  test("a failure of a second request with the same options proves nothing", async () => {
    await using server = await startLoopback(respond(202, transaction));
    const twice: FetchLike = async (url, init) => {
      await fetch(server.baseUrl, init);
      return fetch(url, init);
    };
    expect(await sendWith(twice)).toMatchObject(UNKNOWN);
    server.onlyRequest();
  });
});

test("a hook of ky that has not ended at the timeout proves nothing, because it may have sent anything", async () => {
  await using server = await startLoopback(hang);
  const hook = () => fetch(server.baseUrl, { method: "POST" }).then(() => {});
  const instance = ky.extend({ hooks: { beforeRequest: [hook] } });
  const { rcs } = clientsOf(server, { fetch: fetchFrom(instance), timeout: 500 });
  const error = await errorOf(rcs.sendRcsText(message));
  expect(error).toMatchObject({ code: "timeout", outcome: "unknown", attempts: 1 });
  server.onlyRequest();
});

describe("the dispatcher of the process", () => {
  test("a TLS alert after the start of the request proves nothing", async () => {
    globals[GLOBAL] = {
      dispatch(_, handler) {
        handler.onConnect?.(() => {});
        const code = "ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR";
        handler.onError?.(Object.assign(new Error("alert number 80"), { code }));
        return true;
      },
    };
    const error = await failedSend({ fetch: undefined }, "https://rcs.example.com");
    expect(error).toMatchObject(UNKNOWN);
    expect(error.message).toMatch(
      /: the connection failed \(ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR\)$/,
    );
  });

  test("a dispatcher that throws, whatever it did before, proves nothing", async () => {
    globals[GLOBAL] = {
      dispatch() {
        throw new Error("lost");
      },
    };
    const error = await failedSend({ fetch: undefined }, "https://rcs.example.com");
    expect(error).toMatchObject(UNKNOWN);
  });

  test("an interceptor that fails after the response proves nothing", async () => {
    globals[GLOBAL] = {
      dispatch: (options, handler) =>
        own.dispatch(
          options,
          Object.assign(Object.create(handler), {
            onHeaders: () =>
              handler.onError?.(
                Object.assign(new Error(), { code: "ECONNREFUSED", syscall: "connect" }),
              ),
          }),
        ),
    };
    await using server = await startLoopback(respond(202, transaction));
    expect(await failedSend({ fetch: undefined }, server.baseUrl)).toMatchObject(UNKNOWN);
    server.onlyRequest();
  });

  test("a dispatcher that fetch calls in an unknown way proves nothing", async () => {
    const patched: FetchLike = (_, init) => {
      const { dispatcher } = init as { dispatcher?: Dispatcher };
      const lost = new Error("lost");
      dispatcher?.dispatch({ origin: "http://127.0.0.1", path: "/", method: "GET" }, {});
      throw lost;
    };
    globals[GLOBAL] = { dispatch: () => true };
    vi.stubGlobal("fetch", patched);
    const error = await failedSend({ fetch: undefined }, "https://rcs.example.com");
    vi.unstubAllGlobals();
    expect(error).toMatchObject(UNKNOWN);
  });

  test("a dispatcher of undici that is called with callbacks of an unknown version proves nothing", async () => {
    class ProxyAgent implements Dispatcher {
      dispatch() {
        return true;
      }
    }
    globals[GLOBAL] = new ProxyAgent();
    const patched: FetchLike = (_, init) => {
      const { dispatcher } = init as { dispatcher?: Dispatcher };
      dispatcher?.dispatch({ origin: "http://127.0.0.1", path: "/" }, { onNewStart() {} });
      return new Promise(() => {});
    };
    vi.stubGlobal("fetch", patched);
    const { rcs } = clientsOf({ baseUrl: "https://rcs.example.com" }, { timeout: 50 });
    const error = await errorOf(rcs.sendRcsText(message));
    vi.unstubAllGlobals();
    expect(error).toMatchObject({ code: "timeout", outcome: "unknown", attempts: 1 });
  });

  test("a mock of undici is presented to fetch as a mock", async () => {
    const seen: unknown[] = [];
    const mock: Dispatcher = {
      isMockActive: true,
      dispatch(options, handler) {
        seen.push((options as { body: unknown }).body);
        return own.dispatch(options, handler);
      },
    };
    globals[GLOBAL] = mock;
    await using server = await startLoopback(respond(202, transaction));
    await clientsOf(server).rcs.sendRcsText(message);
    // `fetch` passes the original body to a mock, but a stream to other dispatchers.
    expect(JSON.parse(String(seen[0]))).toMatchObject({ smsFailover: message.smsFailover });
  });
});
