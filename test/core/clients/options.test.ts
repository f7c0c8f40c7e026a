// The misspelled options: cspell:ignore timout totaltimeout initail intervall
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createThrottle } from "../../../src/index.ts";
import { errorOf } from "../../support/calls.ts";
import { BOTH, requestOf, TRANSACTIONAL, thrownBy, V2 } from "./both.ts";

const SECRET = "sk-9d2f71aa40";

beforeEach(() => {
  for (const { prefix } of BOTH) {
    for (const name of ["BASE_URL", "EMAIL", "API_KEY"]) vi.stubEnv(`${prefix}_${name}`, undefined);
  }
});

/** Expects a TypeError that names an option and quotes no value. */
const expectRefusal = (option: string, error: Error): void => {
  expect(error).toBeInstanceOf(TypeError);
  expect(error.message).toContain(`option \`${option}`);
  expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain(SECRET);
  expect(error.cause).toBeUndefined();
};

/** An option, an invalid value, and the name in the error if it differs from the option. */
const MALFORMED: readonly [option: string, value: unknown, named?: string][] = [
  ["baseUrl", undefined],
  ["baseUrl", null],
  ["baseUrl", ""],
  ["baseUrl", 5],
  ["baseUrl", SECRET],
  ["baseUrl", `https://${SECRET}:${SECRET}@app.example.com`],
  ["baseUrl", `http://app.example.com/${SECRET}`],
  ["baseUrl", new URL("https://app.example.com")],
  ["apiKey", undefined],
  ["apiKey", null],
  ["apiKey", ""],
  ["apiKey", [SECRET]],
  ["apiKey", { key: SECRET }],
  ["apiKey", `${SECRET}\n`],
  ["apiKey", `${SECRET}\r\nx-injected: 1`],
  ["apiKey", `\0${SECRET}`],
  ["throttle", null],
  ["throttle", true],
  ["throttle", 1200],
  ["throttle", SECRET],
  ["throttle", {}, "throttle.limit"],
  ["throttle", { limit: 0, interval: 1 }, "throttle.limit"],
  ["throttle", { limit: 1.5, interval: 1 }, "throttle.limit"],
  ["throttle", { limit: SECRET, interval: 1 }, "throttle.limit"],
  ["throttle", { limit: 1 }, "throttle.interval"],
  ["throttle", { limit: 1, interval: 0 }, "throttle.interval"],
  ["throttle", { limit: 1, interval: Number.POSITIVE_INFINITY }, "throttle.interval"],
  ["throttle", { limit: 1, interval: 1, maxWait: -1 }, "throttle.maxWait"],
  ["throttle", { acquire: SECRET }],
  ["timeout", 0],
  ["timeout", -1],
  ["timeout", "30000"],
  ["timeout", true],
  ["timeout", null],
  ["timeout", Number.NaN],
  ["timeout", 2 ** 31],
  ["timeout", SECRET],
  ["totalTimeout", 0],
  ["totalTimeout", Number.POSITIVE_INFINITY],
  ["totalTimeout", SECRET],
  ["retry", -1],
  ["retry", 1.5],
  ["retry", null],
  ["retry", SECRET],
  ["retry", { limit: SECRET }, "retry.limit"],
  ["retry", { limit: Number.POSITIVE_INFINITY }, "retry.limit"],
  ["retry", { maxRetryAfter: -1 }, "retry.maxRetryAfter"],
  ["retry", { backoff: null }, "retry.backoff"],
  ["retry", { backoff: { initial: -1 } }, "retry.backoff.initial"],
  ["retry", { backoff: { max: SECRET } }, "retry.backoff.max"],
  ["headers", null],
  ["headers", 5],
  ["headers", SECRET],
  ["headers", [["x-a", `${SECRET}\n`, SECRET]]],
  ["headers", [["x-a", { toString: () => SECRET }]]],
  ["headers", [SECRET]],
  ["headers", { "x-a": `${SECRET}\nx-injected: 1` }],
  ["headers", { "x-a": `${SECRET}…` }],
  ["headers", { "x a": SECRET }],
  ["headers", { "": SECRET }],
  ["headers", { "x:a": "" }],
  ["headers", () => "x-a: 1"],
  ["headers", ["x-a", "1"]],
  ["headers", ["ab"]],
  ["headers", [["x-a"]]],
  ["headers", [["x-a", "1", "2"]]],
  ["headers", [["x-a", undefined]]],
  ["headers", [[5, "1"]]],
  ["headers", { "x-a": null }],
  ["headers", { "x-a": 1 }],
  ["headers", { "x-a": ["1", "2"] }],
  ["headers", new Date(0)],
  ["headers", new (class Other {})()],
  ["headers", Promise.resolve({ "x-a": "1" })],
  // An iterator yields its pairs only once, so later requests would lack them.
  ["headers", new Map([["x-a", "1"]]).entries()],
  ["fetch", null],
  ["fetch", SECRET],
  ["fetch", {}],
  ["validateRequests", "false"],
  ["validateRequests", 0],
  ["validateRequests", SECRET],
  ["responseValidation", true],
  ["responseValidation", SECRET],
  ["allowInsecureHttp", 1],
  ["allowInsecureHttp", SECRET],
  ["onEvent", null],
  ["onEvent", SECRET],
];

/** Options that calls accept as well. */
const OF_CALLS = [
  ...["timeout", "totalTimeout", "retry", "headers", "validateRequests"],
  ...["responseValidation", "onEvent"],
];

describe.each(BOTH)("malformed options of $name", ({ options, make }) => {
  test.each(MALFORMED)(
    "the option %s: %j throws a TypeError that names it and quotes no value",
    (option, value, named) =>
      expectRefusal(
        named ?? option,
        thrownBy(() => make({ ...options, [option]: value })),
      ),
  );

  test.each(MALFORMED.filter(([option]) => OF_CALLS.includes(option)))(
    "the option %s of a call: %j rejects with a TypeError that names it and quotes no value",
    async (option, value, named) => {
      const fetch = vi.fn();
      const call = make({ ...options, fetch }).request(
        { method: "GET", path: "/any" },
        { [option]: value },
      );
      expectRefusal(named ?? option, await errorOf<Error>(call));
      expect(fetch).not.toHaveBeenCalled();
    },
  );

  test.each([null, 5, "https://app.example.com", () => {}])(
    "the options %s throw a TypeError that names `options`",
    (value) => {
      expect(thrownBy(() => make(value))).toBeInstanceOf(TypeError);
      expect(thrownBy(() => make(value)).message).toContain("options");
    },
  );

  test.each([
    [{ timout: 5 }, "timout", "timeout"],
    [{ totaltimeout: 5 }, "totaltimeout", "totalTimeout"],
    [{ onevent: () => {} }, "onevent", "onEvent"],
    [{ retry: { limits: 1 } }, "retry.limits", "retry.limit"],
    [{ retry: { backoff: { initail: 1 } } }, "retry.backoff.initail", "retry.backoff.initial"],
    [{ throttle: { limit: 1, intervall: 1 } }, "throttle.intervall", "throttle.interval"],
  ])(
    "an unknown option throws a TypeError that suggests the right one: %j",
    (given, name, meant) => {
      expect(thrownBy(() => make({ ...options, ...given }))).toEqual(
        new TypeError(`option \`${name}\` does not exist: did you mean \`${meant}\`?`),
      );
    },
  );

  test.each(["signal", "prefetch", "contentType", "interval"])(
    "an option of a call that a client does not have throws a TypeError: %s",
    (name) => {
      expect(thrownBy(() => make({ ...options, [name]: 1 }))).toEqual(
        new TypeError(`option \`${name}\` does not exist`),
      );
    },
  );
});

/** Faults of a credential, as the error names them. */
const FAULTS: readonly (readonly [fault: string, faulty: (secret: string) => string])[] = [
  ["white space around it", (secret) => `${secret} `],
  ["white space around it", (secret) => ` ${secret}`],
  ["white space around it", (secret) => `${secret}\n`],
  ["white space around it", (secret) => `\r\n${secret}\r\n`],
  ["white space around it", (secret) => `\t${secret}`],
  ["white space around it", (secret) => `${secret}\u00a0`],
  ["white space around it", (secret) => `${secret}\u2028`],
  ["white space around it", () => " "],
  ["a byte order mark", (secret) => `\ufeff${secret}`],
  ["a byte order mark", (secret) => `${secret}\ufeff`],
  ["a byte order mark", (secret) => `\ufeff"${secret}"\r\n`],
  ["quotation marks around it", (secret) => `"${secret}"`],
  ["quotation marks around it", (secret) => `'${secret}'`],
  ["quotation marks around it", (secret) => `\`${secret}\``],
  ["quotation marks around it", (secret) => `“${secret}”`],
  ["quotation marks around it", (secret) => `„${secret}“`],
  ["quotation marks around it", (secret) => `‘${secret}’`],
  ["quotation marks around it", (secret) => `«${secret}»`],
  ["quotation marks around it", (secret) => `＂${secret}＂`],
  ["quotation marks around it", (secret) => `「${secret}」`],
  ["the scheme or the header before it", (secret) => `Bearer ${secret}`],
  ["the scheme or the header before it", (secret) => `bearer  ${secret}`],
  ["the scheme or the header before it", (secret) => `Basic ${secret}`],
  ["the scheme or the header before it", (secret) => `x-api-key: ${secret}`],
  ["the scheme or the header before it", (secret) => `Authorization: Bearer ${secret}`],
  ["control characters and halves of surrogate pairs", (secret) => `\0${secret}`],
  ["control characters and halves of surrogate pairs", (secret) => `${secret}\u007f`],
  [
    "control characters and halves of surrogate pairs",
    (secret) => `${secret}\r\nx-injected: ${secret}`,
  ],
  ["control characters and halves of surrogate pairs", (secret) => `${secret}\u0085${secret}`],
  ["control characters and halves of surrogate pairs", (secret) => `${secret}\ud83d`],
];

describe.each(BOTH)("credentials of $name", (kind) => {
  const credentials = kind === V2 ? ["apiKey", "email"] : ["apiKey"];
  const cases = credentials.flatMap((option) =>
    FAULTS.map(([fault, faulty]) => [option, faulty(SECRET), fault] as const),
  );

  test.each(cases)("the %s %j is refused, because it has %s", (option, value, fault) => {
    const make = () => kind.make({ ...kind.options, [option]: value });
    expectRefusal(option, thrownBy(make));
    expect(thrownBy(make).message).toBe(`option \`${option}\` must be a string without ${fault}`);
  });

  test.each(cases)("the %s %j from the environment is also refused", (option, value, fault) => {
    const variable = `${kind.prefix}_${option === "email" ? "EMAIL" : "API_KEY"}`;
    // The environment of a real process cannot contain NUL or a lone surrogate.
    vi.stubGlobal("process", { env: { [variable]: value } });
    const { message } = thrownBy(() => kind.make({ ...kind.options, [option]: undefined }));
    vi.unstubAllGlobals();
    expect(message).toBe(`option \`${option}\` must be a string without ${fault}`);
  });

  test.each(['k"', '"k', "'", "a b", 'a"b"c', "=k==", "k-_.~!", "[k]", "Bearer", "bearer-k"])(
    "the apiKey %j is accepted",
    (apiKey) => expect(() => kind.make({ ...kind.options, apiKey })).not.toThrow(),
  );
});

describe("email of V2Client", () => {
  test.each([undefined, null, "", 5, {}, `owner:${SECRET}@example.com`, ":"])(
    "the email %j of a V2Client is refused",
    (email) =>
      expectRefusal(
        "email",
        thrownBy(() => V2.make({ ...V2.options, email })),
      ),
  );

  test.each(['"john doe"@example.com', "jürgen@example.com", "o'neil@example.com"])(
    "the email %j of a V2Client is accepted",
    (email) => expect(() => V2.make({ ...V2.options, email })).not.toThrow(),
  );
});

test("a TransactionalClient has no email", () => {
  const options = { ...TRANSACTIONAL.options, email: "owner@example.com" };
  expect(() => TRANSACTIONAL.make(options)).toThrow("option `email` does not exist");
});

describe("apiKey of TransactionalClient", () => {
  test.each([`${SECRET}é`, `${SECRET}…`, `ключ-${SECRET}`])(
    "the apiKey %j of a TransactionalClient is refused, because a header cannot contain it",
    (apiKey) =>
      expectRefusal(
        "apiKey",
        thrownBy(() => TRANSACTIONAL.make({ ...TRANSACTIONAL.options, apiKey })),
      ),
  );
});

describe.each(BOTH)("valid options of $name", (kind) => {
  test("options of a client that are undefined count as not given", async () => {
    const names = [...MALFORMED.map(([option]) => option), "email"];
    const none = Object.fromEntries(names.map((name) => [name, undefined]));
    const { url } = await requestOf(kind, { ...none, ...kind.options });
    expect(url).toBe(`${kind.options.baseUrl}/any`);
  });

  test.each([
    { timeout: false, totalTimeout: false, retry: 0, throttle: false },
    { timeout: 2 ** 31 - 1, totalTimeout: 0.5, retry: { limit: 100, maxRetryAfter: 0 } },
    { retry: { maxRetryAfter: Number.POSITIVE_INFINITY, backoff: { initial: 0, max: 0 } } },
    { throttle: { limit: 1, interval: 3000, maxWait: 0 } },
    { throttle: createThrottle({ limit: 1, interval: 3000 }) },
    { throttle: { acquire: async () => {} } },
    { headers: new Headers({ "x-a": "1" }), validateRequests: false, responseValidation: "off" },
    { allowInsecureHttp: true, onEvent: () => {}, responseValidation: "strict" },
  ])("the options %j are accepted", (options) => {
    expect(() => kind.make({ ...kind.options, ...options })).not.toThrow();
  });

  test("changing the options after the client was created has no effect", async () => {
    const options = { ...kind.options, headers: { "x-a": "before" } };
    const sent: unknown[] = [];
    const client = kind.make({
      ...options,
      fetch: async (_: string, init: RequestInit) => {
        const headers = init.headers as Record<string, string>;
        sent.push(headers["x-a"]);
        // A change by the application's `fetch` affects only this attempt.
        headers["x-a"] = "of the first attempt";
        return Response.json({});
      },
    });
    options.headers["x-a"] = "after";
    await client.request({ method: "GET", path: "/any" });
    await client.request({ method: "GET", path: "/any" });
    expect(sent).toEqual(["before", "before"]);
  });
});
