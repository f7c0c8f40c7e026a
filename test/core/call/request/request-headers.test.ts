import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { type RequestOptions, TransactionalClient, V2Client } from "../../../../src/index.ts";
import { API_KEY, BASIC, clientsOf, KINDS, transaction } from "../../../support/calls.ts";
import { UNDICI } from "../../../support/dispatchers.ts";
import { respond, startLoopback } from "../../../support/servers/loopback.ts";

/** Headers that Node's `fetch` adds to every request. */
const OF_FETCH = [
  ...["accept-encoding", "accept-language", "cache-control", "connection", "content-length"],
  ...["host", "pragma", "sec-fetch-mode", "user-agent"],
];

describe("request headers", () => {
  test.each(KINDS)(
    "a $kind sends credentials, accept and content-type, and no other header",
    async (kind) => {
      await using server = await startLoopback(respond(200, kind.success));
      await kind.call(clientsOf(server));
      const { headers } = server.onlyRequest();
      const sent = Object.entries(headers).filter(([name]) => !OF_FETCH.includes(name));
      expect(Object.fromEntries(sent)).toEqual({
        accept: "application/json",
        "content-type": "application/json",
        ...(kind.kind === "POST send"
          ? { "x-api-key": API_KEY }
          : { authorization: `Basic ${BASIC}` }),
      });
    },
  );

  test("a retry sends the same headers", async () => {
    await using server = await startLoopback(respond(503), respond(429), respond(202, transaction));
    await clientsOf(server).v2.request({ method: "GET", path: "/any" });
    const [first, ...others] = server.requests.map(({ headers }) => headers);
    expect(others).toEqual([first, first]);
  });

  test("Basic credentials are encoded as UTF-8", async () => {
    await using server = await startLoopback(respond(200, {}));
    const { baseUrl } = server;
    const v2 = new V2Client({ baseUrl, email: "öwner@example.com", apiKey: "schlüssel €" });
    await v2.request({ method: "GET", path: "/any" });
    const [, base64 = ""] = server.onlyRequest().headers.authorization?.split(" ") ?? [];
    expect(Buffer.from(base64, "base64").toString("utf8")).toBe("öwner@example.com:schlüssel €");
  });

  test("a request without a body has no content-length and no body", async () => {
    await using server = await startLoopback(respond(200, {}));
    await clientsOf(server).v2.request({ method: "DELETE", path: "/any" });
    const { headers, body } = server.onlyRequest();
    expect(headers["content-length"] ?? "0").toBe("0");
    expect(body).toBe("");
  });
});

describe("the option `headers`", () => {
  test("a header of a call overrides the client's header in any case", async () => {
    await using server = await startLoopback(respond(200, {}));
    const headers = { "X-Tenant": "client", "X-Kept": "kept" };
    const { rcs } = clientsOf(server, { headers });
    await rcs.request({ method: "GET", path: "/any" }, { headers: { "x-tenant": "call" } });
    expect(server.onlyRequest().headers).toMatchObject({ "x-tenant": "call", "x-kept": "kept" });
  });

  test("the option `headers` may be a Headers object, and a value may be undefined", async () => {
    await using server = await startLoopback(respond(200, {}));
    const { v2 } = clientsOf(server, { headers: { "x-a": undefined, "x-b": "b" } });
    await v2.request({ method: "GET", path: "/any" }, { headers: new Headers({ "x-c": "c" }) });
    expect(server.onlyRequest().headers).toMatchObject({ "x-b": "b", "x-c": "c" });
    expect(server.onlyRequest().headers).not.toHaveProperty("x-a");
  });

  const own = { "X-Trace": "t 1", "x-umlaut": "\u00fc" };
  const pairs = Object.entries(own);

  test.each<readonly [what: string, headers: RequestOptions["headers"]]>([
    ["an object", own],
    ["an object without a prototype", Object.assign(Object.create(null), own)],
    ["an object of another realm", runInNewContext("Object.assign({}, own)", { own })],
    ["the runtime's Headers", new Headers(own)],
    ...UNDICI.map(
      ({ major, undici }) => [`the Headers of undici ${major}`, new undici.Headers(own)] as const,
    ),
    ["a Map", new Map(pairs)],
    ["URLSearchParams", new URLSearchParams(own)],
    ["an array of pairs", pairs],
    ["a Set of pairs", new Set(pairs)],
    ["an iterable of one's own", { [Symbol.iterator]: () => pairs[Symbol.iterator]() }],
  ])(
    "%s as the option `headers` arrives completely, from the client and from a call",
    async (_, headers) => {
      await using server = await startLoopback(respond(200, {}));
      await clientsOf(server, { headers }).v2.request({ method: "GET", path: "/any" });
      await clientsOf(server).v2.request({ method: "GET", path: "/any" }, { headers });
      expect(server.requests).toHaveLength(2);
      for (const request of server.requests) {
        expect(request.headers).toMatchObject({ "x-trace": "t 1", "x-umlaut": "\u00fc" });
      }
    },
  );

  test.each<readonly [what: string, headers: RequestOptions["headers"]]>([
    [
      "pairs",
      [
        ["x-a", "1"],
        ["X-A", "2"],
      ],
    ],
    ["URLSearchParams", new URLSearchParams("x-a=1&x-a=2")],
    ["an object", { "x-a": "1", "X-A": "2" }],
  ])("two values of one name in %s are combined, as in Headers", async (_, headers) => {
    await using server = await startLoopback(respond(200, {}));
    await clientsOf(server).v2.request({ method: "GET", path: "/any" }, { headers });
    expect(server.onlyRequest().headers["x-a"]).toBe("1, 2");
  });

  test.each([
    ...["connection", "content-length", "Expect", "Host", "keep-alive", "proxy-connection"],
    ...["te", "trailer", "transfer-encoding", "Upgrade"],
  ])(
    "the header %s is refused by its name before anything is sent, wherever it is given",
    async (name) => {
      const headers = { "x-a": "1", [name]: "5" };
      const expected = new TypeError(
        `option \`headers[${name.toLowerCase()}]\` does not exist: the runtime sets this header itself`,
      );
      await using server = await startLoopback();
      expect(() => clientsOf(server, { headers })).toThrow(expected);
      const { v2, rcs } = clientsOf(server);
      for (const call of [
        () => v2.accounts.me({ headers }),
        () => v2.lists.list({}, { headers }),
        () => v2.request({ method: "GET", path: "/any" }, { headers: new Headers(headers) }),
        () => rcs.request({ method: "GET", path: "/any" }, { headers: Object.entries(headers) }),
      ]) {
        await expect(call()).rejects.toThrow(expected);
      }
      expect(server.requests).toEqual([]);
    },
  );

  test.each(["\x01", "\x7f", "\x1b[2J"])(
    "a header with the control character %j is refused",
    (text) => {
      const headers = { "x-a": `b${text}` };
      expect(() => clientsOf({ baseUrl: "https://app.example.com" }, { headers })).toThrow(
        new TypeError('option `headers["x-a"]` must be a valid header'),
      );
      // `Headers` removes a trailing line break, such as that of a file.
      clientsOf({ baseUrl: "https://app.example.com" }, { headers: { "x-a": "b\n" } });
    },
  );

  test.each(["constructor", "toString"])("a header named %s is sent", async (name) => {
    const sent: Headers[] = [];
    const fetch = async (_: string, init: RequestInit) => {
      sent.push(new Headers(init.headers));
      return Response.json({});
    };
    const { v2 } = clientsOf({ baseUrl: "https://app.example.com" }, { fetch });
    await v2.request({ method: "GET", path: "/any" }, { headers: [[name, "1"]] });
    expect(sent[0]?.get(name)).toBe("1");
  });

  test("the error of a header names it in one short line, without a phone number", () => {
    const name = `+12065550123\n${"x".repeat(1000)}`;
    const headers = { [name]: "1" };
    expect(() => clientsOf({ baseUrl: "https://app.example.com" }, { headers })).toThrow(
      /^option `headers\["\[number\]\\nx{250,300}…\]` must be a valid header$/,
    );
  });

  test("the option `headers` never replaces the credentials", async () => {
    await using server = await startLoopback(respond(200, {}));
    const headers = { Authorization: "Bearer other", "X-Api-Key": "other" };
    const { v2, rcs } = clientsOf(server, { headers });
    await v2.request({ method: "GET", path: "/any" }, { headers });
    await rcs.request({ method: "GET", path: "/any" }, { headers });
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${BASIC}`);
    expect(server.requests[1]?.headers["x-api-key"]).toBe(API_KEY);
  });

  test("headers of one client are not sent by a client created later", async () => {
    await using server = await startLoopback(respond(200, {}));
    const { baseUrl } = server;
    const options = { baseUrl, apiKey: API_KEY };
    new TransactionalClient({ ...options, headers: { "x-other": "1" } });
    await new TransactionalClient(options).request({ method: "GET", path: "/any" });
    expect(server.onlyRequest().headers).not.toHaveProperty("x-other");
  });
});
