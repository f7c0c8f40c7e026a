// Mistakes in and around the function `fetch`, which must not look like network failures.
import { Readable } from "node:stream";
import ky from "ky";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { FetchLike, FetchOption } from "../../../src/core/transport/transport.ts";
import { checkFile, fetchFrom } from "../../../src/index.ts";
import { traced } from "../../../src/opentelemetry/index.ts";
import { downloadReport } from "../../../src/reports/index.ts";
import { account, clientsOf, errorOf, KINDS, message, transaction } from "../../support/calls.ts";
import { overNodeFetch } from "../../support/carriers.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";

const { fetch } = globalThis;
afterEach(() => {
  vi.unstubAllGlobals();
});

const BASE = { baseUrl: "https://app.example.com" };
const FILE = "https://files.example.com/menu.pdf";
const tracer = { startSpan: () => ({}) as never };

/** Returns a `fetch` that resolves to anything, and counts its calls. */
const resolvingTo = (value: unknown) => vi.fn(async () => value as Response);
/** Returns a `fetch` that throws, and counts its calls. */
const throwing = (thrown: unknown) => vi.fn<FetchLike>(() => Promise.reject(thrown));

describe("an environment without fetch", () => {
  test.each([
    ["the default", undefined],
    ["traced", traced({ tracer }).fetch],
    ["fetchFrom(ky)", fetchFrom(ky)],
  ])("a call by %s is not_sent, is not retried, and names what to pass", async (_, option) => {
    vi.stubGlobal("fetch", undefined);
    for (const kind of KINDS) {
      const error = await errorOf(kind.call(clientsOf(BASE, { fetch: option })));
      const facts = { code: "connection", outcome: "not_sent", isTransient: false, attempts: 1 };
      expect(error).toMatchObject(facts);
      expect(error.message).toMatch(/: this environment has no `fetch`: pass the option `fetch`$/);
    }
  });

  test("checkFile and downloadReport without fetch name what to pass", async () => {
    vi.stubGlobal("fetch", undefined);
    await expect(checkFile(FILE)).rejects.toThrow("this environment has no `fetch`");
    const download = errorOf(downloadReport({ s3_url: FILE } as never));
    expect(await download).toMatchObject({ code: "connection", isTransient: false });
    expect((await download).message).toContain("this environment has no `fetch`");
  });
});

const body = JSON.stringify(transaction);
/** Values that are not a `Response`, with the type that the message names. */
const NO_RESPONSES: readonly (readonly [what: string, value: unknown, type: string])[] = [
  ["nothing, as a mock without an implementation", undefined, "undefined"],
  ["null", null, "object"],
  ["a string", body, "string"],
  ["a parsed body", transaction, "object"],
  [
    "a mock that has only json()",
    { ok: true, status: 202, json: async () => transaction },
    "object",
  ],
  [
    "a mock without a status",
    { ok: true, headers: new Headers(), text: async () => body },
    "object",
  ],
  ["a mock without ok", { status: 202, headers: new Headers(), text: async () => body }, "object"],
  ["a mock without headers", { ok: true, status: 202, text: async () => body }, "object"],
  [
    "a mock with plain headers",
    { ok: true, status: 202, headers: {}, text: async () => body },
    "object",
  ],
  ["a function", () => new Response(body), "function"],
];

describe("a fetch that resolves to something other than a Response", () => {
  test.each(NO_RESPONSES)(
    "%s makes the outcome unknown, and is not retried",
    async (_, value, type) => {
      for (const kind of KINDS) {
        const fetch = resolvingTo(value);
        const error = await errorOf(kind.call(clientsOf(BASE, { fetch })));
        expect(error).toMatchObject({ code: "connection", outcome: "unknown", isTransient: false });
        expect(error.message).toBe(`${kind.endpoint}: \`fetch\` returned ${type}, not a Response`);
        expect(fetch).toHaveBeenCalledTimes(1);
      }
      vi.stubGlobal("fetch", resolvingTo(value));
      const error = await errorOf(clientsOf(BASE).rcs.sendRcsText(message));
      expect(error).toMatchObject({ outcome: "unknown", isTransient: false, attempts: 1 });
    },
  );

  test("checkFile and downloadReport name a fetch that does not resolve to a Response", async () => {
    const told = "`fetch` returned undefined, not a Response";
    const fetch = resolvingTo(undefined);
    await expect(checkFile(FILE, { fetch })).rejects.toThrow(told);
    const error = await errorOf(downloadReport({ s3_url: FILE } as never, { fetch }));
    expect(error).toMatchObject({ code: "connection", isTransient: false });
    expect(error.message).toContain(told);
  });

  test("a mock with everything that the client reads is accepted", async () => {
    const mock = { ok: true, status: 202, headers: new Headers(), text: async () => body };
    const { rcs } = clientsOf(BASE, { fetch: resolvingTo(mock) });
    expect(await rcs.sendRcsText(message)).toEqual(transaction);
  });

  test.each([
    [301, "unknown", "api", 1],
    [400, "rejected", "api", 1],
    [404, "rejected", "not_found", 1],
    [429, "rejected", "rate_limit", 2],
    [503, "unknown", "server", 1],
  ] as const)(
    "a response with only the fields of FetchOption and the status %i has its outcome",
    async (status, outcome, code, attempts) => {
      let calls = 0;
      const fetch: FetchOption = async () => {
        calls += 1;
        const headers = { get: () => null };
        return { ok: false, status, headers, text: async () => '{"error":"no"}' };
      };
      const onEvent = vi.fn();
      const retry = { limit: 1, backoff: { initial: 0 } };
      const { rcs } = clientsOf(BASE, { fetch, onEvent, retry });
      const error = await errorOf(rcs.sendRcsText(message));
      expect(error).toMatchObject({ status, outcome, code, attempts });
      expect(onEvent.mock.lastCall).toMatchObject([{ type: "failed", outcome, code, attempts }]);
      expect(calls).toBe(attempts);
    },
  );

  test.each([[undefined], [{ ...transaction }], [null]])(
    "a text() that resolves to %j never counts as a success",
    async (text) => {
      const mock = { ok: true, status: 202, headers: new Headers(), text: async () => text };
      for (const kind of KINDS) {
        const error = await errorOf(kind.call(clientsOf(BASE, { fetch: resolvingTo(mock) })));
        const facts = { code: "response_validation", outcome: "unknown", attempts: 1 };
        expect(error).toMatchObject({ ...facts, isTransient: false });
        expect(error.message).toMatch(/: 202, but its body broke off or was read before$/);
      }
    },
  );
});

/** Returns what a function throws. */
const thrownBy = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (thrown) {
    return thrown;
  }
};
const missing = {} as {
  readonly fetch: () => void;
  readonly headers: { get(): void };
  readonly Class: new () => unknown;
};

const BLOB = new ReferenceError("Blob is not defined");

describe("a bug in a function around fetch", () => {
  test.each([
    ["a name that is not defined", thrownBy(() => new Function("return unknown()")())],
    ["a function that is missing", thrownBy(() => missing.fetch())],
    ["a class that is missing", thrownBy(() => new missing.Class())],
    ["a property of undefined", thrownBy(() => missing.headers.get())],
    ["null as an iterable", thrownBy(() => [...(null as unknown as [])])],
    ["one below fetch failed", new TypeError("fetch failed", { cause: BLOB })],
    [
      "one far below",
      new Error("no response", { cause: new TypeError("fetch failed", { cause: BLOB }) }),
    ],
  ])("%s makes the outcome unknown, and is not retried", async (_, bug) => {
    for (const kind of KINDS) {
      const fetch = throwing(bug);
      const error = await errorOf(kind.call(clientsOf(BASE, { fetch })));
      expect(error).toMatchObject({ code: "connection", outcome: "unknown", isTransient: false });
      const said = (bug as Error).cause === undefined ? bug : BLOB;
      expect(error.message).toContain(`\`fetch\` threw ${said}`);
      expect(error.cause).toMatchObject({ message: (bug as Error).message });
      expect(fetch).toHaveBeenCalledTimes(1);
    }
  });

  test.each([
    "Failed to fetch",
    "fetch failed",
    "Load failed",
    "NetworkError when attempting to fetch resource.",
    "The network connection was lost.",
    "terminated",
    "uploads are blocked while the proxy restarts",
    "this is a bad port",
  ])("a TypeError with the message %s is a network failure, and is retried", async (said) => {
    const fetch = throwing(new TypeError(said));
    const error = await errorOf(clientsOf(BASE, { fetch }).v2.accounts.me());
    expect(error).toMatchObject({ outcome: "unknown", isTransient: true, attempts: 3 });
    expect(error.message).toMatch(/: the connection failed$/);
  });

  test("the message of a bug shows no secret", async () => {
    const fetch = throwing(new ReferenceError(`${message.smsFailover} is not defined`));
    const error = await errorOf(clientsOf(BASE, { fetch }).rcs.sendRcsText(message));
    expect(error.message).toMatch(/threw ReferenceError: \[redacted\] is not defined$/);
  });
});

/** Replaces the scheme and the port of a URL. */
const movedTo = (base: string) => (url: string) => url.replace(/^https:\/\/[^/]+/, base);
const withToken =
  (token: string): FetchLike =>
  (url, init) =>
    fetch(url, { ...init, headers: { ...init.headers, token } });

describe("a request that fetch never sends, behind a function of the caller", () => {
  const BAD_PORT = "fetch blocks this port: check the port of the URL";
  test.each<[what: string, send: FetchLike, told: string]>([
    ["the port 1", (url, init) => fetch(movedTo("http://127.0.0.1:1")(url), init), BAD_PORT],
    ["the port 6000", (url, init) => fetch(movedTo("http://127.0.0.1:6000")(url), init), BAD_PORT],
    [
      "an unknown scheme",
      (url, init) => fetch(movedTo("ftp://app.example.com")(url), init),
      "`fetch` threw Error: unknown scheme",
    ],
    [
      "a malformed header",
      withToken("not\nsafe"),
      "`fetch` threw TypeError: Headers.append: … is an invalid header value.",
    ],
    ["a header that is not Latin", withToken("…"), "`fetch` threw TypeError: Cannot convert "],
    [
      "a relative URL",
      (_, init) => fetch("/proxy?token=not-safe", init),
      "`fetch` threw TypeError: Failed to parse URL from …",
    ],
    [
      "a malformed method",
      (url, init) => fetch(url, { ...init, method: "SEND NOW" }),
      "`fetch` threw TypeError: 'SEND NOW' is not a valid HTTP method.",
    ],
  ])("%s is named, and is not retried", async (_, send, told) => {
    for (const kind of KINDS) {
      const fetch = vi.fn(send);
      const error = await errorOf(kind.call(clientsOf(BASE, { fetch })));
      expect(error).toMatchObject({ code: "connection", outcome: "unknown", isTransient: false });
      expect(error.message).toContain(`${kind.endpoint}: ${told}`);
      expect(error.message).not.toMatch(/not.safe/);
      expect(fetch).toHaveBeenCalledTimes(1);
    }
  });

  // The messages of Deno.
  test.each([
    ["Fetch failed: Requests to port 6000 are blocked", BAD_PORT],
    ["Url scheme 'ftp' not supported", "`fetch` threw TypeError: Url scheme 'ftp' not supported"],
    ['Invalid header value: "not\nsafe"', "`fetch` threw TypeError: Invalid header value: …"],
    ["Invalid URL: '/proxy?token=not-safe'", "`fetch` threw TypeError: Invalid URL: …"],
    ["Method is not valid", "`fetch` threw TypeError: Method is not valid"],
  ])("the TypeError %j is named, and is not retried", async (said, told) => {
    const fetch = throwing(new TypeError(said));
    const error = await errorOf(clientsOf(BASE, { fetch }).v2.accounts.me());
    expect(error).toMatchObject({ outcome: "unknown", isTransient: false, attempts: 1 });
    expect(error.message).toBe(`GET /api/v2/accounts/me: ${told}`);
  });

  test("checkFile and downloadReport name a port that fetch blocks, and do not retry it", async () => {
    const toPort = vi.fn<FetchLike>((url, init) =>
      fetch(movedTo("http://127.0.0.1:6000")(url), init),
    );
    const told = "`fetch` threw Error: bad port";
    await expect(checkFile(FILE, { fetch: toPort })).rejects.toThrow(told);
    const error = await errorOf(downloadReport({ s3_url: FILE } as never, { fetch: toPort }));
    expect(error).toMatchObject({ code: "connection", isTransient: false });
    expect(error.message).toContain(told);
    expect(toPort).toHaveBeenCalledTimes(2);
  });
});

/** The `AbortController` of another environment, such as jsdom. */
class ForeignController extends AbortController {
  override get signal(): AbortSignal {
    const { signal } = { signal: super.signal };
    return Object.create(null, {
      aborted: { get: () => signal.aborted },
      addEventListener: { value: signal.addEventListener.bind(signal) },
      removeEventListener: { value: signal.removeEventListener.bind(signal) },
    });
  }
}

describe("a fetch that refuses the signal of another environment", () => {
  const told = /: `fetch` threw TypeError: .*AbortSignal/;

  test("without the option fetch, a client needs no signal of Node's own", async () => {
    vi.stubGlobal("AbortController", ForeignController);
    await using server = await startLoopback(respond(200, account));
    await expect(clientsOf(server).v2.accounts.me()).resolves.toEqual(account.account);
  });

  test("Node's own fetch refuses a foreign signal before it sends anything, so the outcome is not_sent", async () => {
    vi.stubGlobal("AbortController", ForeignController);
    await using server = await startLoopback(respond(200, account));
    for (const kind of KINDS) {
      const error = await errorOf(kind.call(clientsOf(server, { fetch: overNodeFetch })));
      const facts = { code: "connection", outcome: "not_sent", isTransient: false, attempts: 1 };
      expect(error).toMatchObject(facts);
      expect(error.message).toMatch(told);
    }
    expect(server.requests).toEqual([]);
  });

  test("a foreign signal that is refused behind a function of the caller leaves the outcome unknown", async () => {
    vi.stubGlobal("AbortController", ForeignController);
    const wrapper: FetchLike = (url, init) => fetch(url, init);
    const error = await errorOf(clientsOf(BASE, { fetch: wrapper }).rcs.sendRcsText(message));
    expect(error).toMatchObject({ outcome: "unknown", isTransient: false, attempts: 1 });
    expect(error.message).toMatch(told);
  });
});

describe("a body that was read before the client", () => {
  const reading: FetchLike = async (url, init) => {
    const response = await fetch(url, init);
    await response.text();
    return response;
  };

  test("a success whose body was read is unknown, and is not retried", async () => {
    for (const kind of KINDS) {
      await using server = await startLoopback(respond(200, kind.success));
      const error = await errorOf(kind.call(clientsOf(server, { fetch: reading })));
      expect(error).toMatchObject({ code: "response_validation", outcome: "unknown", status: 200 });
      expect(error.message).toMatch(/: 200, but its body broke off or was read before$/);
      server.onlyRequest();
    }
  });

  test("an error whose body was read keeps its status, and says that its body cannot be read", async () => {
    await using server = await startLoopback(respond(400, { error: "name is too long" }));
    const error = await errorOf(clientsOf(server, { fetch: reading }).rcs.sendRcsText(message));
    expect(error).toMatchObject({ code: "api", outcome: "rejected", status: 400 });
    expect(error.message).toMatch(/: 400 Bad Request: its body broke off or was read before$/);
  });

  test("an error whose body fails at its first byte keeps its status, and says so", async () => {
    const failing = new Response(new ReadableStream({ pull: () => Promise.reject(new Error()) }), {
      status: 404,
    });
    const error = await errorOf(clientsOf(BASE, { fetch: resolvingTo(failing) }).v2.accounts.me());
    expect(error).toMatchObject({ code: "not_found", outcome: "rejected", status: 404 });
    expect(error.message).toMatch(
      /: 404: its body broke off or was read before \(check baseUrl: [^)]+\)$/,
    );
  });
});

describe("the body of a package's Response", () => {
  /** Returns a `Response` whose body is a Node stream, like that of node-fetch. */
  const foreign = (status: number, said: string) => {
    const stream = Readable.from([Buffer.from(said)]);
    const response = new Response(null, { status });
    const text = async () => Buffer.concat(await stream.toArray()).toString();
    Object.defineProperties(response, { body: { value: stream }, text: { value: text } });
    return { response, stream };
  };

  test("the documented reason of a 400 is read", async () => {
    const errors = [{ code: "custom", message: "no", path: ["phoneNumber"] }];
    const { response } = foreign(400, JSON.stringify({ error: "Invalid request", errors }));
    const { rcs } = clientsOf(BASE, { fetch: resolvingTo(response) });
    const error = await errorOf(rcs.sendRcsText(message));
    expect(error).toMatchObject({ code: "validation", source: "service", errors });
  });

  test("a long body is kept up to 64 KiB", async () => {
    const { response } = foreign(404, "x".repeat(100_000));
    const { v2 } = clientsOf(BASE, { fetch: resolvingTo(response) });
    expect(await errorOf(v2.accounts.me())).toMatchObject({ body: "x".repeat(65_536) });
  });

  test("the body of a redirect is closed by checkFile", async () => {
    const redirect = foreign(302, "moved");
    Object.defineProperty(redirect.response, "headers", { value: new Headers({ location: FILE }) });
    const file = new Response(null, { headers: { "content-type": "image/png" } });
    const fetch = vi.fn(async () => file).mockImplementationOnce(async () => redirect.response);
    expect(await checkFile(FILE, { fetch })).toEqual({ contentType: "image/png" });
    expect(redirect.stream.destroyed).toBe(true);
  });
});
