// The misspelled parts: cspell:ignore parms jsno shema
import { describe, expect, test } from "vitest";
import type { CustomRequest, ValidationError } from "../../../../src/index.ts";
import { API_KEY, clientsOf, errorOf } from "../../../support/calls.ts";
import { respond, startLoopback } from "../../../support/servers/loopback.ts";

/** Returns the error of a request that both clients must refuse, with and without validation, before anything is sent. */
const refusalOf = async (request: unknown): Promise<ValidationError> => {
  await using server = await startLoopback(respond(200, {}));
  const { v2, rcs } = clientsOf(server);
  const failures: ValidationError[] = [];
  for (const client of [v2, rcs]) {
    for (const validateRequests of [true, false]) {
      const call = client.request(request as CustomRequest, { validateRequests });
      failures.push(await errorOf<ValidationError>(call));
    }
  }
  expect(server.requests).toEqual([]);
  for (const failure of failures) {
    expect(failure).toMatchObject({ code: "validation", source: "client", outcome: "not_sent" });
    expect(failure.attempts).toBe(0);
    expect(failure.message).not.toContain(API_KEY);
  }
  return failures[0] as ValidationError;
};

describe("invalid paths of request()", () => {
  test.each([
    ...["https://evil.example.com/", "http://127.0.0.1/", "//evil.example.com/a"],
    ...["///evil.example.com", "/\\evil.example.com", "\\\\evil.example.com", "/a\\..\\b"],
    ...["@evil.example.com", ".evil.example.com/a", ":8080/a", "", "a", "./a", "../a", "/.", "/.."],
    ...["/../a", "/a/..", "/a/./b", "/a/../../b", "/%2e%2e/a", "/a/%2E%2E", "/a/.%2e/b"],
    ...["/a/%2e./b", "/a/%2e", "/a/%2", "/a/%2x", "/a?b=c", "/a#b", "/a\r\nx-injected: 1", "/a\n"],
    ...["/a\tb", "/a b", "/a\0", "/a\u007f", "/a\u2028b", "/a\ufeffb", "/\ud83d", "/\udc00a"],
    ...["javascript:alert(1)", "?a=b", "#a"],
  ])("request() refuses the path %j", async (path) => {
    const { errors } = await refusalOf({ method: "GET", path });
    expect(errors).toMatchObject([{ code: "custom", path: ["path"] }]);
  });

  test.each([undefined, null, 5, true, {}])(
    "request() refuses the non-string path %j",
    async (path) => {
      const { errors } = await refusalOf({ method: "GET", path });
      expect(errors).toMatchObject([{ path: ["path"] }]);
    },
  );
});

describe("unknown parts of request()", () => {
  test.each([
    ["parms", "params", { method: "GET", path: "/{A}", parms: { A: 1 } }],
    ["jsno", "json", { method: "POST", path: "/a", jsno: {} }],
    ["shema", "schema", { method: "GET", path: "/a", shema: {} }],
  ])(
    "request() with the unknown part `%s` rejects with a TypeError that suggests `%s`",
    async (name, meant, request) => {
      await using server = await startLoopback(respond(200, {}));
      const { v2, rcs } = clientsOf(server);
      for (const client of [v2, rcs]) {
        await expect(client.request(request as CustomRequest)).rejects.toEqual(
          new TypeError(
            `option \`request.${name}\` does not exist: did you mean \`request.${meant}\`?`,
          ),
        );
      }
      expect(server.requests).toEqual([]);
    },
  );

  test("a getter of the request that throws rejects the call", async () => {
    const failure = new Error("not now");
    const request = {
      method: "GET" as const,
      get path(): string {
        throw failure;
      },
    };
    let call: Promise<unknown> | undefined;
    expect(() => {
      call = clientsOf({ baseUrl: "https://rcs.example.com" }).rcs.request(request);
    }).not.toThrow();
    await expect(call).rejects.toBe(failure);
  });
});

describe("parameters of request()", () => {
  test.each([
    ["are too many", "/{A}", { A: 1, B: 2 }, [["params", "B"]]],
    ["have no placeholder", "/a", { ID: 1 }, [["params", "ID"]]],
    ["are empty", "/{ID}", { ID: "" }, [["params", "ID"]]],
    ["are `..`", "/{ID}/b", { ID: ".." }, [["params", "ID"]]],
    ["are `.`", "/{ID}/b", { ID: "." }, [["params", "ID"]]],
    ["contain half of a surrogate pair", "/{ID}", { ID: "\ud83d" }, [["params", "ID"]]],
  ])("request() refuses parameters that %s: %s, %j", async (_, path, params, paths) => {
    const { errors } = await refusalOf({ method: "GET", path, params });
    expect(errors.map((issue) => issue.path)).toEqual(paths);
  });

  test.each([
    ["/{ID}/b", undefined],
    ["/{ID}/{A}", { A: 1 }],
    ["/{ID}", { ID: undefined }],
  ])("request() refuses missing parameters: %s, %j", async (path, params) => {
    await using server = await startLoopback(respond(200, {}));
    const call = clientsOf(server).v2.request({ method: "GET", path, params: params as never });
    await expect(call).rejects.toMatchObject({ errors: [{ path: ["params", "ID"] }] });
    expect(server.requests).toEqual([]);
  });

  test('a missing parameter is never sent as "undefined", even if validation is off', async () => {
    await refusalOf({ method: "GET", path: "/{ID}/b", params: {} });
  });

  test.each([null, true, {}, [], Number.NaN])(
    "request() refuses a parameter of an invalid type: %j",
    async (ID) => {
      await using server = await startLoopback(respond(200, {}));
      const call = clientsOf(server).v2.request({
        method: "GET",
        path: "/{ID}",
        params: { ID } as never,
      });
      const message = "must be a string or a number";
      await expect(call).rejects.toMatchObject({ errors: [{ path: ["params", "ID"], message }] });
      expect(server.requests).toEqual([]);
    },
  );
});

describe("invalid methods, queries and bodies of request()", () => {
  test.each(["get", "CONNECT", "TRACE", "OPTIONS", "", "GET /", undefined, null, 5])(
    "request() refuses the method %j",
    async (method) => {
      const { errors } = await refusalOf({ method, path: "/a" });
      expect(errors).toMatchObject([{ path: ["method"] }]);
    },
  );

  test.each(["GET", "HEAD"])("request() refuses a body for the method %s", async (method) => {
    for (const json of [{}, null, "", 0]) {
      const { errors } = await refusalOf({ method, path: "/a", json });
      expect(errors).toMatchObject([{ path: ["json"] }]);
    }
  });

  test.each([null, {}, [null], [["a"]], Number.NaN, "\ud83d", () => {}, Symbol("s"), 5n])(
    "request() refuses a query parameter that is %s",
    async (value) => {
      const { errors } = await refusalOf({ method: "GET", path: "/a", query: { q: value } });
      expect(errors).toMatchObject([{ path: ["query", "q"] }]);
    },
  );

  test.each([
    "q=1",
    5,
    [["q", "1"]],
    new URLSearchParams("q=1"),
    new Map(),
    () => {},
    { toJSON() {} },
    { signal: AbortSignal.abort() },
    { onEvent() {} },
  ])("a query that is %s is refused instead of being read as no filter", async (query) => {
    await using server = await startLoopback(respond(200, {}));
    const { v2 } = clientsOf(server);
    const calls = [
      v2.request({ method: "GET", path: "/a", query } as never),
      v2.lists.list(query as never),
    ];
    for (const call of calls)
      await expect(call).rejects.toThrow(/(option `|: query\.)\w+`?:? must be/);
    expect(server.requests).toEqual([]);
  });

  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  test.each([
    ["a cycle", cyclic],
    ["a bigint", { n: 5n }],
    [
      "a toJSON that throws",
      {
        toJSON() {
          throw new Error("no");
        },
      },
    ],
  ])("request() refuses a body with %s", async (_, json) => {
    const { errors } = await refusalOf({ method: "POST", path: "/a", json });
    expect(errors).toMatchObject([{ message: expect.stringContaining("JSON") }]);
  });

  test("request() reports all issues together", async () => {
    const { errors } = await refusalOf({ method: "get", path: "a/{ID}", query: { q: null } });
    expect(errors.map(({ path }) => path.join("."))).toEqual(
      expect.arrayContaining(["method", "path", "query.q", "params.ID"]),
    );
  });

  test("each issue of a request() says what would be right", async () => {
    const { endpoint, errors } = await refusalOf({
      method: "get",
      path: "a",
      params: { ID: 1 },
      query: { q: {}, "\ud83d": 1 },
    });
    expect(errors.map(({ message }) => message)).toEqual([
      "must be one of GET, HEAD, PUT, DELETE, POST, PATCH",
      "must be a path under the base URL that begins with one slash, without . or .. segments, query or fragment",
      "must appear in the path as {ID}",
      ...Array(2).fill(
        "must be a string without half of a surrogate pair, a number, a boolean, or an array of them",
      ),
    ]);
    expect(endpoint).toBe("? a");
    const withBody = await refusalOf({ method: "GET", path: "/a", json: {} });
    expect(withBody.errors.map(({ message }) => message)).toEqual([
      "must be left out: GET has no body",
    ]);
    const withoutPath = await refusalOf({ method: "GET", path: 5 });
    expect(withoutPath.endpoint).toBe("GET");
  });

  test("request() without an argument is refused", async () => {
    for (const request of [undefined, null, {}]) {
      const { errors } = await refusalOf(request);
      expect(errors.map(({ path }) => path[0])).toEqual(["method", "path"]);
    }
  });
});
