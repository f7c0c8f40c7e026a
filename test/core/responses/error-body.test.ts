import { describe, expect, test } from "vitest";
import type { ApiError, ResponseValidationError } from "../../../src/index.ts";
import { account, clientsOf, errorOf } from "../../support/calls.ts";
import { drip, flood, respond, startLoopback, truncate } from "../../support/servers/loopback.ts";

const KEPT = 65_536;

describe("the body of an error", () => {
  test("an endless error body is read up to 64 KiB, and its connection is closed", async () => {
    await using server = await startLoopback(flood(404, "x".repeat(10_000)));
    const error = await errorOf<ApiError>(clientsOf(server).v2.accounts.me());
    expect(error).toMatchObject({ code: "not_found", attempts: 1 });
    expect(error.body).toBe("x".repeat(KEPT));
    await expect.poll(() => server.onlyRequest().abandoned).toBe(true);
  });

  test("an endless error body does not prevent a retry", async () => {
    await using server = await startLoopback(flood(503, "x".repeat(10_000)), respond(200, account));
    expect(await clientsOf(server).v2.accounts.me()).toEqual(account.account);
  });

  test.each([KEPT - 1, KEPT, KEPT + 1])(
    "an error body of %d bytes is kept up to 64 KiB",
    async (length) => {
      const body = "y".repeat(length);
      await using server = await startLoopback(respond(404, body));
      const error = await errorOf<ApiError>(clientsOf(server).v2.accounts.me());
      expect(error.body).toBe(body.slice(0, KEPT));
    },
  );

  test.each(["é", "€", "🎉"])(
    "the body of a refused success is kept up to 64 KiB, cut between two characters: %s",
    async (character) => {
      const body = JSON.stringify({ text: character.repeat(KEPT) });
      await using server = await startLoopback(respond(200, body));
      const { v2 } = clientsOf(server);
      const error = await errorOf<ResponseValidationError>(v2.accounts.me());
      const kept = String(error.body);
      expect(body.startsWith(kept)).toBe(true);
      expect(kept).not.toMatch(/\p{Cs}/u);
      const bytes = Buffer.byteLength(kept);
      expect(bytes).toBeLessThanOrEqual(KEPT);
      expect(bytes).toBeGreaterThan(KEPT - 4);
    },
  );

  test("an error body is decoded as UTF-8, even if chunks split a character", async () => {
    const bytes = Buffer.from('{"error":"é🎉…"}');
    await using server = await startLoopback(async ({ read, response }) => {
      await read();
      response.writeHead(404);
      for (const byte of bytes) {
        response.write(Buffer.from([byte]));
        await new Promise(setImmediate);
      }
      response.end();
    });
    const error = await errorOf<ApiError>(clientsOf(server).v2.accounts.me());
    expect(error.body).toEqual({ error: "é🎉…" });
  });

  test("an error body that breaks off gives the error of its status", async () => {
    await using server = await startLoopback(truncate({ error: "No such list" }, 404));
    const error = await errorOf<ApiError>(clientsOf(server).v2.accounts.me());
    expect(error).toMatchObject({ code: "not_found", outcome: "rejected", attempts: 1 });
    expect(error.body).toEqual({ error: "No such list" });
  });

  test("an error body that breaks off in a stream is kept as far as it has arrived", async () => {
    const chunks = ['{"error":', '"No such list"}'].map((text) => Buffer.from(text));
    const fetch = async () => {
      const pull = (stream: ReadableStreamDefaultController) => {
        const chunk = chunks.shift();
        if (chunk) stream.enqueue(chunk);
        else stream.error(new TypeError("terminated"));
      };
      return new Response(new ReadableStream({ pull }), { status: 404 });
    };
    const { v2 } = clientsOf({ baseUrl: "https://a.example.com" }, { fetch });
    const error = await errorOf<ApiError>(v2.accounts.me());
    expect(error).toMatchObject({ code: "not_found", body: { error: "No such list" } });
  });

  test("an error body that arrives slowly is read completely", async () => {
    await using server = await startLoopback(drip("z", 5, 404, 8));
    const error = await errorOf<ApiError>(clientsOf(server).v2.accounts.me());
    expect(error.body).toBe("z".repeat(8));
  });

  test("an error body is read in a runtime without streams, such as React Native, even if it breaks off", async () => {
    const withoutStream = (text: () => Promise<string>) => async () =>
      Object.defineProperties(new Response(null, { status: 404 }), {
        body: { value: undefined },
        text: { value: text },
      });
    for (const [text, body] of [
      [async () => '{"error":"No such list"}', { error: "No such list" }],
      [() => Promise.reject(new TypeError("terminated")), ""],
    ] as const) {
      const { v2 } = clientsOf(
        { baseUrl: "https://a.example.com" },
        { fetch: withoutStream(text) },
      );
      expect(await errorOf<ApiError>(v2.accounts.me())).toMatchObject({ code: "not_found", body });
    }
  });
});
