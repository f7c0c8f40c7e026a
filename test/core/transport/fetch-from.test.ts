import ky, { type Hooks, type KyInstance, type Options } from "ky";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { fetchFrom } from "../../../src/index.ts";
import {
  API_KEY,
  account,
  BASIC,
  clientsOf,
  errorOf,
  KINDS,
  message,
  PHONE,
  subscriber,
} from "../../support/calls.ts";
import { importFrom, installFixture } from "../../support/fixture.ts";
import {
  hang,
  REFUSED_URL,
  resetAfterReading,
  respond,
  startLoopback,
} from "../../support/servers/loopback.ts";
import { SECRETS, shownOf } from "../../support/telltale.ts";

/** The version of ky that `downloadReport` uses, and both ends of the range that applications may use. */
const VERSIONS = [
  { version: "the ky of this project", load: async () => ky },
  { version: "the lowest ky", load: () => loadKy("ky-lowest") },
  { version: "the newest ky", load: () => loadKy("ky-newest") },
];

const loadKy = async (name: string) => {
  const folder = installFixture("first-ring");
  return (await importFrom<{ default: KyInstance }>(folder, name)).default;
};

describe.each(VERSIONS)("fetchFrom with $version", ({ load }) => {
  let original: KyInstance;
  beforeAll(async () => {
    original = await load();
  });

  const clientsWith = (server: { baseUrl: string }, options: Options = {}, more: object = {}) =>
    clientsOf(server, { fetch: fetchFrom(original.extend(options)), ...more });

  test("hooks of ky run once for each attempt and can read its credentials", async () => {
    await using server = await startLoopback(respond(503), respond(200, account));
    const seen: string[] = [];
    const { v2 } = clientsWith(server, {
      hooks: {
        beforeRequest: [({ request }) => void seen.push(`to ${new URL(request.url).pathname}`)],
        afterResponse: [({ response }) => void seen.push(`from ${response.status}`)],
        beforeRetry: [() => void seen.push("a retry of ky")],
      },
    });
    expect(await v2.accounts.me()).toEqual(account.account);
    const path = "to /api/v2/accounts/me";
    expect(seen).toEqual([path, "from 503", path, "from 200"]);
  });

  test.each(KINDS)(
    "a $kind through fetchFrom has the body and headers of a plain fetch",
    async (kind) => {
      await using server = await startLoopback(respond(200, kind.success));
      await kind.call(clientsOf(server, { fetch: globalThis.fetch }));
      await kind.call(clientsWith(server));
      const [plain, carried] = server.requests;
      const told = ({ method, url, body, headers }: typeof plain & object) => ({
        ...{ method, url, body, headers },
      });
      expect(carried && told(carried)).toEqual(plain && told(plain));
    },
  );

  test("a hook of ky can add a header", async () => {
    await using server = await startLoopback(respond(200, account));
    const { v2 } = clientsWith(server, {
      hooks: { beforeRequest: [({ request }) => request.headers.set("x-signature", "5f3a")] },
    });
    await v2.accounts.me();
    expect(server.onlyRequest().headers).toMatchObject({
      authorization: `Basic ${BASIC}`,
      "x-signature": "5f3a",
    });
  });

  test.each([["authorization"], ["Authorization"]])(
    "headers of a ky instance are added, and %s never replaces the credentials",
    async (name) => {
      await using server = await startLoopback(respond(200, account));
      const headers = { "x-tenant": "seven", [name]: "Bearer other" };
      await clientsWith(server, { headers }).v2.accounts.me();
      expect(server.onlyRequest().headers).toMatchObject({
        authorization: `Basic ${BASIC}`,
        "x-tenant": "seven",
      });
    },
  );

  test("prefix, baseUrl and json of a ky instance are ignored", async () => {
    await using elsewhere = await startLoopback(respond(200, account));
    await using server = await startLoopback(respond(200, account));
    for (const options of [{ prefix: elsewhere.baseUrl }, { baseUrl: elsewhere.baseUrl }]) {
      await clientsWith(server, options).v2.accounts.me();
    }
    const { rcs } = clientsWith(server, { json: { not: "this" } });
    await rcs.request({ method: "POST", path: "/notes", json: { but: "this" } });
    expect(elsewhere.requests).toEqual([]);
    expect(server.requests.at(-1)?.body).toBe('{"but":"this"}');
  });

  test("an init hook cannot turn on the retries of ky", async () => {
    await using server = await startLoopback(respond(503));
    const turnOn = (options: Options) => {
      Object.assign(options, { retry: { limit: 9, methods: ["post"] }, throwHttpErrors: true });
    };
    const { rcs } = clientsWith(server, { hooks: { init: [turnOn] } });
    const error = await errorOf(rcs.request({ method: "POST", path: "/notes", json: {} }));
    expect(error).toMatchObject({ code: "server", status: 503, attempts: 1 });
    server.onlyRequest();
  });

  test("the body of a send is a Blob in Deno, whose fetch repeats a request with any other body", async () => {
    const bodies: unknown[] = [];
    const own = original.create({
      hooks: { init: [({ body }) => void bodies.push(body)] },
    });
    const { rcs } = clientsOf({ baseUrl: REFUSED_URL }, { fetch: fetchFrom(own), retry: 0 });
    const send = () => errorOf(rcs.request({ method: "POST", path: "/a", json: { a: 1 } }));
    await send();
    vi.stubGlobal("Deno", {});
    await send();
    vi.unstubAllGlobals();
    expect(bodies).toEqual(['{"a":1}', expect.any(Blob)]);
    expect(await (bodies[1] as Blob).text()).toBe('{"a":1}');
  });

  test("a hook that asks ky for a retry does not send a text twice", async () => {
    await using server = await startLoopback(respond(202, {}));
    const request = new Request(server.baseUrl, { headers: { "x-api-key": API_KEY } });
    const { rcs } = clientsWith(server, {
      hooks: { afterResponse: [() => original.retry({ request })] },
    });
    const error = await errorOf(rcs.request({ method: "POST", path: "/notes", json: {} }));
    expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
    expect(error.message).toContain("sent the request again after status 202");
    for (const secret of SECRETS) expect(shownOf(error)).not.toContain(secret);
    server.onlyRequest();
  });

  test("a response that a hook of ky returns replaces the response of the service", async () => {
    await using server = await startLoopback(hang);
    const { v2 } = clientsWith(server, {
      hooks: { beforeRequest: [() => Response.json(account)] },
    });
    expect(await v2.accounts.me()).toEqual(account.account);
    expect(server.requests).toEqual([]);
  });

  const hooksWith = (fail: (request: Request) => never) => [
    { beforeRequest: [({ request }: { request: Request }) => fail(request)] },
    { afterResponse: [({ request }: { request: Request }) => fail(request)] },
  ];
  const everything = ({ url, headers }: Request) =>
    JSON.stringify([url, decodeURIComponent(url), Object.fromEntries(headers)]);

  test.each<readonly [string, (request: Request) => unknown]>([
    ["its request", (request) => Object.assign(new Error("refused"), { request })],
    ["its options", (request) => Object.assign(new Error("refused"), { options: { request } })],
    ["its message", (request) => new Error(everything(request))],
    ["its name", (request) => Object.assign(new Error("refused"), { name: everything(request) })],
    ["a property", (request) => Object.assign(new Error("refused"), { curl: everything(request) })],
    ["a getter", (request) => Object.defineProperty(new Error(), "sent", { get: () => request })],
    ["a symbol", (request) => Object.assign(new Error(), { [Symbol("sent")]: request })],
    ["its cause", (request) => new Error("refused", { cause: { request } })],
    ["an error of an aggregate", (request) => new AggregateError([everything(request)])],
    ["an object", (request) => ({ request, sent: everything(request) })],
    ["a string", (request) => everything(request)],
  ])("an error thrown by a hook that exposes the request as %s is replaced", async (_, toError) => {
    const fail = (request: Request) => {
      throw toError(request);
    };
    for (const hooks of hooksWith(fail)) {
      await using server = await startLoopback(respond(200, subscriber));
      const { v2 } = clientsWith(server, { hooks }, { retry: 0 });
      const error = await errorOf(v2.subscribers.remove(17, PHONE));
      expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
      expect(error.cause).toMatchObject({
        message: "a hook of ky ended the attempt with an error",
      });
      for (const secret of SECRETS)
        expect(shownOf(error) + shownOf(error.cause)).not.toContain(secret);
    }
  });

  test("a framework's control-flow error thrown by a hook passes through unchanged", async () => {
    const controlFlow = Object.assign(new Error("to the sign-in page"), {
      digest: "NEXT_REDIRECT",
    });
    const fail = () => {
      throw controlFlow;
    };
    for (const hooks of hooksWith(fail)) {
      await using server = await startLoopback(respond(200, account));
      await expect(clientsWith(server, { hooks }).v2.accounts.me()).rejects.toBe(controlFlow);
    }
  });

  const following: Hooks = {
    init: [(options) => void Object.assign(options, { redirect: "follow" })],
  };

  test.each<readonly [string, { hooks: Hooks; fetch?: typeof fetch }]>([
    ["an init hook", { hooks: following }],
    [
      "an init hook beside a `fetch` that reads the request alone",
      { hooks: following, fetch: (input) => fetch(input) },
    ],
    [
      "a request that a hook returns",
      { hooks: { beforeRequest: [({ request }) => new Request(request, { redirect: "follow" })] } },
    ],
  ])("a redirect is not followed if %s turns it on", async (_, options) => {
    await using elsewhere = await startLoopback(respond(200, account));
    const location = `${elsewhere.baseUrl}/take`;
    await using server = await startLoopback(respond(307, "", { location }));
    const { v2, rcs } = clientsWith(server, options, { retry: 0 });
    for (const call of [v2.accounts.me(), rcs.sendRcsText(message)]) {
      expect(await errorOf(call)).toMatchObject({ code: "api", status: 307, outcome: "rejected" });
    }
    expect(elsewhere.requests).toEqual([]);
  });

  test.each(KINDS)(
    "no error of a $kind through fetchFrom shows a key, a phone number or a text",
    async (kind) => {
      for (const fault of [resetAfterReading, hang, respond(503), respond(401)]) {
        await using server = await startLoopback(fault);
        const options = { hooks: { beforeError: [({ error }: { error: Error }) => error] } };
        const clients = clientsWith(server, options, { timeout: 200, retry: 0 });
        const error = await errorOf(kind.call(clients));
        for (const secret of SECRETS) expect(shownOf(error)).not.toContain(secret);
      }
    },
  );

  const failing = () => {
    throw new Error("the application's own");
  };

  test.each<readonly [string, Hooks]>([
    ["without hooks", {}],
    ["even if a beforeError hook throws", { beforeError: [failing] }],
  ])("the cause of a connection error is what fetch threw, %s", async (_, hooks) => {
    const server = { baseUrl: REFUSED_URL };
    const error = await errorOf(clientsWith(server, { hooks }, { retry: 0 }).v2.accounts.me());
    expect(error).toMatchObject({ outcome: "not_sent" });
    expect(error.message).toContain("ECONNREFUSED");
    expect(error.cause).toBeInstanceOf(TypeError);
    expect(error.cause).toMatchObject({ message: "fetch failed" });
  });

  test.each([
    ["with its own fetch", { fetch: (...args: Parameters<typeof fetch>) => fetch(...args) }],
    ["without its own fetch", {}],
  ])("an init hook can wrap the fetch of a ky instance %s", async (_, options) => {
    await using server = await startLoopback(respond(200, account));
    const seen: string[] = [];
    const wrap = (given: Options) => {
      const { fetch } = given;
      given.fetch = async (request, init) => {
        seen.push(`to ${new URL((request as Request).url).pathname}`);
        return (fetch as NonNullable<typeof fetch>)(request, init);
      };
    };
    const { v2 } = clientsWith(server, { ...options, hooks: { init: [wrap] } });
    await v2.accounts.me();
    expect(seen).toEqual(["to /api/v2/accounts/me"]);
    server.onlyRequest();
  });

  test("a ky instance with its own fetch uses it, and its errors arrive unchanged", async () => {
    const controlFlow = Object.assign(new Error("static page"), { digest: "NEXT_STATIC" });
    const fetch = async () => {
      throw controlFlow;
    };
    const { v2 } = clientsWith({ baseUrl: "https://app.example.com" }, { fetch });
    await expect(v2.accounts.me()).rejects.toBe(controlFlow);
  });

  test("an aborted attempt through fetchFrom closes its socket", async () => {
    await using server = await startLoopback(hang);
    const controller = new AbortController();
    const { v2 } = clientsWith(server);
    const failed = errorOf(v2.accounts.me({ signal: controller.signal }));
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort();
    expect(await failed).toMatchObject({ code: "abort", outcome: "unknown" });
    await expect.poll(() => server.onlyRequest().abandoned).toBe(true);
  });
});

test("fetchFrom sends nothing with ky 1, whose retries cannot be turned off", async () => {
  await using server = await startLoopback(respond(503), respond(202, {}));
  const ky1 = await loadKy("ky-1");
  const fetch = fetchFrom(ky1.extend({ retry: { methods: ["get", "post"] } }));
  const { v2, rcs } = clientsOf(server, { fetch });
  for (const call of [() => rcs.sendRcsText(message), () => v2.accounts.me()]) {
    const error = await errorOf(call());
    expect(error).toMatchObject({ code: "connection", attempts: 1, isTransient: false });
    expect(error.message).toContain("`fetchFrom` needs ky 2 or newer");
  }
  expect(server.requests).toEqual([]);
});

test.each([[undefined], [null], [{}], [globalThis.fetch]])("fetchFrom refuses %s", (value) => {
  expect(() => fetchFrom(value as never)).toThrow(
    "option `source` must be a ky instance or an undici dispatcher",
  );
});
