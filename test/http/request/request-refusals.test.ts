import { describe, expect, test } from "vitest";
import type { CustomRequest, ValidationError } from "../../../src/index.ts";
import { API_KEY, clientsOf, errorOf } from "../../support/calls.ts";
import { answer, startLoopback } from "../../support/loopback.ts";

/** The refusal of a request, which must hold with and without validation, for both clients, and send nothing. */
const refusalOf = async (request: unknown): Promise<ValidationError> => {
  await using server = await startLoopback(answer(200, {}));
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

describe("a path that leaves the base, or is none", () => {
  test.each([
    "https://evil.example.com/",
    "http://127.0.0.1/",
    "//evil.example.com/a",
    "///evil.example.com",
    "/\\evil.example.com",
    "\\\\evil.example.com",
    "/a\\..\\b",
    "@evil.example.com",
    ".evil.example.com/a",
    ":8080/a",
    "",
    "a",
    "./a",
    "../a",
    "/.",
    "/..",
    "/../a",
    "/a/..",
    "/a/./b",
    "/a/../../b",
    "/%2e%2e/a",
    "/a/%2E%2E",
    "/a/.%2e/b",
    "/a/%2e./b",
    "/a/%2e",
    "/a?b=c",
    "/a#b",
    "/a\r\nx-injected: 1",
    "/a\n",
    "/a\tb",
    "/a b",
    "/a\0",
    "/a\u007f",
    "/a\u2028b",
    "/a\ufeffb",
    "/\ud83d",
    "/\udc00a",
    "javascript:alert(1)",
    "?a=b",
    "#a",
  ])("%j is refused", async (path) => {
    const { errors } = await refusalOf({ method: "GET", path });
    expect(errors).toMatchObject([{ code: "custom", path: ["path"] }]);
  });

  test.each([undefined, null, 5, true, {}])("%j is refused", async (path) => {
    const { errors } = await refusalOf({ method: "GET", path });
    expect(errors).toMatchObject([{ path: ["path"] }]);
  });
});

describe("parameters", () => {
  test.each([
    ["are too many", "/{A}", { A: 1, B: 2 }, [["params", "B"]]],
    ["are for no placeholder", "/a", { ID: 1 }, [["params", "ID"]]],
    ["are empty", "/{ID}", { ID: "" }, [["params", "ID"]]],
    ["go up", "/{ID}/b", { ID: ".." }, [["params", "ID"]]],
    ["stay", "/{ID}/b", { ID: "." }, [["params", "ID"]]],
    ["are half a character", "/{ID}", { ID: "\ud83d" }, [["params", "ID"]]],
  ])("that %s are refused: %s, %j", async (_, path, params, paths) => {
    const { errors } = await refusalOf({ method: "GET", path, params });
    expect(errors.map((issue) => issue.path)).toEqual(paths);
  });

  test.each([
    ["/{ID}/b", undefined],
    ["/{ID}/{A}", { A: 1 }],
    ["/{ID}", { ID: undefined }],
  ])("that are missing are refused: %s, %j", async (path, params) => {
    await using server = await startLoopback(answer(200, {}));
    const call = clientsOf(server).v2.request({ method: "GET", path, params: params as never });
    await expect(call).rejects.toMatchObject({ errors: [{ path: ["params", "ID"] }] });
    expect(server.requests).toEqual([]);
  });

  test("that are missing are not sent as a word, without validation either", async () => {
    await refusalOf({ method: "GET", path: "/{ID}/b", params: {} });
  });

  test.each([null, true, {}, [], Number.NaN])("of another type are refused: %j", async (ID) => {
    await using server = await startLoopback(answer(200, {}));
    const call = clientsOf(server).v2.request({
      method: "GET",
      path: "/{ID}",
      params: { ID } as never,
    });
    await expect(call).rejects.toMatchObject({ errors: [{ path: ["params", "ID"] }] });
    expect(server.requests).toEqual([]);
  });
});

describe("the rest of a request", () => {
  test.each(["get", "CONNECT", "TRACE", "OPTIONS", "", "GET /", undefined, null, 5])(
    "the method %j is refused",
    async (method) => {
      const { errors } = await refusalOf({ method, path: "/a" });
      expect(errors).toMatchObject([{ path: ["method"] }]);
    },
  );

  test.each(["GET", "HEAD"])("%s with a body is refused", async (method) => {
    for (const json of [{}, null, "", 0]) {
      const { errors } = await refusalOf({ method, path: "/a", json });
      expect(errors).toMatchObject([{ path: ["json"] }]);
    }
  });

  test.each([null, {}, [null], [["a"]], new Date(0), () => {}, Symbol("s"), 5n])(
    "a query parameter that is %s is refused",
    async (value) => {
      const { errors } = await refusalOf({ method: "GET", path: "/a", query: { q: value } });
      expect(errors).toMatchObject([{ path: ["query", "q"] }]);
    },
  );

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
  ])("a body with %s is refused", async (_, json) => {
    const { errors } = await refusalOf({ method: "POST", path: "/a", json });
    expect(errors).toMatchObject([{ message: expect.stringContaining("JSON") }]);
  });

  test("everything that is wrong is told at once", async () => {
    const { errors } = await refusalOf({ method: "get", path: "a/{ID}", query: { q: null } });
    expect(errors.map(({ path }) => path.join("."))).toEqual(
      expect.arrayContaining(["method", "path", "query.q", "params.ID"]),
    );
  });

  test("no request at all is refused", async () => {
    for (const request of [undefined, null, {}]) {
      const { errors } = await refusalOf(request);
      expect(errors.map(({ path }) => path[0])).toEqual(["method", "path"]);
    }
  });
});
