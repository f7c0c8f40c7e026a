// Requests that the application repeats below the client. The client allows this after a certain refusal, and otherwise stops it.
import ky from "ky";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { FetchLike } from "../../../src/core/transport/transport.ts";
import { fetchFrom } from "../../../src/index.ts";
import { account, clientsOf, errorOf, message, transaction } from "../../support/calls.ts";
import { UNDICI, useGlobally } from "../../support/dispatchers.ts";
import {
  hang,
  REFUSED_URL,
  type Responder,
  resetAfterReading,
  respond,
  startLoopback,
  truncate,
} from "../../support/servers/loopback.ts";

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

/** Ways to send a request again after any response outside 2xx. Each returns the option `fetch`. */
const WAYS: readonly (readonly [
  who: string,
  install: (toUrl?: string) => FetchLike | undefined,
])[] = [
  [
    "a patched fetch",
    (toUrl) => {
      globalThis.fetch = async (url, init) => {
        const response = await fetch(url, init);
        if (response.ok) return response;
        const headers = { ...(init?.headers as object), "x-token": "new" };
        return fetch(toUrl ?? url, { ...init, headers });
      };
      return undefined;
    },
  ],
  [
    "a hook of ky",
    () => {
      const instance = ky.extend({
        hooks: {
          afterResponse: [
            async ({ request, response }) => {
              if (response.ok || request.headers.get("x-token")) return response;
              const headers = new Headers(request.headers);
              headers.set("x-token", "new");
              return ky.retry({ request: new Request(request, { headers }) });
            },
          ],
        },
      });
      return fetchFrom(instance);
    },
  ],
];
const installKy = WAYS[1]?.[1] ?? (() => undefined);
const ALL_WAYS: typeof WAYS = [
  ...WAYS,
  [
    "a hook of ky over a replaced fetch",
    () => {
      // Drops the dispatcher by which the attempt would detect a repeat.
      globalThis.fetch = (input, init) => {
        const { dispatcher: _, ...others } = init as RequestInit & { readonly dispatcher?: object };
        return fetch(input, others);
      };
      return installKy();
    },
  ],
];

describe.each(ALL_WAYS)("%s that sends a request again", (_, install) => {
  test.each([400, 401, 403, 429])(
    "a request that is sent again after a %d sends a text, and the second request counts",
    async (status) => {
      await using server = await startLoopback(respond(status), respond(202, transaction));
      const { rcs } = clientsOf(server, { fetch: install() });
      expect(await rcs.sendRcsText(message)).toEqual(transaction);
      expect(server.requests.map(({ headers }) => headers["x-token"])).toEqual([undefined, "new"]);
    },
  );

  test("a request that is sent again after a 401 has the outcome of the second request", async () => {
    const ends: readonly (readonly [Responder, object])[] = [
      [respond(401), { code: "authentication", outcome: "rejected" }],
      [respond(500), { code: "server", outcome: "unknown" }],
      [resetAfterReading, { code: "connection", outcome: "unknown" }],
      [truncate(transaction), { code: "connection", outcome: "unknown" }],
      [hang, { code: "timeout", outcome: "unknown" }],
    ];
    for (const [responder, expected] of ends) {
      await using server = await startLoopback(respond(401), responder);
      const { rcs } = clientsOf(server, {
        fetch: install(),
        timeout: responder === hang ? 1000 : 20_000,
      });
      expect(await errorOf(rcs.sendRcsText(message))).toMatchObject({ ...expected, attempts: 1 });
      expect(server.requests).toHaveLength(2);
    }
  });

  test.each([408, 500, 503])(
    "a request that would be sent again after a %d is stopped, and the error says so",
    async (status) => {
      await using server = await startLoopback(respond(status));
      const { rcs } = clientsOf(server, { fetch: install() });
      const error = await errorOf(rcs.sendRcsText(message));
      expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
      expect(error.message).toMatch(
        `: the code around \`fetch\` sent the request again after status ${status}: the repeat was stopped`,
      );
      server.onlyRequest();
    },
  );
});

test("a request that is lost when it is sent again after a 401 is not sent a third time", async () => {
  await using server = await startLoopback(
    respond(401),
    resetAfterReading,
    respond(202, transaction),
  );
  globalThis.fetch = async (...args) => {
    await fetch(...args);
    return fetch(...args).catch(() => fetch(...args));
  };
  const error = await errorOf(clientsOf(server).rcs.sendRcsText(message));
  expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
  expect(server.requests).toHaveLength(2);
});

test("a request that is sent again after a 401, without a connection, has the outcome not_sent", async () => {
  const patch = WAYS[0]?.[1] as (url: string) => undefined;
  await using server = await startLoopback(respond(401));
  const { rcs } = clientsOf(server, { fetch: patch(REFUSED_URL), retry: 0 });
  expect(await errorOf(rcs.sendRcsText(message))).toMatchObject({ outcome: "not_sent" });
});

describe.each(UNDICI)("a RetryAgent of undici $major", ({ undici }) => {
  const methods = ["GET" as const, "POST" as const, "PUT" as const];
  const create = () => new undici.RetryAgent(new undici.Agent(), { methods, minTimeout: 1 });
  const FAULTS = [respond(503), resetAfterReading, truncate(transaction)];

  test("a RetryAgent as the global dispatcher is refused before anything is sent", async () => {
    await using server = await startLoopback(respond(503));
    using _ = useGlobally(undici, create());
    for (const isPatched of [false, true]) {
      if (isPatched) globalThis.fetch = (...args) => fetch(...args);
      const error = await errorOf(clientsOf(server).rcs.sendRcsText(message));
      expect(error).toMatchObject({ outcome: "not_sent", isTransient: false, attempts: 1 });
      expect(error.message).toContain("the global dispatcher is a `RetryAgent`");
    }
    expect(server.requests).toEqual([]);
  });

  test("a RetryAgent that becomes the global dispatcher after a request was lost leaves the send unknown", async () => {
    await using server = await startLoopback(resetAfterReading);
    using stack = new DisposableStack();
    globalThis.fetch = (...args) =>
      fetch(...args).catch(() => {
        stack.use(useGlobally(undici, create()));
        return fetch(...args);
      });
    const error = await errorOf(clientsOf(server).rcs.sendRcsText(message));
    expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
    expect(error.message).toContain("the global dispatcher is a `RetryAgent`");
    server.onlyRequest();
  });

  test("a RetryAgent that is wrapped in an object or has a different name sends no text twice", async () => {
    class Renamed extends undici.RetryAgent {}
    class Agent extends undici.RetryAgent {}
    Object.defineProperty(Renamed, "name", { value: "a" });
    const ways = [
      (agent: ReturnType<typeof create>) => ({
        dispatch: (options: never, handler: never) => agent.dispatch(options, handler),
      }),
      () => new Renamed(new undici.Agent(), { methods, minTimeout: 1 }),
      () => new Agent(new undici.Agent(), { methods, minTimeout: 1 }),
      // The class of a composed agent is still `Agent`.
      () => new undici.Agent().compose(undici.interceptors.retry({ methods, minTimeout: 1 })),
      () =>
        new undici.Agent({
          factory: (origin, options) =>
            new undici.RetryAgent(new undici.Pool(origin, options), { methods, minTimeout: 1 }),
        }),
    ];
    for (const hide of ways) {
      for (const fault of FAULTS) {
        await using server = await startLoopback(fault);
        const hidden = hide(create());
        const byOption = clientsOf(server, { fetch: fetchFrom(hidden as never) });
        const error = await errorOf(byOption.rcs.sendRcsText(message));
        expect(error).toMatchObject({ outcome: "unknown", attempts: 1 });
        server.onlyRequest();
        using _ = useGlobally(undici, hidden as never);
        expect(await errorOf(clientsOf(server).rcs.sendRcsText(message))).toMatchObject({
          outcome: "unknown",
          attempts: 1,
        });
        expect(server.requests).toHaveLength(2);
      }
      await using server = await startLoopback(respond(202, transaction), respond(200, account));
      const { rcs, v2 } = clientsOf(server, { fetch: fetchFrom(hide(create()) as never) });
      expect(await rcs.sendRcsText(message)).toEqual(transaction);
      expect(await v2.accounts.me()).toEqual(account.account);
      expect(JSON.parse(String(server.requests[0]?.body))).toMatchObject({
        smsFailover: message.smsFailover,
      });
    }
  });

  test("a RetryAgent is refused by fetchFrom", () => {
    expect(() => fetchFrom(create())).toThrow(
      new TypeError("option `source` must be a dispatcher that does not retry"),
    );
  });
});
vi.setConfig({ testTimeout: 60_000 });
