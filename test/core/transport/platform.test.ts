import { getEventListeners } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import * as node from "../../../src/core/transport/platform.ts";
import * as web from "../../../src/core/transport/platform-web.ts";
import { startTelemetry } from "../../opentelemetry/sdk.ts";
import { account, clientsOf, errorOf } from "../../support/calls.ts";
import { overPatchedFetch } from "../../support/carriers.ts";
import { UNDICI, useGlobally } from "../../support/dispatchers.ts";
import { hang, respond, startLoopback } from "../../support/servers/loopback.ts";

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

/** Returns whether a client without the option `fetch` calls the process's dispatcher, and reads the body without a stream. */
const isDispatched = async (): Promise<boolean> => {
  await using server = await startLoopback(respond(200, account));
  const { data, response } = await clientsOf(server).v2.accounts.me().withResponse();
  expect(data).toEqual(account.account);
  return response.body === null;
};

test("requests carry the version of package.json", () => {
  const { version } = JSON.parse(
    readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
  );
  expect(node.VERSION).toBe(version);
  expect(node.DEFAULT_HEADERS["user-agent"]).toBe(`messaging-service-client/${version}`);
});

test("both platforms have the same exports, and only Node's adds a user agent", () => {
  expect(Object.keys({ ...web, VERSION: "" }).toSorted()).toEqual(Object.keys(node).toSorted());
  const { "user-agent": _, ...others } = node.DEFAULT_HEADERS;
  expect(others).toEqual(web.DEFAULT_HEADERS);
  expect(() => web.dispatchWith({ dispatch() {} })).toThrow("dispatchers work in Node only");
});

describe.each([
  ["the process's dispatcher", undefined],
  ["a patched fetch", overPatchedFetch],
  ["the option fetch", fetch],
])("over %s", (_, option) => {
  test("a response is a Response with a status, headers and a URL, and a request names the package", async () => {
    const headers = { "x-request-id": "5f3a", "set-cookie": ["a=1", "b=2"] };
    await using server = await startLoopback(respond(200, account, headers, "Fine"));
    const { v2 } = clientsOf(server, { fetch: option });
    const { data, response } = await v2.accounts.me().withResponse();
    expect(data).toEqual(account.account);
    const plain = await fetch(response.url);
    expect(response).toBeInstanceOf(Response);
    for (const name of ["ok", "status", "statusText", "redirected"] as const) {
      expect(response[name], name).toBe(plain[name]);
    }
    expect(response.url).toBe(`${server.baseUrl}/api/v2/accounts/me`);
    const namesOf = (each: Response) => [...each.headers].filter(([name]) => name !== "date");
    expect(namesOf(response)).toEqual(namesOf(plain));
    const userAgent = `messaging-service-client/${node.VERSION}`;
    expect(server.requests[0]?.headers["user-agent"]).toBe(userAgent);
  });

  test("the instrumentation of undici records an attempt as it records fetch, and propagates its context", async () => {
    await using telemetry = startTelemetry();
    await using server = await startLoopback(respond(200, account));
    const { v2 } = clientsOf(server, { fetch: option });
    const parent = await telemetry.within("a job", async () => {
      await (await fetch(`${server.baseUrl}/api/v2/accounts/me`)).text();
      await v2.accounts.me();
    });
    const [plain, own, ...others] = telemetry.spans();
    const userAgent = { "user_agent.original": `messaging-service-client/${node.VERSION}` };
    expect(own?.attributes).toEqual({ ...plain?.attributes, ...userAgent });
    expect([own?.name, own?.kind, own?.status]).toEqual([plain?.name, plain?.kind, plain?.status]);
    expect(own?.parentSpanContext?.spanId).toBe(parent);
    expect(server.requests[1]?.headers.traceparent).toContain(own?.spanContext().spanId);
    expect(others.map(({ name }) => name)).toEqual(["a job"]);
  });

  test("calls that are aborted leave no socket and no listener behind", async () => {
    await using server = await startLoopback(hang);
    const { v2 } = clientsOf(server, { fetch: option, retry: 0, throttle: false });
    const descriptors = () => readdirSync("/proc/self/fd").length;
    const controller = new AbortController();
    const { signal } = controller;
    const before = descriptors();
    const calls = Array.from({ length: 100 }, () => errorOf(v2.accounts.me({ signal })));
    await expect.poll(() => server.requests.length).toBe(100);
    controller.abort();
    await Promise.all(calls);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    await expect.poll(descriptors).toBeLessThanOrEqual(before + 2);
  });
});

describe("a client without the option fetch", () => {
  test("an attempt goes to the process's dispatcher", async () => {
    expect(await isDispatched()).toBe(true);
  });

  test("`fetch: globalThis.fetch` selects fetch itself", async () => {
    await using server = await startLoopback(respond(200, account));
    const { v2 } = clientsOf(server, { fetch: globalThis.fetch });
    const { response } = await v2.accounts.me().withResponse();
    expect(response.body).not.toBeNull();
  });

  test.each([
    [
      "an assignment",
      () => {
        globalThis.fetch = (...args) => fetch(...args);
      },
    ],
    ["a spy", () => void vi.spyOn(globalThis, "fetch")],
    [
      "a bound function",
      () => {
        globalThis.fetch = fetch.bind(globalThis);
      },
    ],
    [
      "a proxy",
      () => {
        globalThis.fetch = new Proxy(fetch, {});
      },
    ],
  ])(
    "%s in place of fetch is called until it is removed, even if it was installed after the client was made",
    async (_, replace) => {
      await using server = await startLoopback(respond(200, account));
      const { v2 } = clientsOf(server);
      const isStream = async () => (await v2.accounts.me().withResponse()).response.body !== null;
      expect(await isStream()).toBe(false);
      replace();
      expect(await isStream()).toBe(true);
      vi.restoreAllMocks();
      globalThis.fetch = fetch;
      expect(await isStream()).toBe(false);
    },
  );

  test("the attempts of one call may go different ways, if fetch or the dispatcher changes between them", async () => {
    await using server = await startLoopback(respond(503), respond(503), respond(200, account));
    const { undici } = UNDICI[1] as (typeof UNDICI)[number];
    const agent = new undici.Agent();
    const ways: string[] = [];
    const dispatch = agent.dispatch.bind(agent);
    agent.dispatch = (...args) => {
      ways.push("the global agent");
      return dispatch(...args);
    };
    using stack = new DisposableStack();
    const changes = [
      () => void stack.use(useGlobally(undici, agent)),
      () => {
        globalThis.fetch = (...args) => {
          ways.push("a patched fetch");
          return fetch(...args);
        };
      },
    ];
    const onEvent = ({ type }: { type: string }) => void (type === "retry" && changes.shift()?.());
    await clientsOf(server).v2.accounts.me({ onEvent });
    expect(server.requests).toHaveLength(3);
    // The patch calls Node's `fetch`, which calls the global agent.
    expect(ways).toEqual(["the global agent", "a patched fetch", "the global agent"]);
    await agent.destroy();
  });

  test.each(UNDICI)(
    "an attempt goes to the global dispatcher of undici $major, which is looked up at each attempt",
    async ({ undici }) => {
      await using server = await startLoopback(respond(200, account));
      const { v2 } = clientsOf(server);
      await v2.accounts.me();
      const agent = new undici.Agent();
      const dispatch = vi.spyOn(agent, "dispatch");
      {
        using _ = useGlobally(undici, agent);
        await v2.accounts.me();
      }
      await v2.accounts.me();
      expect(dispatch).toHaveBeenCalledTimes(1);
      expect(server.requests).toHaveLength(3);
      await agent.destroy();
    },
  );

  test("an attempt goes to a global MockAgent, which need not listen", async () => {
    for (const { undici } of UNDICI) {
      const agent = new undici.MockAgent();
      agent.disableNetConnect();
      agent
        .get("http://127.0.0.1:9")
        .intercept({ path: "/api/v2/accounts/me" })
        .reply(200, account);
      using _ = useGlobally(undici, agent);
      const { v2 } = clientsOf({ baseUrl: "http://127.0.0.1:9" }, { retry: 0 });
      expect(await v2.accounts.me()).toEqual(account.account);
      await agent.close();
    }
  });

  test("interceptors that copy, extend or wrap the handler take effect", async () => {
    const copies = [
      (handler: object) => ({ ...handler }),
      (handler: object) => Object.create(handler),
      (handler: object) => new Proxy(handler, {}),
    ];
    // undici 8 itself wraps the handler for Node 24.
    for (const { undici } of UNDICI.filter(({ major }) => major < 8)) {
      for (const copy of copies) {
        const agent = new undici.Agent();
        const dispatch = agent.dispatch.bind(agent);
        agent.dispatch = (options, handler) => dispatch(options, copy(handler));
        using _ = useGlobally(undici, agent);
        expect(await isDispatched()).toBe(true);
        await agent.destroy();
      }
    }
  });
});
