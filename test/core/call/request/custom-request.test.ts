import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CustomRequest } from "../../../../src/index.ts";
import { clientsOf, PHONE } from "../../../support/calls.ts";
import { respond, startLoopback } from "../../../support/servers/loopback.ts";

/** Returns the method, URL and body of a request as the server receives it. */
const arrivalOf = async (request: CustomRequest): Promise<string> => {
  await using server = await startLoopback(respond(200, { done: true }));
  await clientsOf(server).v2.request(request);
  const { method, url, body } = server.onlyRequest();
  return `${method} ${url} ${body}`.trim();
};

describe("requests of request()", () => {
  test.each<[request: CustomRequest, arrival: string]>([
    [{ method: "GET", path: "/" }, "GET /"],
    [{ method: "GET", path: "/api/v2/tags" }, "GET /api/v2/tags"],
    [{ method: "GET", path: "/api/v2/tags/" }, "GET /api/v2/tags/"],
    [{ method: "GET", path: "/a/{ID}/b", params: { ID: 17 } }, "GET /a/17/b"],
    [{ method: "GET", path: "/{A}/{B}", params: { A: "{B}", B: 2 } }, "GET /%7BB%7D/2"],
    [{ method: "GET", path: "/{A}", params: { A: "$&$1" } }, "GET /%24%26%241"],
    [{ method: "GET", path: "/{A}", params: { A: "a/b?c#d e" } }, "GET /a%2Fb%3Fc%23d%20e"],
    [{ method: "GET", path: "/{A}", params: { A: "%2e%2e" } }, "GET /%252e%252e"],
    [{ method: "GET", path: "/{A}.{B}", params: { A: "x", B: "json" } }, "GET /x.json"],
    [{ method: "GET", path: "/a/{ID}/of/{ID}", params: { ID: 17 } }, "GET /a/17/of/17"],
    [{ method: "DELETE", path: "/a/{P}", params: { P: PHONE } }, "DELETE /a/(206)%20555-0123"],
    [{ method: "GET", path: "/ü/%20/..." }, "GET /%C3%BC/%20/..."],
    [{ method: "GET", path: "/a", query: {} }, "GET /a"],
    [{ method: "GET", path: "/a", query: { x: undefined } }, "GET /a"],
    [
      { method: "GET", path: "/a", query: { n: 0, s: "a b&c=d", t: true, u: undefined, e: "" } },
      "GET /a?n=0&s=a+b%26c%3Dd&t=true&e=",
    ],
    [
      { method: "GET", path: "/a", query: { tags: ["a", "b c"], none: [], n: [1, true] } },
      "GET /a?tags=a&tags=b+c&n=1&n=true",
    ],
    [{ method: "POST", path: "/a" }, "POST /a"],
    [{ method: "POST", path: "/a", json: undefined }, "POST /a"],
    [{ method: "POST", path: "/a", json: null }, "POST /a null"],
    [{ method: "PUT", path: "/a", json: 0 }, "PUT /a 0"],
    [{ method: "PATCH", path: "/a", json: "" }, 'PATCH /a ""'],
    [{ method: "DELETE", path: "/a", json: [1, { b: null }] }, 'DELETE /a [1,{"b":null}]'],
    [
      {
        method: "POST",
        path: "/a",
        json: { at: new Date("2027-01-01T00:00:00Z"), none: undefined },
      },
      'POST /a {"at":"2027-01-01T00:00:00.000Z"}',
    ],
  ])("request(%j) is sent as described", async (request, arrival) => {
    expect(await arrivalOf(request)).toBe(arrival);
  });

  test("a query is written as URLSearchParams writes it, whatever its names and values are", async () => {
    const textArb = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: fc.constantFrom(..."aZ09_-.*~ +&=%#?/'é\u20AC\n") }),
    );
    const valueArb = fc.oneof(
      textArb,
      fc.boolean(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    const queryArb = fc.dictionary(
      textArb.filter((name) => name !== "__proto__"),
      fc.oneof(valueArb, fc.array(valueArb, { maxLength: 3 })),
      { noNullPrototype: true },
    );
    let target = "";
    const fetch = async (url: string) => {
      target = url;
      return Response.json({});
    };
    const { v2 } = clientsOf({ baseUrl: "https://app.example.com" }, { fetch });
    await fc.assert(
      fc.asyncProperty(queryArb, async (query) => {
        await v2.request({ method: "GET", path: "/a", query });
        const sent: typeof query = JSON.parse(JSON.stringify(query));
        const pairs = Object.entries(sent).flatMap(([name, value]) =>
          [value].flat().map((item) => [name, String(item)]),
        );
        const expected = String(new URLSearchParams(pairs));
        expect(target).toBe(`https://app.example.com/a${expected && `?${expected}`}`);
      }),
      { numRuns: 300 },
    );
  });

  test("request() appends its path to the path of the base URL", async () => {
    await using server = await startLoopback(respond(200, {}));
    const { rcs } = clientsOf({ baseUrl: `${server.baseUrl}/gateway` });
    await rcs.request({ method: "GET", path: "/status" });
    expect(server.onlyRequest().url).toBe("/gateway/status");
  });
});

describe("results of request()", () => {
  test.each([
    ["", undefined],
    ["null", null],
    ["[]", []],
    ['{"status":"OK","a":[1]}', { status: "OK", a: [1] }],
    ["5", 5],
  ])("request() resolves to the parsed body of %j", async (text, body) => {
    await using server = await startLoopback(respond(200, text));
    const call = clientsOf(server).v2.request({ method: "GET", path: "/any" });
    expect(await call).toEqual(body);
    expect((await call.withResponse()).body).toEqual(body);
  });

  test.each([
    ["DELETE", 204],
    ["HEAD", 200],
    ["POST", 202],
  ] as const)(
    "request() resolves to undefined for %s × %d without a body",
    async (method, status) => {
      await using server = await startLoopback(respond(status));
      const call = clientsOf(server).rcs.request({ method, path: "/any" });
      expect(await call).toBeUndefined();
      expect((await call.withResponse()).response.status).toBe(status);
    },
  );

  test.each(["<html>", "OK", '{"a":', '{"status":"error","error":"no"}'])(
    "request() rejects if the response has the invalid body %j",
    async (text) => {
      await using server = await startLoopback(respond(200, text));
      const call = clientsOf(server).v2.request({ method: "POST", path: "/any" });
      await expect(call).rejects.toMatchObject({
        code: "response_validation",
        outcome: "unknown",
        body: text,
      });
    },
  );
});

describe("the name of request() in errors and events", () => {
  const labelOf = async (request: CustomRequest): Promise<string> => {
    const endpoints = new Set<string>();
    await using server = await startLoopback(respond(404));
    const onEvent = ({ endpoint }: { endpoint: string }) => void endpoints.add(endpoint);
    const call = clientsOf(server, { onEvent }).v2.request(request);
    const error: unknown = await call.catch((thrown) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining([...endpoints][0] ?? "?") });
    expect(endpoints).toEqual(new Set([(error as { endpoint: string }).endpoint]));
    return [...endpoints].join();
  };

  test("errors and events name a request() by its path template", async () => {
    const request = {
      method: "GET",
      path: "/a/{N}",
      params: { N: PHONE },
      query: { q: 1 },
    } as const;
    expect(await labelOf(request)).toBe("GET /a/{N}");
  });

  test.each([
    ["/numbers/+12065550123", "GET /numbers/[number]"],
    ["/numbers/%2B12065550123/tags", "GET /numbers/%2B[number]/tags"],
    ["/numbers/206-555-0123", "GET /numbers/[number]"],
    ["/numbers/(206)555.0123", "GET /numbers/[number]"],
  ])("the name of a request() to %s contains no phone number", async (path, label) => {
    expect(await labelOf({ method: "GET", path })).toBe(label);
  });

  test.each(["(206) 555-0123", "+1 206 555 0123"])(
    "the name of a request() contains no part of %s, percent-encoded",
    async (number) => {
      const label = await labelOf({
        method: "GET",
        path: `/numbers/${encodeURIComponent(number)}`,
      });
      expect(label).toContain("GET /numbers/");
      expect(decodeURIComponent(label).replace(/\D/g, "")).not.toContain("5550123");
    },
  );

  test("the name of a request() with a long path stays short and on one line", async () => {
    const label = await labelOf({ method: "GET", path: `/${"long/".repeat(500)}` });
    expect(label.length).toBeLessThan(350);
    expect(label).toMatch(/^GET \/long\/[^\n]+$/);
  });
});
