// Malicious bodies. test/core/responses/error-body.test.ts tests how error bodies are read.
import { inspect } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Redactor } from "../../../src/core/responses/redact.ts";
import { MessagingServiceError } from "../../../src/index.ts";
import { clientsOf, errorOf, KINDS, list, message, page } from "../../support/calls.ts";
import { expectLinear } from "../../support/growth.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";

// The timeout allows for real sockets on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const STATUSES = [200, 202, 400, 401, 404, 429, 500] as const;
const rows = KINDS.flatMap((kind) => STATUSES.map((status) => ({ kind, status })));

/** Returns the data or the error of a call. */
const settled = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    (data) => data,
    (error: unknown) => error,
  );

describe("`__proto__` and `constructor` in a body", () => {
  const POISON = `{"polluted":"yes","toString":"no","constructor":{"prototype":{"polluted":"yes"}}}`;
  const KEYS = ["__proto__", "constructor", "prototype"];
  const before = Object.getOwnPropertyNames(Object.prototype).sort();

  /** JSON with poisoned keys in every object. */
  const poisoned = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(poisoned).join(",")}]`;
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const fields = Object.entries(value).map(
      ([key, part]) => `${JSON.stringify(key)}:${poisoned(part)}`,
    );
    return `{${[...fields, ...KEYS.map((key) => `"${key}":${POISON}`)].join(",")}}`;
  };
  const prototypesOf = (value: unknown): unknown[] => {
    if (typeof value !== "object" || value === null) return [];
    return [Object.getPrototypeOf(value), ...Object.values(value).flatMap(prototypesOf)];
  };

  afterEach(() => {
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(before);
    for (const value of [{}, [], () => {}, new Error("an error")]) {
      expect((value as { polluted?: unknown }).polluted).toBeUndefined();
    }
  });

  test.each(rows)(
    "a $status response to a $kind.kind changes no prototype",
    async ({ kind, status }) => {
      vi.spyOn(console, "warn").mockImplementation(() => {});
      const item = { code: "custom", message: "no", path: ["__proto__", "constructor"] };
      const body = poisoned({
        ...kind.success,
        ...(status >= 400 && { error: "no", errors: [item] }),
      });
      await using server = await startLoopback(respond(status, body));
      const result = await settled(kind.call(clientsOf(server)));
      if (MessagingServiceError.is(result)) {
        expect(status).toBeGreaterThanOrEqual(400);
        inspect(result, { depth: null, showHidden: true });
        JSON.stringify(result);
        return;
      }
      for (const prototype of prototypesOf(result)) {
        expect([Object.prototype, Array.prototype]).toContain(prototype);
      }
    },
  );

  test("a page changes no prototype, and its items are complete", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    await using server = await startLoopback(respond(200, poisoned(page)));
    const { v2 } = clientsOf(server);
    const items = await v2.lists.list().toArray();
    expect(items).toHaveLength(1);
    expect(items[0]?.id).toBe(list.list.id);
    const whole = await v2.lists.list();
    expect(whole.hasNextPage()).toBe(false);
    expect(Object.getPrototypeOf(whole)).toBe(Object.prototype);
  });

  test("a request changes no prototype, wherever it contains `__proto__` or `constructor`", async () => {
    await using server = await startLoopback(respond(200, {}));
    const { v2, rcs } = clientsOf(server);
    const poison = () => JSON.parse(poisoned({ name: "VIP", opt_in_type: "double" })) as never;
    const calls = [
      v2.lists.create(poison()),
      v2.lists.list(poison()),
      v2.lists.list({}, poison()),
      v2.lists.configureOptIn(17, poison()),
      v2.request({ method: "POST", path: "/a", json: poison() }),
      v2.request({ method: "GET", path: "/{__proto__}/{constructor}", params: poison() }),
      v2.request({ method: "GET", path: "/a", query: poison() }),
      v2.request({ method: "GET", path: "/a" }, { headers: poison(), retry: poison() }),
      rcs.sendRcsText(poison()),
      rcs.sendRcsText({ ...message, rcsPayload: poison() }),
    ];
    await Promise.all(calls.map(settled));
  });

  test("`__proto__` in a request is sent as data", async () => {
    await using server = await startLoopback(respond(200, {}));
    const json = JSON.parse('{"__proto__":{"a":1},"constructor":{"b":2}}');
    await clientsOf(server).rcs.request({ method: "POST", path: "/a", json });
    expect(server.onlyRequest().body).toBe('{"__proto__":{"a":1},"constructor":{"b":2}}');
  });
});

describe("deeply nested bodies", () => {
  const DEEP = [
    ["arrays", `${"[".repeat(30_000)}${"]".repeat(30_000)}`],
    ["errors", `${'{"error":'.repeat(6000)}"no"${"}".repeat(6000)}`],
    ["issues", `{"errors":${"[".repeat(30_000)}${"]".repeat(30_000)}}`],
    ["fields of errors", `${'{"errors":{"a":'.repeat(4000)}"no"${"}}".repeat(4000)}`],
  ] as const;

  test.each(DEEP)("an error body of %s gives the error of its status", async (_, body) => {
    for (const { kind, status } of rows) {
      await using server = await startLoopback(respond(status, body));
      const error = await errorOf(kind.call(clientsOf(server)));
      expect(MessagingServiceError.is(error)).toBe(true);
    }
  });

  test("a deeply nested field of a success is accepted", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    for (const kind of KINDS) {
      const body = JSON.stringify({ ...kind.success, more: 0 }).replace(
        '"more":0',
        `"more":${deep}`,
      );
      await using server = await startLoopback(respond(200, body));
      expect(MessagingServiceError.is(await settled(kind.call(clientsOf(server))))).toBe(false);
    }
  });
});

describe("secrets in the quotations of errors", () => {
  test("secrets are redacted at any depth of a request that JSON allows", async () => {
    for (const depth of [500, 3000, 4000, 6000, 100_000]) {
      let json: unknown = "a text within";
      for (let level = 0; level < depth; level += 1) json = [json];
      await using server = await startLoopback(respond(404, { error: "not a text within" }));
      const error = await errorOf(
        clientsOf(server).rcs.request({ method: "POST", path: "/a", json }),
      );
      expect(["not_found", "validation"]).toContain(error.code);
      expect(error.message).not.toContain("a text within");
    }
  });

  test.each(["%20", "1%2", "1 ", "1", "1.......", "(", " ", "+1"])(
    "a million repetitions of %j are redacted in linear time",
    (piece) =>
      expectLinear(
        (text: string) => new Redactor([]).quote(text),
        (count) => piece.repeat(count),
        1_000_000,
      ),
  );
});
