import { describe, expect, test } from "vitest";
import type { ApiError } from "../../src/index.ts";
import { account, clientsOf, errorOf } from "../support/calls.ts";
import { answer, drip, flood, startLoopback, truncate } from "../support/loopback.ts";

const KEPT = 65_536;

describe("the body of an error", () => {
  test("without an end is read up to 64 KiB, and the connection let go", async () => {
    await using server = await startLoopback(flood(404, "x".repeat(10_000)));
    const error = await errorOf<ApiError>(clientsOf(server).v2.accounts.me());
    expect(error).toMatchObject({ code: "not_found", attempts: 1 });
    expect(error.body).toBe("x".repeat(KEPT));
    await expect.poll(() => server.onlyRequest().abandoned).toBe(true);
  });

  test("without an end does not keep a repeat from coming", async () => {
    await using server = await startLoopback(flood(503, "x".repeat(10_000)), answer(200, account));
    expect(await clientsOf(server).v2.accounts.me()).toEqual(account.account);
  });

  test.each([KEPT - 1, KEPT, KEPT + 1])("of %d bytes is kept as far as that", async (length) => {
    const body = "y".repeat(length);
    await using server = await startLoopback(answer(404, body));
    const error = await errorOf<ApiError>(clientsOf(server).v2.accounts.me());
    expect(error.body).toBe(body.slice(0, KEPT));
  });

  test("is UTF-8, also where the pieces part a character", async () => {
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

  test("that breaks off still belongs to its status", async () => {
    await using server = await startLoopback(truncate({ error: "No such list" }, 404));
    const error = await errorOf<ApiError>(clientsOf(server).v2.accounts.me());
    expect(error).toMatchObject({ code: "not_found", outcome: "rejected", attempts: 1 });
    expect(error.body).toEqual({ error: "No such list" });
  });

  test("that comes slowly is waited for", async () => {
    await using server = await startLoopback(drip("z", 5, 404, 8));
    const error = await errorOf<ApiError>(clientsOf(server).v2.accounts.me());
    expect(error.body).toBe("z".repeat(8));
  });

  test("is there where a runtime gives no stream", async () => {
    const fetch = async () => {
      const response = Response.json({ error: "No such list" }, { status: 404 });
      // As in React Native.
      return Object.defineProperty(response, "body", { value: undefined });
    };
    const { v2 } = clientsOf({ baseUrl: "https://app.example.com" }, { fetch });
    const error = await errorOf<ApiError>(v2.accounts.me());
    expect(error.body).toEqual({ error: "No such list" });
  });
});
