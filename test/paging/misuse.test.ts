// Invalid arguments reject with an error that names the argument, before anything is sent.
import { describe, expect, test } from "vitest";
import type { V2Client } from "../../src/index.ts";
import { errorOf } from "../support/calls.ts";
import { withLists } from "../support/pages.ts";

type Lists = V2Client["lists"];
type Use = readonly [
  how: string,
  use: (lists: Lists, params: unknown, options: unknown) => PromiseLike<unknown>,
];

const asParams = (params: unknown) => params as object | undefined;
const USES: readonly Use[] = [
  ["awaited", (lists, params, options) => lists.list(asParams(params), asParams(options))],
  [
    "iterated",
    (lists, params, options) => lists.list(asParams(params), asParams(options)).toArray(),
  ],
  [
    "iterated page by page",
    (lists, params, options) => lists.list(asParams(params), asParams(options)).pages().next(),
  ],
];

const cases: readonly [named: string, params: unknown, options: unknown][] = [
  ...["x", 5, true, null, [], [{ page: 2 }], () => {}, Symbol("x")].map(
    (params) => ["params", params, undefined] as [string, unknown, unknown],
  ),
  ...["x", 5, true, null, [], () => {}].map(
    (options) => ["options", {}, options] as [string, unknown, unknown],
  ),
  ...["yes", 1, null, {}].map(
    (prefetch) => ["prefetch", {}, { prefetch }] as [string, unknown, unknown],
  ),
  ...["soon", null, {}].map((signal) => ["signal", {}, { signal }] as [string, unknown, unknown]),
  ["timeout", {}, { timeout: -1 }],
  ["retry", {}, { retry: "x" }],
];

const unknown: readonly [option: string, meant: string | undefined][] = [
  ["Prefetch", "prefetch"],
  ["signals", "signal"],
  ["timeouts", "timeout"],
  ["limit", undefined],
];

describe.each(USES)("a list that is %s", (_, use) => {
  test.each(cases)("a list refuses invalid %s: %o, %o", async (named, params, options) => {
    const events: { type: string }[] = [];
    const { lists, asked } = withLists(3, { onEvent: (event) => events.push(event) });
    const call = use(lists, params, options);
    const error = await errorOf(call);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(new RegExp(`^option \`${named}\` must be `));
    expect(asked).toEqual([]);
    expect(events).toMatchObject([{ type: "failed", code: "validation", outcome: "not_sent" }]);
  });

  test.each(unknown)("a list refuses the unknown option %s", async (option, meant) => {
    const events: { type: string }[] = [];
    const own: { type: string }[] = [];
    const { lists, asked } = withLists(3, { onEvent: (event) => events.push(event) });
    const options = { [option]: true, onEvent: (event: { type: string }) => own.push(event) };
    const error = await errorOf(use(lists, {}, options));
    expect(error).toBeInstanceOf(TypeError);
    const question = meant === undefined ? "" : `: did you mean \`${meant}\`?`;
    expect(error.message).toBe(`option \`${option}\` does not exist${question}`);
    expect(asked).toEqual([]);
    const failed = { type: "failed", code: "validation", outcome: "not_sent" };
    expect([events, own]).toMatchObject([[failed], [failed]]);
  });

  test("a list rejects with the error that a getter of an argument throws", async () => {
    const { lists, asked } = withLists(3);
    const mistake = new Error("a mistake");
    const params = {
      get page(): number {
        throw mistake;
      },
    };
    expect(await errorOf(use(lists, params, undefined))).toBe(mistake);
    expect(asked).toEqual([]);
  });
});

test("a list that is neither awaited nor iterated throws nothing, whatever its arguments", () => {
  const { lists } = withLists(3);
  for (const [, params, options] of cases) lists.list(asParams(params), asParams(options));
});

describe("toArray", () => {
  test.each([null, "x", 5, [], true, () => {}])(
    "toArray refuses the options %o",
    async (options) => {
      const { lists, asked } = withLists(3);
      const error = await errorOf(lists.list().toArray(options as never));
      expect(error).toEqual(new TypeError("option `options` must be an object"));
      expect(asked).toEqual([]);
    },
  );

  test.each([-1, 1.5, Number.NaN, "5", null, 2 ** 53])(
    "toArray refuses the limit %s",
    async (limit) => {
      const { lists, asked } = withLists(3);
      const error = await errorOf(lists.list().toArray({ limit: limit as never }));
      expect(error).toEqual(new TypeError("option `limit` must be an integer, 0 or more"));
      expect(asked).toEqual([]);
    },
  );

  test("toArray refuses an unknown option instead of reading every page", async () => {
    const { lists, asked } = withLists(3);
    const error = await errorOf(lists.list().toArray({ limits: 5 } as object));
    expect(error).toEqual(new TypeError("option `limits` does not exist: did you mean `limit`?"));
    expect(asked).toEqual([]);
  });
});
