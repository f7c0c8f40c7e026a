// The misspelled options: cspell:ignore timeuot maxx
import { describe, expect, test } from "vitest";
import { clientsOf, E164, fileMessage, KINDS, message } from "../../support/calls.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";

describe("options of one call", () => {
  // test/core/clients/options.test.ts covers the options that clients accept as well.
  test.each([
    ["signal", { signal: {} }],
    ["options", "options"],
    ["options", null],
  ])(
    "a malformed `%s` of a call rejects with a TypeError that names it: %j",
    async (name, options) => {
      await using server = await startLoopback(respond(200, {}));
      const { v2, rcs } = clientsOf(server);
      for (const client of [v2, rcs]) {
        const call = client.request({ method: "GET", path: "/any" }, options as never);
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

  test.each(KINDS)(
    "a $kind, which has neither pages nor a file, has no option prefetch or contentType",
    async (kind) => {
      const clients = clientsOf({ baseUrl: "https://a.example.com" });
      for (const name of ["prefetch", "contentType"]) {
        const call = kind.call(clients, { [name]: true } as never);
        await expect(call).rejects.toEqual(new TypeError(`option \`${name}\` does not exist`));
      }
    },
  );

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
