import { describe, expect, test, vi } from "vitest";
import type { ApiError, FetchLike } from "../../../src/index.ts";
import { account, clientsOf, errorOf, message, transaction } from "../../support/calls.ts";

/** Returns clients whose fetch throws. */
const throwing = (thrown: unknown) => {
  const fetch = vi.fn<FetchLike>(async () => {
    throw thrown;
  });
  return { fetch, ...clientsOf({ baseUrl: "https://app.example.com" }, { fetch }) };
};

test("a fetch that throws synchronously results in a ConnectionError", async () => {
  const thrown = new Error("at once");
  const fetch = () => {
    throw thrown;
  };
  const { rcs } = clientsOf({ baseUrl: "https://rcs.example.com" }, { fetch });
  const error = await errorOf(rcs.sendRcsText(message));
  expect(error).toMatchObject({ code: "connection", cause: { message: "at once" } });
});

describe("control-flow errors of frameworks", () => {
  const redirect = Object.assign(new Error("NEXT_REDIRECT"), { digest: "NEXT_REDIRECT;/login" });
  const named = Object.assign(new Error("x"), { name: "NetworkError", digest: "D" });

  test.each([
    ["an error", redirect],
    ["an error named NetworkError", named],
    ["a plain object", { digest: "BAILOUT" }],
    [
      "a TypeError that looks like a network error",
      Object.assign(new TypeError("fetch failed"), { digest: "DYNAMIC_SERVER_USAGE" }),
    ],
  ])("%s with a digest passes through unchanged and is not retried", async (_, thrown) => {
    const { v2, fetch } = throwing(thrown);
    await expect(v2.accounts.me()).rejects.toBe(thrown);
    await expect(v2.accounts.me().withResponse()).rejects.toBe(thrown);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  test("an error whose digest is not a string becomes a ConnectionError", async () => {
    const { v2, fetch } = throwing(Object.assign(new Error("x"), { digest: 5 }));
    await expect(v2.accounts.me()).rejects.toMatchObject({ code: "connection" });
    expect(fetch).toHaveBeenCalledTimes(3);
  });
});

describe("arguments of fetch", () => {
  test("fetch receives a URL and options that prevent caching and redirects", async () => {
    const fetch = vi.fn<FetchLike>(async () => Response.json(account));
    const { v2 } = clientsOf({ baseUrl: "https://app.example.com/prefix" }, { fetch });
    await v2.accounts.me();
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect(url).toBe("https://app.example.com/prefix/api/v2/accounts/me");
    expect(init).toMatchObject({ method: "GET", redirect: "manual", cache: "no-store" });
    expect(init).not.toHaveProperty("body");
    expect(init?.signal).toBeInstanceOf(AbortSignal);
  });

  test("fetch is called without `this`", async () => {
    let self: unknown = "not called";
    const fetch = async function (this: unknown) {
      self = this;
      return Response.json(transaction);
    };
    await clientsOf({ baseUrl: "https://rcs.example.com" }, { fetch }).rcs.sendRcsText(message);
    expect(self).toBeUndefined();
  });
});

describe("the body that fetch receives", () => {
  const bodyGiven = async (fetchOption?: FetchLike) => {
    const given: unknown[] = [];
    const fetch: FetchLike = async (_, { body }) => {
      given.push(body);
      return Response.json(transaction, { status: 202 });
    };
    vi.stubGlobal("fetch", fetch);
    try {
      const options = fetchOption ? { fetch: fetchOption } : {};
      await clientsOf({ baseUrl: "https://rcs.example.com" }, options).rcs.sendRcsText(message);
    } finally {
      vi.unstubAllGlobals();
    }
    return given[0];
  };

  test("fetch receives the body as a string", async () => {
    expect(JSON.parse(String(await bodyGiven()))).toMatchObject({
      smsFailover: message.smsFailover,
    });
  });

  test("fetch receives the body as a Blob in Deno, which never resends a Blob", async () => {
    vi.stubGlobal("Deno", {});
    const body = await bodyGiven();
    expect(body).toBeInstanceOf(Blob);
    expect(JSON.parse(await (body as Blob).text())).toMatchObject({
      rcsPayload: message.rcsPayload,
    });
  });
});

describe("error responses without a stream, as in React Native", () => {
  const withoutStream = (text: () => Promise<string>): FetchLike => {
    return async () => {
      const response = new Response(null, { status: 502, headers: { "x-request-id": "r-1" } });
      return Object.defineProperties(response, {
        body: { value: undefined },
        text: { value: text },
      });
    };
  };
  const errorFor = (text: () => Promise<string>) => {
    const fetch = withoutStream(text);
    return errorOf<ApiError>(
      clientsOf({ baseUrl: "https://app.example.com" }, { fetch, retry: 0 }).v2.accounts.me(),
    );
  };

  test("an error body without a stream that breaks off gives the error of its status", async () => {
    const error = await errorFor(() => Promise.reject(new TypeError("terminated")));
    expect(error).toMatchObject({ status: 502, body: "", requestId: "r-1" });
  });
});
