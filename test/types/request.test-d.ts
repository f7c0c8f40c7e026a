import type {
  ApiPromise,
  StandardSchema,
  TransactionalClient,
  V2Client,
} from "messaging-service-client";
import { describe, expectTypeOf, test } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";

declare const v2: V2Client;
declare const rcs: TransactionalClient;

describe("request()", () => {
  test("request() without a schema returns unknown or the caller's type", () => {
    const request = { method: "GET", path: "/api/v2/tags" } as const;
    expectTypeOf(v2.request(request)).toEqualTypeOf<ApiPromise<unknown>>();
    expectTypeOf(rcs.request(request)).toEqualTypeOf<ApiPromise<unknown>>();
    expectTypeOf(v2.request<{ tags: string[] }>(request)).toEqualTypeOf<
      ApiPromise<{ tags: string[] }>
    >();
  });

  test("request() with a zod schema returns its output", () => {
    const schema = z.object({
      id: z.string().transform(Number),
      at: z.string().pipe(z.coerce.date()),
    });
    const call = v2.request({ method: "GET", path: "/api/v2/tags", schema });
    expectTypeOf(call).toEqualTypeOf<ApiPromise<{ id: number; at: Date }>>();
    expectTypeOf(rcs.request({ method: "POST", path: "/status", json: {}, schema })).toEqualTypeOf<
      ApiPromise<{ id: number; at: Date }>
    >();
  });

  test("request() with a zod/mini schema returns its output", () => {
    const schema = mini.object({ tags: mini.array(mini.string()) });
    const call = v2.request({ method: "GET", path: "/api/v2/tags", schema });
    expectTypeOf(call).toEqualTypeOf<ApiPromise<{ tags: string[] }>>();
  });

  test("request() with any Standard Schema returns its output", () => {
    const schema = {} as StandardSchema<"yes" | "no">;
    const call = v2.request({ method: "GET", path: "/api/v2/tags", schema });
    expectTypeOf(call).toEqualTypeOf<ApiPromise<"yes" | "no">>();
  });

  test("request() accepts every field, and each may be undefined", () => {
    v2.request(
      {
        method: "PATCH",
        path: "/api/v2/lists/{ID}/tags/{TAG}",
        params: { ID: 17, TAG: "a/b" },
        query: { page: 1, q: "text", all: true, none: undefined },
        json: { any: ["thing"] },
      },
      { timeout: 5_000 },
    );
    v2.request({
      method: "GET",
      path: "/api/v2/tags",
      params: undefined,
      query: undefined,
      json: undefined,
      schema: undefined,
    });
  });

  test("a malformed request() does not compile", () => {
    // @ts-expect-error: methods are upper-case
    v2.request({ method: "get", path: "/api/v2/tags" });
    // @ts-expect-error: a path is required
    v2.request({ method: "GET" });
    // @ts-expect-error: a parameter is a string or a number
    v2.request({ method: "GET", path: "/{ID}", params: { ID: undefined } });
    // @ts-expect-error: a query parameter is not an object
    v2.request({ method: "GET", path: "/", query: { filter: { a: 1 } } });
    // @ts-expect-error: this is not a schema
    v2.request({ method: "GET", path: "/", schema: { parse: () => 5 } });
    // @ts-expect-error: the body is called json
    v2.request({ method: "POST", path: "/", body: {} });
  });
});
