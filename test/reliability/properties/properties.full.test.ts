// Property tests: any input from the service or the caller results in data or in an error of this package.
// test/core/rules/*.property.full.test.ts has the properties of phone numbers and GSM 7-bit texts.
import { inspect } from "node:util";
import fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { toBasicHeader } from "../../../src/core/clients/options.ts";
import { parseRetryAfter } from "../../../src/core/responses/response-error.ts";
import { checkFile, MessagingServiceError, V2Client, ValidationError } from "../../../src/index.ts";
import { clientsOf, fileMessage, KINDS, message, page, transaction } from "../../support/calls.ts";

const SERVICE = { baseUrl: "https://service.example.com" };

vi.setConfig({ testTimeout: 120_000 });
beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

/** Keys that might change a prototype. */
const AWKWARD = ["__proto__", "constructor", "toString", "valueOf", "then", "length", "toJSON"];
const WIRE_KEYS = [
  ...["status", "error", "errors", "message", "code", "path", "validation", "minimum", "type"],
  ...["account", "list", "lists", "subscriber", "transactionId", "page", "per_page", "count"],
  ...["pages_count", "id", "opt_in_type", "opt_in_requests", "counts", "keyword_names"],
];
const key = fc.oneof(fc.constantFrom(...WIRE_KEYS), fc.constantFrom(...AWKWARD), fc.string());

/** Any JSON, often with keys that the client reads. */
const json = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(null, true, false, "error", "OK", "", 0, -1, 1.5, 2 ** 53, 1e308),
    fc.string({ unit: "binary" }),
    fc.integer(),
    fc.double(),
    fc.array(tie("value"), { maxLength: 4 }),
    tie("object"),
  ),
  object: fc.array(fc.tuple(key, tie("value")), { maxLength: 5 }).map(Object.fromEntries),
})).value;

/** Replaces one part of a value at any depth. */
const withPart = (value: unknown, steps: readonly number[], part: unknown): unknown => {
  const [step, ...rest] = steps;
  if (step === undefined || typeof value !== "object" || value === null) return part;
  const entries = Object.entries(value);
  const index = step % Math.max(1, entries.length);
  const changed = entries.map(([name, inner], at) => [
    name,
    at === index ? withPart(inner, rest, part) : inner,
  ]);
  return Array.isArray(value) ? changed.map(([, inner]) => inner) : Object.fromEntries(changed);
};
const steps = fc.array(fc.nat(30), { minLength: 1, maxLength: 4 });

/** A body: a success with one wrong part, any JSON, a truncated success, or invalid JSON. */
const bodyOf = (success: object) =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .tuple(steps, json)
        .map(([at, part]) => JSON.stringify(withPart(success, at, part))),
    },
    json.map((value) => JSON.stringify(value)),
    fc.nat(200).map((length) => JSON.stringify(success).slice(0, length)),
    fc.array(json, { maxLength: 3 }).map((errors) => JSON.stringify({ error: "no", errors })),
    fc.string({ unit: "binary" }),
  );
const status = fc.constantFrom(
  200,
  201,
  202,
  206,
  302,
  303,
  400,
  401,
  404,
  408,
  422,
  429,
  500,
  503,
);
const headerValue = fc.oneof(
  fc.constantFrom("0", "-1", "1e9", "soon", "Mon, 01 Jan 2001 00:00:00 GMT", "https://[", "%", "r"),
  fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((c) => String.fromCharCode(c)) }),
);
const HEADERS = ["retry-after", "date", "location", "x-request-id", "content-type"];
const headers = fc.dictionary(fc.constantFrom(...HEADERS), headerValue);

type Clients = ReturnType<typeof clientsOf>;
const report = { status: "OK", momt_report: { id: 3, total_rows: null, percent_complete: 50 } };
const messages = { ...page, lists: undefined, messages: [{ id: 1, content: null }] };
const CALLS: readonly { call: (clients: Clients) => PromiseLike<unknown>; success: object }[] = [
  ...KINDS,
  { call: ({ v2 }) => v2.lists.list().toArray({ limit: 20 }), success: page },
  { call: ({ v2 }) => v2.scheduledMessages.list(17), success: messages },
  { call: ({ v2 }) => v2.momtReports.retrieve(3), success: report },
  { call: ({ rcs }) => rcs.sendRcsFile(fileMessage), success: transaction },
  { call: ({ rcs }) => rcs.request({ method: "PATCH", path: "/a" }), success: report },
];
const exchange = fc
  .constantFrom(...CALLS)
  .chain(({ call, success }) => fc.record({ call: fc.constant(call), body: bodyOf(success) }));

test("any response gives data or an error of this package that can be printed", async () => {
  const outcomes = { data: 0, error: 0 };
  await fc.assert(
    fc.asyncProperty(
      exchange,
      fc.constantFrom("strict", "warn", "off"),
      fc.record({ status, headers }),
      async ({ call, body }, responseValidation, init) => {
        const fetch = async () => new Response(body, init);
        const options = { fetch, retry: 0, throttle: false, responseValidation } as const;
        try {
          await call(clientsOf(SERVICE, options));
          outcomes.data += 1;
        } catch (error) {
          outcomes.error += 1;
          if (!MessagingServiceError.is(error)) throw error;
          expect(["rejected", "unknown", "done"]).toContain(error.outcome);
          expect(error.message).toContain(`${error.endpoint}: `);
          expect(JSON.stringify(error)).toContain(error.code);
          expect(inspect(error, { depth: null, showHidden: true })).toContain(error.name);
        }
      },
    ),
    { numRuns: 2000 },
  );
  // Both kinds of results occurred.
  expect(outcomes.data).toBeGreaterThan(80);
  expect(outcomes.error).toBeGreaterThan(300);
});

describe("any arguments of a send", () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
    key,
  });
  const odd = fc.oneof(
    anything,
    fc.constantFrom(Symbol("s"), () => {}, Number.NaN, new Date(Number.NaN), /r/, new Error("e")),
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.webUrl(),
  );
  const input = fc.oneof(
    odd,
    fc
      .tuple(fc.constantFrom(message, fileMessage), steps, odd)
      .map(([right, at, part]) => withPart(right, at, part)),
  );

  test.each([true, false])(
    "any arguments of a send give data or a ValidationError with validateRequests: %s",
    async (validateRequests) => {
      const outcomes = { data: 0, error: 0 };
      const fetch = async () => Response.json(transaction, { status: 202 });
      const { rcs } = clientsOf(SERVICE, { fetch, validateRequests });
      await fc.assert(
        fc.asyncProperty(input, fc.boolean(), async (given, asFile) => {
          const call = asFile ? rcs.sendRcsFile(given as never) : rcs.sendRcsText(given as never);
          try {
            expect(await call).toEqual(transaction);
            outcomes.data += 1;
          } catch (error) {
            outcomes.error += 1;
            if (!ValidationError.is(error)) throw error;
            expect(error).toMatchObject({ source: "client", outcome: "not_sent", attempts: 0 });
            expect(error.errors.length).toBeGreaterThan(0);
            for (const { message: words } of error.errors) expect(words).not.toBe("");
          }
        }),
        { numRuns: 4000 },
      );
      expect(outcomes.error).toBeGreaterThan(validateRequests ? 1000 : 20);
      expect(outcomes.data).toBeGreaterThan(20);
    },
  );
});

test("checkFile gives data or a ValidationError for any URL and any response of its host", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.webUrl(), fc.anything()),
      status,
      headers,
      async (url, code, told) => {
        const init = { status: code, headers: told };
        const fetch = async () => new Response(null, init);
        try {
          expect(await checkFile(url as string, { fetch })).toHaveProperty("contentType");
        } catch (error) {
          if (!ValidationError.is(error)) throw error;
          expect(error.errors[0]?.path).toEqual(["url"]);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

describe("properties of Retry-After", () => {
  const moment = fc.date({ noInvalidDate: true }).map((date) => date.toUTCString());
  const value = fc.oneof(
    moment,
    headerValue,
    fc.integer().map(String),
    fc.double().map(String),
    fc.string({ unit: fc.constantFrom(..."0123456789.-+eE:, GMT"), maxLength: 30 }),
    fc.constantFrom("9".repeat(400), "Infinity", "NaN", "0x10", "1,2", "２", "00", "1.", ".5"),
  );

  test("the wait for Retry-After is from 0 to a year, whatever Retry-After and Date contain", () => {
    let waits = 0;
    fc.assert(
      fc.property(value, fc.option(value), fc.integer(), (retryAfter, date, now) => {
        const given = new Headers();
        const set = (name: string, told: string) => {
          try {
            given.set(name, told);
          } catch {
            // A header cannot contain this value.
          }
        };
        set("retry-after", retryAfter);
        if (date !== null) set("date", date);
        const waitMs = parseRetryAfter(given, now);
        if (waitMs === undefined) return;
        waits += 1;
        expect(waitMs).toBeGreaterThanOrEqual(0);
        expect(waitMs).toBeLessThanOrEqual(31_536_000_000);
      }),
      { numRuns: 10_000 },
    );
    expect(waits).toBeGreaterThan(1000);
  });

  test("the wait for a Retry-After in whole seconds is exact", () => {
    fc.assert(
      fc.property(fc.nat(31_536_000), (seconds) => {
        expect(parseRetryAfter(new Headers({ "retry-after": `${seconds}` }))).toBe(seconds * 1000);
      }),
    );
  });

  test("the wait for a Retry-After date is computed from the header Date, not from the local clock", () => {
    const seconds = fc.integer({ min: 0, max: 10_000_000_000 });
    fc.assert(
      fc.property(seconds, fc.nat(1_000_000), fc.integer(), (at, wait, now) => {
        const given = new Headers({
          date: new Date(at * 1000).toUTCString(),
          "retry-after": new Date((at + wait) * 1000).toUTCString(),
        });
        expect(parseRetryAfter(given, now)).toBe(wait * 1000);
      }),
    );
  });
});

describe("properties of Basic credentials", () => {
  // The client refuses credentials that are surrounded by white space or quotation marks.
  const isQuoted = (text: string) => /^[`\p{QMark}].*[`\p{QMark}]$/su.test(text);
  /** Returns whether a header can contain a string, and no white space or quotation marks surround the string. */
  const isSound = (text: string) =>
    text !== "" && text === text.trim() && !isQuoted(text) && !/[\p{Cc}\p{Cs}\ufeff]/u.test(text);
  const apiKey = fc.string({ unit: "grapheme", minLength: 1 }).filter(isSound);
  const email = apiKey.filter((text) => !text.includes(":"));
  const decode = (header: string): string =>
    Buffer.from(header.replace(/^Basic /, ""), "base64").toString("utf8");

  test("Basic credentials round-trip any Unicode", () => {
    fc.assert(
      fc.property(email, apiKey, (user, password) => {
        const header = toBasicHeader(user, password);
        expect(header).toMatch(/^Basic [A-Za-z0-9+/]+=*$/);
        expect(decode(header)).toBe(`${user}:${password}`);
      }),
      { numRuns: 3000 },
    );
  });

  test("credentials that a header cannot contain are refused", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.string({ unit: "binary" }),
        (user, password) => {
          let made: unknown;
          try {
            made = new V2Client({ ...SERVICE, email: user, apiKey: password });
          } catch (error) {
            made = error;
            expect(error).toBeInstanceOf(TypeError);
          }
          const right = isSound(user) && !user.includes(":") && isSound(password);
          expect(made instanceof V2Client).toBe(right);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
