import { describe, expect, expectTypeOf, test } from "vitest";
import * as z from "zod/mini";
import type { ResponseValidationError, StandardSchema } from "../../../../src/index.ts";
import { clientsOf, E164, errorOf, TEXT } from "../../../support/calls.ts";
import { respond, startLoopback } from "../../../support/servers/loopback.ts";

type Validate<T> = StandardSchema<T>["~standard"]["validate"];
/** A Standard Schema written without a library. */
const handWritten = <T>(validate: Validate<T>): StandardSchema<T> => ({
  "~standard": { version: 1, vendor: "test", validate },
});
const tag = z.object({ id: z.int(), name: z.string() });
const get = { method: "GET", path: "/api/v2/tags/{ID}", params: { ID: 5 } } as const;

describe("schema of request()", () => {
  test("a zod schema determines the type and value of the result", async () => {
    await using server = await startLoopback(respond(200, { id: 5, name: "VIP", more: 1 }));
    const call = clientsOf(server).v2.request({ ...get, schema: tag });
    expectTypeOf(call).resolves.toEqualTypeOf<{ id: number; name: string }>();
    expect(await call).toEqual({ id: 5, name: "VIP" });
    const { data, body } = await call.withResponse();
    expect(data).toEqual({ id: 5, name: "VIP" });
    expect(body).toEqual({ id: 5, name: "VIP", more: 1 });
  });

  test("a hand-written schema determines the result", async () => {
    await using server = await startLoopback(respond(200, { id: 5 }));
    const schema = handWritten((value) => ({ value: (value as { id: number }).id * 2 }));
    expect(await clientsOf(server).v2.request({ ...get, schema })).toBe(10);
  });

  test("a schema may be a function, as in arktype, and may validate asynchronously", async () => {
    await using server = await startLoopback(respond(200, { id: 5 }));
    const later = handWritten(async () => ({ value: "later" }));
    const schema = Object.assign(() => {}, later);
    expect(await clientsOf(server).v2.request({ ...get, schema })).toBe("later");
  });

  test("a schema also receives an empty body", async () => {
    await using server = await startLoopback(respond(204));
    const schema = handWritten((value) => ({ value: { was: value } }));
    expect(await clientsOf(server).v2.request({ ...get, schema })).toEqual({ was: undefined });
  });

  test("a schema receives neither an invalid body nor an error response", async () => {
    await using server = await startLoopback(respond(200, "<html>"), respond(404));
    let asked = 0;
    const schema = handWritten(() => {
      asked += 1;
      return { value: 1 };
    });
    const { v2 } = clientsOf(server);
    await expect(v2.request({ ...get, schema })).rejects.toMatchObject({ outcome: "unknown" });
    await expect(v2.request({ ...get, schema })).rejects.toMatchObject({ code: "not_found" });
    expect(asked).toBe(0);
  });

  test("a send that is aborted while its schema runs has the outcome done", async () => {
    await using server = await startLoopback(respond(200, { id: 5 }));
    const controller = new AbortController();
    const error = await errorOf(
      clientsOf(server).v2.request(
        { method: "POST", path: "/api/v2/tags", json: { name: "VIP" }, schema: tag },
        {
          signal: controller.signal,
          onEvent: ({ type }) => type === "response" && controller.abort(),
        },
      ),
    );
    expect(error).toMatchObject({ code: "abort", outcome: "done", attempts: 1 });
  });

  test("a send that exceeds totalTimeout while its schema runs has the outcome done, and is not transient", async () => {
    await using server = await startLoopback(respond(200, { id: 5 }));
    const schema = handWritten(() => new Promise<never>(() => {}));
    const error = await errorOf(
      clientsOf(server).v2.request(
        { method: "POST", path: "/api/v2/tags", json: { name: "VIP" }, schema },
        { totalTimeout: 500 },
      ),
    );
    expect(error).toMatchObject({ code: "timeout", outcome: "done", isTransient: false });
    server.onlyRequest();
  });

  test.each(["strict", "warn", "off"] as const)(
    "a schema that reports issues fails the call in the mode %s",
    async (mode) => {
      await using server = await startLoopback(respond(200, { id: "private-value", name: null }));
      const { v2 } = clientsOf(server, { responseValidation: mode });
      const error = await errorOf<ResponseValidationError>(v2.request({ ...get, schema: tag }));
      server.onlyRequest();
      expect(error).toMatchObject({ code: "response_validation", outcome: "done", status: 200 });
      expect(error.issues.map(({ path }) => path)).toEqual([["id"], ["name"]]);
      expect(error.body).toBe('{"id":"private-value","name":null}');
      expect(error.message).toContain("200, but your schema rejects it");
      expect(error.message).not.toContain("private-value");
    },
  );

  test("a schema may report paths of keys, objects or symbols", async () => {
    await using server = await startLoopback(respond(200, {}));
    const schema = handWritten(() => ({
      issues: [
        { message: "no path" },
        { message: "is bad", path: ["a", { key: 0 }, { key: Symbol("s") }] },
        { message: "call 206-555-0123", path: [] },
      ],
    }));
    const error = await errorOf<ResponseValidationError>(
      clientsOf(server).v2.request({ ...get, schema }),
    );
    expect(error.issues).toEqual([
      { code: "custom", message: "no path", path: [] },
      { code: "custom", message: "is bad", path: ["a", 0, "Symbol(s)"] },
      { code: "custom", message: "call [number]", path: [] },
    ]);
  });

  test("issues of a schema contain neither control characters nor values that were sent", async () => {
    await using server = await startLoopback(respond(200, { "\u001b[2Ja": 1, [E164]: 2 }));
    const schema = handWritten((value) => ({
      issues: Object.keys(value as object).map((key) => ({
        message: `unknown key ${key}\u202e\n and ${TEXT}`,
        path: [key],
      })),
    }));
    const json = { phone: E164, text: TEXT };
    const request = { method: "POST", path: "/notes", json, schema } as const;
    const error = await errorOf<ResponseValidationError>(clientsOf(server).v2.request(request));
    expect(error.issues).toEqual([
      { code: "custom", message: "unknown key [2Ja and [redacted]", path: ["[2Ja"] },
      { code: "custom", message: "unknown key [redacted] and [redacted]", path: ["[redacted]"] },
    ]);
  });

  test("an error keeps the first thousand issues of a schema", async () => {
    await using server = await startLoopback(respond(200, {}));
    const schema = handWritten(() => ({ issues: Array(5000).fill({ message: "no" }) }));
    const call = clientsOf(server).v2.request({ ...get, schema });
    expect((await errorOf<ResponseValidationError>(call)).issues).toHaveLength(1000);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("private-value");
      },
    ],
    ["rejects", () => Promise.reject(new Error("private-value"))],
    ["returns nothing", () => undefined as never],
    ["returns invalid issues", () => ({ issues: [null as never] })],
  ])("a schema that %s fails the call with the outcome done", async (_, validate) => {
    await using server = await startLoopback(respond(200, {}));
    const schema = handWritten<never>(validate);
    const call = clientsOf(server).v2.request({ method: "POST", path: "/tags", schema });
    const error = await errorOf<ResponseValidationError>(call);
    server.onlyRequest();
    expect(error).toMatchObject({ code: "response_validation", outcome: "done" });
    expect(error.issues).toMatchObject([{ message: "the schema threw an error", path: [] }]);
    expect(JSON.stringify(error)).not.toContain("private-value");
  });

  test.each([5, {}, () => true, { parse: () => 1 }, { "~standard": {} }])(
    "%s is not a schema, and is refused before anything is sent",
    async (schema) => {
      await using server = await startLoopback(respond(200, {}));
      const call = clientsOf(server).v2.request({ ...get, schema: schema as never });
      expect(await errorOf(call)).toMatchObject({
        code: "validation",
        errors: [{ path: ["schema"] }],
      });
      expect(server.requests).toEqual([]);
    },
  );
});
