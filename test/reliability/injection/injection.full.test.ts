// Every value that a caller passes stays in its part of the request. The tests compare the bytes on a raw socket.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { MessagingServiceError, TransactionalClient, V2Client } from "../../../src/index.ts";
import { API_KEY, BASIC, type Clients, clientsOf, EMAIL, message } from "../../support/calls.ts";
import { CARRIERS } from "../../support/carriers.ts";
import { type RawServer, startRaw } from "../../support/servers/raw-server.ts";

// The timeout allows for real sockets on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let server: RawServer;
let clients: Clients;

beforeAll(async () => {
  server = await startRaw((socket, received) => {
    const [head = "", body = ""] = received.split("\r\n\r\n");
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (!received.includes("\r\n\r\n") || body.length < length) return;
    socket.end("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}");
  });
});
afterAll(() => server[Symbol.asyncDispose]());

/** Strings that try to escape from their part of the request. */
const HOSTILE = [
  ..."/?#%\\ \t\r\n\0.:@&=+;,{}",
  "..",
  "%2e%2e",
  "%2E%2E/%2e",
  "%00",
  "%zz",
  "../../accounts/me",
  "//evil.example",
  "\r\nX-Injected: yes",
  "\nX-Injected: yes",
  " HTTP/1.1\r\nHost: evil.example\r\n\r\nGET /",
  "\u2028",
  "\u0085",
  "\ufeff",
  "\ud800",
  "\udc00",
  "é…🎉",
  "{ID}",
  "$&",
  "__proto__",
];
const anyText = fc.string({
  unit: fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "binary", maxLength: 3 })),
  maxLength: 4,
});
const RUNS = { numRuns: 100 };

interface Received {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Returns the parts of the only new request, or `undefined` if the client refused the call. */
const requestOf = async (call: () => PromiseLike<unknown>): Promise<Received | undefined> => {
  const before = server.received.length;
  const failure = await Promise.resolve(call()).then(
    () => undefined,
    (error: unknown) => error,
  );
  const [bytes, ...others] = server.received.slice(before);
  expect(others).toEqual([]);
  if (bytes === undefined) {
    // Nothing was sent, because a rule failed or a header cannot contain the value.
    expect(MessagingServiceError.is(failure) || failure instanceof TypeError).toBe(true);
    return undefined;
  }
  const end = bytes.indexOf("\r\n\r\n");
  const [first = "", ...lines] = bytes.slice(0, end).split("\r\n");
  expect(first).toMatch(/^[A-Z]+ \/[\x21-\x7e]* HTTP\/1\.1$/);
  const fields = lines.map((line): [string, string] => {
    const [, name = "", value = ""] = /^([^:\s]+): ?(.*)$/s.exec(line) ?? [];
    expect(name).not.toBe("");
    return [name.toLowerCase(), value];
  });
  const headers = Object.fromEntries(fields);
  // No header was repeated, and none was added.
  expect(Object.keys(headers)).toHaveLength(fields.length);
  expect(headers).not.toHaveProperty("x-injected");
  expect(headers.host).toBe(new URL(server.baseUrl).host);
  const [method = "", target = ""] = first.split(" ");
  return { method, target, headers, body: bytes.slice(end + 4) };
};

const wellFormed = (text: string) => Buffer.from(text).toString();
const utf8 = (latin1: string) => Buffer.from(latin1, "latin1").toString("utf8");

describe.each(CARRIERS)("injection into a request, carried by $carrier", ({ fetch }) => {
  beforeAll(() => {
    clients = clientsOf(server, { fetch, retry: 0, throttle: false });
  });

  describe("path segments", () => {
    test("a path parameter is sent as one segment with the given string, or refused", async () => {
      let sent = 0;
      await fc.assert(
        fc.asyncProperty(anyText, async (text) => {
          const received = await requestOf(() => clients.v2.subscribers.remove(17, text));
          if (!received) return;
          sent += 1;
          const segments = received.target.split("/");
          expect(segments).toHaveLength(7);
          expect(received.target).toMatch(/^\/api\/v2\/lists\/17\/subscribers\/[^/?#]+$/);
          expect(decodeURIComponent(segments[6] ?? "")).toBe(text);
          expect(new URL(received.target, server.baseUrl).pathname).toBe(received.target);
        }),
        RUNS,
      );
      expect(sent).toBeGreaterThan(20);
    });

    test("a path parameter that would name a different resource is refused", async () => {
      for (const text of ["", ".", "..", "\ud800", "a\udfff"]) {
        expect(await requestOf(() => clients.v2.subscribers.remove(17, text))).toBeUndefined();
      }
    });

    test("a parameter of request() cannot change the path", async () => {
      const piece = fc.constantFrom("/a", "{A}", "/{B}", ".", "%2", "%2e", "/");
      const path = fc
        .array(piece, { minLength: 1, maxLength: 4 })
        .map((parts) => `/${parts.join("")}`);
      const value = fc.oneof(anyText, fc.constantFrom("e", "E", "2e", "%2e", ".", ".//", "a"));
      await fc.assert(
        fc.asyncProperty(path, value, value, async (template, A, B) => {
          const used = { A, B };
          const params = Object.fromEntries(
            Object.entries(used).filter(([name]) => template.includes(`{${name}}`)),
          );
          const received = await requestOf(() =>
            clients.rcs.request({ method: "GET", path: template, params }),
          );
          if (!received) return;
          expect(received.target.split("/")).toHaveLength(template.split("/").length);
        }),
        { numRuns: 200, examples: [["/%2{A}/a", "e", "e"]] },
      );
    });
  });

  describe("query values", () => {
    test("a query value is sent as one value with the given string", async () => {
      await fc.assert(
        fc.asyncProperty(anyText, anyText, async (name, value) => {
          const query = Object.fromEntries([[name, value]]);
          const received = await requestOf(() =>
            clients.v2.request({ method: "GET", path: "/api/v2/a", query }),
          );
          // A URL cannot contain an unpaired surrogate.
          const isSent = [name, value].every((text) => text === wellFormed(text));
          const pairs = received && [...new URL(received.target, server.baseUrl).searchParams];
          expect(pairs).toEqual(isSent ? [[name, value]] : undefined);
          if (received) expect(received.target).toMatch(/^\/api\/v2\/a\?[^?#\s]*$/);
        }),
        RUNS,
      );
    });
  });

  describe("header values", () => {
    test("a header value is sent as one value, or refused", async () => {
      let sent = 0;
      await fc.assert(
        fc.asyncProperty(anyText, async (value) => {
          const received = await requestOf(() =>
            clients.rcs.request({ method: "GET", path: "/a" }, { headers: { "x-note": value } }),
          );
          if (!received) return;
          sent += 1;
          expect(received.headers["x-note"]).toBe(value.replace(/^[\t\r\n ]+|[\t\r\n ]+$/g, ""));
          expect(received.headers["x-api-key"]).toBe(API_KEY);
        }),
        RUNS,
      );
      expect(sent).toBeGreaterThan(5);
    });

    test.each(["a\r\nb: c", "a\nb", "a\rb", "a\0b", "a\u0100b", "🎉"])(
      "a header value of %j is refused",
      async (value) => {
        const options = { headers: { "x-note": value } };
        for (const client of [clients.v2, clients.rcs]) {
          expect(
            await requestOf(() => client.request({ method: "GET", path: "/a" }, options)),
          ).toBeUndefined();
        }
      },
    );

    test("the option `headers` cannot replace a credential or the host", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom("Authorization", "authorization", "AUTHORIZATION ", "x", "__proto__"),
          anyText,
          async (name, value) => {
            const received = await requestOf(() =>
              clients.v2.request({ method: "GET", path: "/a" }, { headers: { [name]: value } }),
            );
            if (received) expect(received.headers.authorization).toBe(`Basic ${BASIC}`);
          },
        ),
        RUNS,
      );
    });
  });

  describe("texts of messages", () => {
    test("a text of a message stays within its JSON string, unless it has half of a surrogate pair", async () => {
      await fc.assert(
        fc.asyncProperty(anyText, async (text) => {
          const received = await requestOf(() =>
            clients.rcs.sendRcsText({ ...message, rcsPayload: { text } }),
          );
          if (/\p{Cs}/u.test(text)) {
            expect(received).toBeUndefined();
            return;
          }
          const { method, target, headers, body } = received ?? {};
          expect(`${method} ${target}`).toBe("POST /transactional_messages/send_rcs_text");
          expect(Number(headers?.["content-length"])).toBe(body?.length);
          expect(JSON.parse(utf8(body ?? ""))).toMatchObject({ rcsPayload: { text } });
        }),
        RUNS,
      );
    });
  });

  test("the method of request() is refused unless it is a known method", async () => {
    for (const method of [
      "GET /x HTTP/1.1\r\nX-Injected: yes\r\n\r\nGET",
      "GET\n",
      " GET",
      "G\0",
    ]) {
      const request = { method: method as "GET", path: "/a" };
      expect(await requestOf(() => clients.v2.request(request))).toBeUndefined();
    }
  });
});

describe("injection into a credential", () => {
  test.each(["a\r\nX-Injected: yes", "a\nb", "a\0b", "a b\r", "\ud800", "kéy", ""])(
    "a credential of %j is refused and not quoted",
    (apiKey) => {
      const { baseUrl } = server;
      const make = [
        () => new TransactionalClient({ baseUrl, apiKey }),
        () => new V2Client({ baseUrl, email: `${apiKey}\n`, apiKey: API_KEY }),
      ];
      for (const attempt of make) expect(attempt).toThrow(TypeError);
      if (apiKey === "") return;
      for (const attempt of make) expect(attempt).not.toThrow(apiKey);
    },
  );

  test("a credential of version 2 may be any string, because it is sent in Base64", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (apiKey) => {
        let v2: V2Client;
        try {
          v2 = new V2Client({ baseUrl: server.baseUrl, email: EMAIL, apiKey, throttle: false });
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
          return;
        }
        const received = await requestOf(() => v2.request({ method: "GET", path: "/a" }));
        const [, base64 = ""] = received?.headers.authorization?.split(" ") ?? [];
        expect(Buffer.from(base64, "base64").toString()).toBe(`${EMAIL}:${apiKey}`);
      }),
      RUNS,
    );
  });
});
