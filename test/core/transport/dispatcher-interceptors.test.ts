// Interceptors of undici 6, 7 and 8 around a dispatcher: their permitted effects, and effects that they must not have.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type * as Undici from "undici";
import { describe, expect, test, vi } from "vitest";
import { fetchFrom, ResponseValidationError } from "../../../src/index.ts";
import { account, clientsOf, errorOf, message, transaction } from "../../support/calls.ts";
import {
  nodeDispatcher,
  UNDICI,
  type UndiciVersion,
  useGlobally,
} from "../../support/dispatchers.ts";
import { type Responder, respond, startLoopback } from "../../support/servers/loopback.ts";

const composeWith =
  ({ Agent }: UndiciVersion["undici"]) =>
  (interceptor: unknown) =>
    fetchFrom(new Agent().compose(interceptor as never));

/** An interceptor that does not report when undici writes a request. */
const silent = (dispatch: Undici.Dispatcher["dispatch"]) => (options: never, handler: object) =>
  dispatch(
    options,
    new Proxy(handler, {
      get(target: Record<string, unknown>, name: string) {
        if (name === "onRequestStart" || name === "onConnect") return target[name] && (() => {});
        const callback = target[name];
        return typeof callback === "function" ? callback.bind(target) : callback;
      },
    }) as never,
  );

/** Repeats a failed request, and reports the start of neither request. */
const repeating =
  (dispatch: Undici.Dispatcher["dispatch"]) => (options: never, handler: object) => {
    const again = () => void silent(dispatch)(options, handler);
    return silent(dispatch)(options, { ...handler, onResponseError: again, onError: again });
  };

const LOST: readonly (readonly [fault: string, code: string, Responder])[] = [
  ["is reset", "connection", ({ response }) => response.destroy()],
  ["gets no response", "timeout", () => {}],
];

describe.each(UNDICI)("an interceptor of undici $major", ({ undici }) => {
  const { interceptors } = undici;
  const composed = composeWith(undici);

  test.each(
    LOST.flatMap((row) =>
      [
        "over `fetchFrom`",
        "over `fetchFrom` with a factory",
        "over `fetchFrom` with the option `interceptors.Agent`",
        "over `fetchFrom` with the option `interceptors.Pool`",
        "without `fetch`",
        "behind a patched `fetch`",
      ].map((how) => [how, ...row] as const),
    ),
  )(
    "a send %s that %s is unknown and made once if an interceptor does not report the start of the request",
    async (how, _, code, responder) => {
      await using server = await startLoopback(responder);
      const [option] = /(?<=interceptors\.)\w+/.exec(how) ?? [];
      const agent = option
        ? new undici.Agent({ interceptors: { [option]: [silent] } } as never)
        : how.endsWith("factory")
          ? new undici.Agent({
              factory: (origin, options) =>
                new undici.Pool(origin, options).compose(silent as never),
            })
          : new undici.Agent().compose(silent as never);
      const isGlobal = !how.startsWith("over `fetchFrom`");
      using _global = useGlobally(undici, isGlobal ? agent : (nodeDispatcher() as never));
      if (how.startsWith("behind")) vi.spyOn(globalThis, "fetch");
      const fetch = isGlobal ? undefined : fetchFrom(agent);
      const timeout = code === "timeout" ? 300 : 10_000;
      const { rcs } = clientsOf(server, { fetch, timeout, retry: 2 });
      const error = await errorOf(rcs.sendRcsText(message));
      expect(error).toMatchObject({ code, outcome: "unknown", attempts: 1 });
      server.onlyRequest();
      vi.restoreAllMocks();
    },
  );

  test.each(["interceptor over `fetchFrom`", "interceptor without `fetch`", "class named Pool"])(
    "a send whose repeat by the %s gets no connection is unknown",
    async (how) => {
      const server = createServer(({ socket }) => {
        server.close();
        socket.destroy();
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      class Pool extends undici.Agent {
        override dispatch(options: never, handler: never) {
          return repeating(super.dispatch.bind(this))(options, handler);
        }
      }
      const isClass = how.startsWith("class");
      const agent = isClass ? new Pool() : new undici.Agent().compose(repeating as never);
      const isGlobal = how.endsWith("without `fetch`");
      using _global = useGlobally(undici, isGlobal ? agent : (nodeDispatcher() as never));
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { rcs } = clientsOf({ baseUrl }, { fetch: isGlobal ? undefined : fetchFrom(agent) });
      expect(await errorOf(rcs.sendRcsText(message))).toMatchObject({ outcome: "unknown" });
    },
  );

  test.each([undefined, null, "pool"])(
    "a text goes through a dispatcher of the application whose field `factory` is %s",
    async (factory) => {
      await using server = await startLoopback(respond(202, transaction));
      const agent = Object.assign(new undici.Agent(), { [Symbol("factory")]: factory });
      const { rcs } = clientsOf(server, { fetch: fetchFrom(agent) });
      await expect(rcs.sendRcsText(message)).resolves.toEqual(transaction);
      server.onlyRequest();
    },
  );

  test("with the interceptor dns, a text is sent once, to the host of the base URL", async () => {
    await using server = await startLoopback(respond(202, transaction));
    const { port } = new URL(server.baseUrl);
    const lookup = (_: unknown, __: unknown, done: (error: null, found: object[]) => void) =>
      setImmediate(done, null, [{ address: "127.0.0.1", family: 4, ttl: 60 }]);
    const fetch = composed(interceptors.dns({ lookup: lookup as never }));
    const { rcs } = clientsOf({ baseUrl: `http://localhost:${port}` }, { fetch });
    expect(await rcs.sendRcsText(message)).toMatchObject(transaction);
    // undici 6 omits the port.
    expect(server.onlyRequest().headers.host).toMatch(/^localhost/);
  });

  test("with the interceptor dump, a send whose response is discarded has an unknown outcome", async () => {
    await using server = await startLoopback(respond(202, transaction));
    const { rcs } = clientsOf(server, { fetch: composed(interceptors.dump()) });
    const error = await errorOf(rcs.sendRcsText(message));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
    server.onlyRequest();
  });
});

const LATER = UNDICI.filter(({ major }) => major > 6);

describe.each(LATER)("an interceptor of undici $major, which undici 6 lacks", ({ undici }) => {
  const { interceptors } = undici;
  const composed = composeWith(undici);

  test("with the interceptor responseError, the status is lost, and a send has an unknown outcome", async () => {
    await using server = await startLoopback(respond(401));
    const { rcs } = clientsOf(server, { fetch: composed(interceptors.responseError()) });
    const error = await errorOf(rcs.sendRcsText(message));
    expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
    server.onlyRequest();
  });

  test("with the interceptor cache, every call reaches the service", async () => {
    const headers = { "cache-control": "public, max-age=3600" };
    await using server = await startLoopback(respond(200, account, headers));
    const { v2 } = clientsOf(server, { fetch: composed(interceptors.cache()) });
    await v2.accounts.me();
    expect(await v2.accounts.me()).toEqual(account.account);
    expect(server.requests).toHaveLength(2);
  });

  test("with the interceptor deduplicate, two equal sends are both made", async () => {
    await using server = await startLoopback(respond(202, transaction));
    const { rcs } = clientsOf(server, { fetch: composed(interceptors.deduplicate()) });
    const sends = [rcs.sendRcsText(message), rcs.sendRcsText(message)];
    expect(await Promise.all(sends)).toMatchObject([transaction, transaction]);
    expect(server.requests).toHaveLength(2);
  });

  test("with the interceptor decompress, a response is decoded once", async () => {
    await using server = await startLoopback(async ({ read, response }) => {
      await read();
      const body = gzipSync(JSON.stringify(account));
      response.writeHead(200, { "content-encoding": "gzip" }).end(body);
    });
    const { v2 } = clientsOf(server, { fetch: composed(interceptors.decompress()) });
    expect(await v2.accounts.me()).toEqual(account.account);
  });
});
