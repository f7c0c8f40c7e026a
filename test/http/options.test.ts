// The misspelled options: cspell:ignore timeuot maxx
import { describe, expect, test } from "vitest";
import { memoryLedger, sendMany, sendOnce } from "../../src/bulk/index.ts";
import {
  type Clients,
  clientsOf,
  E164,
  fileMessage,
  message,
  singleOptIn,
} from "../support/calls.ts";
import { respond, startLoopback } from "../support/servers/loopback.ts";

describe("options of one call", () => {
  test.each([
    ["signal", { signal: {} }],
    ["timeout", { timeout: 0 }],
    ["timeout", { timeout: "30" }],
    ["totalTimeout", { totalTimeout: Number.POSITIVE_INFINITY }],
    ["retry", { retry: -1 }],
    ["retry", { retry: true }],
    ["retry.limit", { retry: { limit: 1.5 } }],
    ["retry.maxRetryAfter", { retry: { maxRetryAfter: -1 } }],
    ["retry.backoff", { retry: { backoff: 5 } }],
    ["retry.backoff.initial", { retry: { backoff: { initial: Number.NaN } } }],
    ["retry.backoff.max", { retry: { backoff: { max: "8000" } } }],
    ["headers", { headers: { "x-a": "a\nb" } }],
    ["headers", { headers: { "x a": "" } }],
    ["headers", { headers: { "x:a": "" } }],
    ["headers", { headers: null }],
    ["headers", { headers: "x-a: 1" }],
    ["headers", { headers: () => "x-a: 1" }],
    ["headers", { headers: ["x-a", "1"] }],
    ["headers", { headers: ["ab"] }],
    ["headers", { headers: [["x-a"]] }],
    ["headers", { headers: [["x-a", "1", "2"]] }],
    ["headers", { headers: [["x-a", undefined]] }],
    ["headers", { headers: [[5, "1"]] }],
    ["headers", { headers: { "x-a": null } }],
    ["headers", { headers: { "x-a": 1 } }],
    ["headers", { headers: { "x-a": ["1", "2"] } }],
    ["headers", { headers: new Date(0) }],
    ["headers", { headers: new (class Other {})() }],
    ["headers", { headers: Promise.resolve({ "x-a": "1" }) }],
    // An iterator gives its pairs to the first request only.
    ["headers", { headers: new Map([["x-a", "1"]]).entries() }],
    ["validateRequests", { validateRequests: 1 }],
    ["responseValidation", { responseValidation: "loud" }],
    ["options", "options"],
    ["options", null],
  ])(
    "a malformed `%s` of a call rejects with a TypeError that names it: %j",
    async (name, options) => {
      await using server = await startLoopback(respond(200, {}));
      const { v2, rcs } = clientsOf(server);
      const request = { method: "GET", path: "/any" } as const;
      for (const client of [v2, rcs]) {
        const call = client.request(request, options as never);
        await expect(call).rejects.toThrow(TypeError);
        await expect(call).rejects.toThrow(name);
      }
      expect(server.requests).toEqual([]);
    },
  );

  test.each([
    ["timeuot", "timeout", { timeuot: 5 }],
    ["retry.limits", "retry.limit", { retry: { limits: 5 } }],
    ["retry.backoff.maxx", "retry.backoff.max", { retry: { backoff: { maxx: 5 } } }],
  ])(
    "an unknown option of a call, `%s`, rejects with a TypeError that suggests `%s`",
    async (name, meant, options) => {
      await using server = await startLoopback(respond(200, {}));
      const { v2, rcs } = clientsOf(server);
      const calls = [
        () => v2.accounts.me(options as never),
        () => v2.lists.list({}, options as never),
        () => v2.subscribers.remove(17, E164, options as never),
        () => rcs.sendRcsText(message, options as never),
        () => rcs.sendRcsFile(fileMessage, options as never),
        () => rcs.request({ method: "GET", path: "/any" }, options as never),
      ];
      for (const call of calls) {
        await expect(call()).rejects.toEqual(
          new TypeError(`option \`${name}\` does not exist: did you mean \`${meant}\`?`),
        );
      }
      expect(server.requests).toEqual([]);
    },
  );

  test.each<[name: string, call: (clients: Clients, options: never) => PromiseLike<unknown>]>([
    ["accounts.me", ({ v2 }, options) => v2.accounts.me(options)],
    ["lists.retrieve", ({ v2 }, options) => v2.lists.retrieve(17, options)],
    ["lists.create", ({ v2 }, options) => v2.lists.create({}, options)],
    [
      "lists.configureOptIn",
      ({ v2 }, options) => v2.lists.configureOptIn(17, singleOptIn, options),
    ],
    ["subscribers.remove", ({ v2 }, options) => v2.subscribers.remove(17, E164, options)],
    ["momtReports.retrieve", ({ v2 }, options) => v2.momtReports.retrieve(3, options)],
    [
      "momtReports.waitUntilFinished",
      ({ v2 }, options) => v2.momtReports.waitUntilFinished(3, options),
    ],
    ["sendRcsText", ({ rcs }, options) => rcs.sendRcsText(message, options)],
    ["sendRcsFile", ({ rcs }, options) => rcs.sendRcsFile(fileMessage, options)],
    ["request", ({ v2 }, options) => v2.request({ method: "GET", path: "/any" }, options)],
    [
      "sendOnce",
      ({ rcs }, options) =>
        sendOnce(rcs, message, { key: "one", ledger: memoryLedger(), ...(options as object) }),
    ],
    [
      "sendMany",
      ({ rcs }, options) =>
        sendMany(rcs, [message], { batch: "one", ledger: memoryLedger(), ...(options as object) }),
    ],
  ])("the option prefetch of %s, which has no pages, does not exist", async (_, call) => {
    await using server = await startLoopback(respond(200, {}));
    const rejected = call(clientsOf(server), { prefetch: true } as never);
    await expect(rejected).rejects.toEqual(new TypeError("option `prefetch` does not exist"));
    expect(server.requests).toEqual([]);
  });

  test("an option of a call that is undefined counts as not given", async () => {
    await using server = await startLoopback(respond(200, {}));
    const options = {
      signal: undefined,
      timeout: undefined,
      totalTimeout: undefined,
      retry: { limit: undefined, maxRetryAfter: undefined, backoff: { initial: undefined } },
      headers: undefined,
      validateRequests: undefined,
      responseValidation: undefined,
    };
    await clientsOf(server).v2.request({ method: "GET", path: "/any" }, options);
    server.onlyRequest();
  });
});
