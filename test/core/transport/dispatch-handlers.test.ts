// Responses that a dispatcher reports through the callbacks of its handler, in the forms of undici 6 and of undici 7 and 8.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import type { FetchLike } from "../../../src/core/transport/transport.ts";
import { fetchFrom } from "../../../src/index.ts";
import { clientsOf, errorOf, message, transaction } from "../../support/calls.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const URL_OF_CALL = "https://app.example.com/a";

/** Callbacks of a handler. */
type Handler = Record<string, (...args: unknown[]) => unknown>;

/** Returns a fetch function over a dispatcher that calls the handler of each request. */
const over = (respond: (handler: Handler, options: object) => void): FetchLike =>
  fetchFrom({
    dispatch: (options, handler) => {
      respond(handler as Handler, options);
      return true;
    },
  });

const controller = { abort: () => {}, pause: () => {}, resume: () => {} };

/** Reports a whole response through the callbacks of undici 7 and 8. */
const reporting =
  (status: number, fields: Record<string, string>, body: string, statusText = "OK") =>
  (handler: Handler): void => {
    handler.onRequestStart?.(controller);
    handler.onResponseStart?.(controller, status, fields, statusText);
    handler.onResponseData?.(controller, new TextEncoder().encode(body));
    handler.onResponseEnd?.(controller, {});
  };

describe("a response over a dispatcher", () => {
  test.each([
    ["HEAD", 200],
    ["GET", 204],
    ["GET", 205],
    ["GET", 304],
  ])("the response to %s with status %d has no body", async (method, status) => {
    const response = await over(reporting(status, {}, ""))(URL_OF_CALL, { method });
    expect(response.status).toBe(status);
    expect(response.body).toBeNull();
  });

  test("a response to GET has a body", async () => {
    const response = await over(reporting(200, { "x-a": "1" }, "text"))(URL_OF_CALL, {});
    expect(await response.text()).toBe("text");
    expect([...response.headers]).toEqual([["x-a", "1"]]);
  });

  test("characters that a status text cannot have are removed", async () => {
    const response = await over(reporting(200, {}, "", "O\0\u2028K é"))(URL_OF_CALL, {});
    expect(response.statusText).toBe("OK é");
  });

  test("a header value or another name of 16 characters is not mistaken for a content coding", async () => {
    const raw = ["x-note", "content-encoding", "gzip", "1", "x-sixteen-letter", "gzip"];
    const buffers = raw.map((text) => Buffer.from(text));
    const fetch = over((handler) => {
      handler.onConnect?.(() => {});
      handler.onHeaders?.(200, buffers, () => {}, "OK");
      handler.onData?.(Buffer.from("plain"));
      handler.onComplete?.([]);
    });
    const response = await fetch(URL_OF_CALL, {});
    expect(await response.text()).toBe("plain");
    expect(response.headers.get("x-note")).toBe("content-encoding");
    expect(response.headers.get("gzip")).toBe("1");
  });

  test("a dispatcher is paused only while its body is read more slowly than it arrives", async () => {
    const steps: unknown[] = [];
    const pausable = {
      abort: () => {},
      pause: () => steps.push("pause"),
      resume: () => steps.push("resume"),
    };
    let handler: Handler = {};
    const fetch = over((ownHandler) => {
      handler = ownHandler;
      handler.onRequestStart?.(pausable);
      handler.onResponseStart?.(pausable, 200, {}, "OK");
    });
    const arrive = (text: string) =>
      steps.push(handler.onResponseData?.(pausable, new TextEncoder().encode(text)));
    const { body } = await fetch(URL_OF_CALL, {});
    const reader = body?.getReader();
    const first = reader?.read();
    steps.length = 0;
    arrive("awaited");
    await first;
    expect(steps.splice(0)).toEqual([true, "resume"]);
    arrive("early");
    expect(steps.splice(0)).toEqual(["pause", false]);
    await reader?.read();
    expect(steps).toEqual(["resume"]);
  });

  test("an error after the response fails the body", async () => {
    const fetch = over((handler) => {
      handler.onRequestStart?.(controller);
      handler.onResponseStart?.(controller, 200, {}, "OK");
      handler.onResponseError?.(controller, new Error("other side closed"));
    });
    const response = await fetch(URL_OF_CALL, {});
    await expect(response.text()).rejects.toMatchObject({ message: "fetch failed" });
  });
});

type Act = (handler: Handler) => unknown;
const lose: Act = () => {
  throw new Error("it is lost");
};
const start: Act = (handler) => handler.onRequestStart?.(controller, null);
const head: Act = (handler) => handler.onResponseStart?.(controller, 202, {}, "Accepted");
const body: Act = (handler) =>
  handler.onResponseData?.(controller, Buffer.from(JSON.stringify(transaction)));
const end: Act = (handler) => handler.onResponseEnd?.(controller, {});
const fail: Act = (handler) => handler.onResponseError?.(controller, new Error("it is lost"));
const UNKNOWN = {
  message: expect.any(String),
  code: "connection",
  outcome: "unknown",
  attempts: 1,
};
const REPEATED = "the dispatcher sent the request again: the repeat was stopped";

describe("a send over a dispatcher", () => {
  test.each<[what: string, acts: readonly Act[], expected: Partial<typeof UNKNOWN>]>([
    ["throws", [lose], UNKNOWN],
    ["throws after the start", [start, lose], UNKNOWN],
    ["never calls back", [], { ...UNKNOWN, code: "timeout" }],
    ["fails without a start", [fail], UNKNOWN],
    ["fails after the start", [start, fail], UNKNOWN],
    ["fails in the body", [start, head, body, fail], UNKNOWN],
    ["ends without a response", [start, end], UNKNOWN],
    [
      "starts twice",
      [start, start, head, body, end],
      { ...UNKNOWN, message: expect.stringContaining(REPEATED) },
    ],
    ["fails without a start, after a response", [head, fail], UNKNOWN],
  ])("a send over a dispatcher that %s", async (_, acts, expected) => {
    let requests = 0;
    const fetch = over((handler) => {
      requests += 1;
      for (const act of acts) act(handler);
    });
    const { rcs } = clientsOf({ baseUrl: "https://rcs.example.com" }, { fetch, timeout: 200 });
    expect(await errorOf(rcs.sendRcsText(message))).toMatchObject(expected);
    expect(requests).toBe(expected.attempts);
  });

  test("a second response of a dispatcher to a send is ignored", async () => {
    const fetch = over((handler) => {
      for (const act of [start, head]) act(handler);
      reporting(500, {}, JSON.stringify(transaction))({ ...handler, onRequestStart: vi.fn() });
    });
    const { rcs } = clientsOf({ baseUrl: "https://rcs.example.com" }, { fetch });
    expect(await rcs.sendRcsText(message)).toEqual(transaction);
  });
});

describe("a request over a dispatcher", () => {
  test.each([
    ["an object", { "X-Tenant": "1" }],
    ["Headers", new Headers({ "X-Tenant": "1" })],
    ["pairs", [["X-Tenant", "1"]] as [string, string][]],
  ])("names of headers in %s are sent in lowercase", async (_, headers) => {
    const seen = vi.fn();
    const fetch = over((handler, options) => {
      seen(options);
      reporting(200, {}, "")(handler);
    });
    await fetch(URL_OF_CALL, { headers });
    expect(seen.mock.lastCall?.[0]).toMatchObject({ headers: { "x-tenant": "1" } });
  });

  test("a dispatcher is accepted if its name does not start with Retry, or if it has no class", () => {
    class NoRetryAgent {
      dispatch() {}
    }
    expect(() => fetchFrom(new NoRetryAgent())).not.toThrow();
    const bare = Object.assign(Object.create(null), { dispatch: () => {} });
    expect(() => fetchFrom(bare)).not.toThrow();
  });
});

describe("a dispatcher that keeps the handler of a request", () => {
  type Ending = (handler: Handler, abort: () => void) => unknown;
  const endings: readonly (readonly [string, number, Ending])[] = [
    ["a success", 200, (handler) => handler.onResponseEnd?.(controller, {})],
    ["an error status", 500, (handler) => handler.onResponseEnd?.(controller, {})],
    [
      "a lost connection",
      200,
      (handler) => handler.onResponseError?.(controller, new Error("lost")),
    ],
    ["an abort", 200, (_, abort) => abort()],
  ];

  /** Makes a call that ends in the given way. Returns weak references to the objects of the call, and the handler. */
  const callOver = async (isOfClient: boolean, status: number, end: Ending) => {
    const own = { ...controller };
    const chunk = new TextEncoder().encode("{}");
    const aborting = new AbortController();
    const { signal } = aborting;
    const handlers: Handler[] = [];
    const fetch = over((handler) => {
      handlers.push(handler);
      handler.onRequestStart?.(own);
      handler.onResponseStart?.(own, status, {}, "");
      handler.onResponseData?.(own, chunk);
      setImmediate(() => end(handler, () => aborting.abort()));
    });
    const { v2 } = clientsOf({ baseUrl: "https://app.example.com" }, { fetch, retry: 0 });
    const call = async (): Promise<object> => {
      if (isOfClient) {
        const parts = await v2.request({ method: "GET", path: "/a" }, { signal }).withResponse();
        return parts.response;
      }
      const response = await fetch(URL_OF_CALL, { signal });
      await response.text();
      return response;
    };
    const result = await call().catch((error: object) => error);
    const parts = { own, chunk, signal, result };
    return {
      handlers,
      references: Object.entries(parts).map(([name, part]) => ({ name, part: new WeakRef(part) })),
    };
  };

  test.each(
    [true, false].flatMap((isOfClient) =>
      endings.map(([name, status, end]) => ({
        by: isOfClient ? "a client" : "a wrapper",
        name,
        isOfClient,
        status,
        end,
      })),
    ),
  )(
    "a dispatcher that keeps the handler keeps nothing of a request by $by after $name",
    async ({ isOfClient, status, end }) => {
      const { handlers, references } = await callOver(isOfClient, status, end);
      const isKept = ({ part }: (typeof references)[number]) => part.deref() !== undefined;
      const kept = () => {
        collectGarbage();
        return references.filter(isKept).map(({ name }) => name);
      };
      // On a busy machine, one collection may come too early. A real leak lasts much longer than this timeout.
      await expect.poll(kept, { timeout: 5_000 }).toEqual([]);
      expect(handlers).toHaveLength(1);
    },
  );
});
