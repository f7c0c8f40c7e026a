// Every method rejects invalid arguments before it sends anything, with an error that names the argument.
import { describe, expect, test } from "vitest";
import type { ClientEvent, V2Client } from "../../../src/index.ts";
import { errorOf } from "../../support/calls.ts";
import { withLists } from "../../support/pages.ts";

type Call = (v2: V2Client, given: never) => PromiseLike<unknown>;

const ODD = [null, "x", true, [], [{ page: 2 }], () => {}, Symbol("x")];
const BAD_IDS = [...ODD, undefined, {}, "017", 17n, 0, -1, 1.5, 2 ** 53, Number.NaN, Infinity];
/** Phone numbers that are not strings, or that would address a different resource in a path. */
const BAD_PHONES = [
  ...ODD.filter((odd) => odd !== "x"),
  undefined,
  5,
  "",
  ".",
  "..",
  "\ud83d",
  "a\udc00",
];
const SINGLE = { opt_in_type: "single" } as const;

/** Invalid arguments: the name in the error, the values, the message of the error, and the calls. */
const MISUSES: readonly (readonly [
  named: string,
  wrong: readonly unknown[],
  says: RegExp,
  calls: Readonly<Record<string, Call>>,
])[] = [
  [
    "options",
    [...ODD, 5],
    /^option `options` must be an object/,
    {
      "accounts.me": ({ accounts }, options) => accounts.me(options),
      "lists.list": ({ lists }, options) => lists.list({}, options),
      "lists.list, iterated": ({ lists }, options) => lists.list({}, options).toArray(),
      "lists.list by pages": ({ lists }, options) => lists.list({}, options).pages().next(),
      toArray: ({ lists }, options) => lists.list().toArray(options),
      "lists.retrieve": ({ lists }, options) => lists.retrieve(1, options),
      "lists.create": ({ lists }, options) => lists.create({}, options),
      "lists.configureOptIn": ({ lists }, options) => lists.configureOptIn(1, SINGLE, options),
      "subscribers.remove": ({ subscribers }, options) => subscribers.remove(1, "1", options),
      "scheduledMessages.list": (v2, options) => v2.scheduledMessages.list(1, {}, options),
      "momtReports.retrieve": ({ momtReports }, options) => momtReports.retrieve(1, options),
      waitUntilFinished: ({ momtReports }, options) => momtReports.waitUntilFinished(1, options),
    },
  ],
  [
    "params",
    [...ODD, 5],
    /^option `params` must be an object/,
    {
      "lists.list": ({ lists }, params) => lists.list(params),
      "lists.list, iterated": ({ lists }, params) => lists.list(params).toArray(),
      "lists.list by pages": ({ lists }, params) => lists.list(params).pages().next(),
      "scheduledMessages.list": (v2, params) => v2.scheduledMessages.list(1, params),
    },
  ],
  [
    "settings",
    [...ODD, 5, undefined],
    /must be an object/,
    {
      "lists.create": ({ lists }, body) => lists.create(body),
      "lists.configureOptIn": ({ lists }, body) => lists.configureOptIn(1, body),
    },
  ],
  [
    "listId",
    BAD_IDS,
    /: listId: must be a (positive integer|number, not a string)$/,
    {
      "lists.retrieve": ({ lists }, id) => lists.retrieve(id),
      "lists.configureOptIn": ({ lists }, id) => lists.configureOptIn(id, SINGLE),
      "subscribers.remove": ({ subscribers }, id) => subscribers.remove(id, "1"),
      "scheduledMessages.list": (v2, id) => v2.scheduledMessages.list(id),
    },
  ],
  [
    "listId in a string, which may be a phone number",
    ["17", "12065550123"],
    /: listId: must be a number, not a string$/,
    { "lists.retrieve": ({ lists }, id) => lists.retrieve(id) },
  ],
  [
    "phoneNumber",
    BAD_PHONES,
    /: phoneNumber: must /,
    { "subscribers.remove": ({ subscribers }, phone) => subscribers.remove(1, phone) },
  ],
  [
    "reportId",
    BAD_IDS,
    /: reportId: must be a (positive integer|number, not a string)$/,
    {
      "momtReports.retrieve": ({ momtReports }, id) => momtReports.retrieve(id),
      waitUntilFinished: ({ momtReports }, id) => momtReports.waitUntilFinished(id),
    },
  ],
  [
    "prefetch",
    ["yes", 1, null, {}],
    /^option `prefetch` must be /,
    { "lists.list": ({ lists }, prefetch) => lists.list({}, { prefetch }) },
  ],
  [
    "signal",
    ["soon", null, {}],
    /^option `signal` must be /,
    { "lists.list": ({ lists }, signal) => lists.list({}, { signal }).toArray() },
  ],
  [
    "limit",
    [-1, 1.5, Number.NaN, "5", null, 2 ** 53],
    /^option `limit` must be an integer, 0 or more$/,
    { toArray: ({ lists }, limit) => lists.list().toArray({ limit }) },
  ],
];

/** Returns a client, its events, and the requests that it sends. */
const open = () => {
  const events: ClientEvent[] = [];
  const { v2, asked } = withLists(3, { onEvent: (event) => events.push(event) });
  return { v2, events, asked };
};

describe.each(MISUSES)("an invalid argument: %s", (_, wrong, says, calls) => {
  test.each(Object.keys(calls))(
    "a call of %s is rejected before anything is sent",
    async (name) => {
      for (const given of wrong) {
        const { v2, events, asked } = open();
        const error = await errorOf((calls[name] as Call)(v2, given as never));
        expect(error.message).toMatch(says);
        if (!(error instanceof TypeError)) {
          expect(error).toMatchObject({
            code: "validation",
            source: "client",
            outcome: "not_sent",
          });
        }
        expect(asked).toEqual([]);
        const isOwn = !["toArray", "waitUntilFinished"].includes(name);
        if (isOwn) expect(events).toMatchObject([{ type: "failed", outcome: "not_sent" }]);
      }
    },
  );
});

const LIST_USES: Readonly<Record<string, Call>> = {
  awaited: ({ lists }, args) => lists.list(...(args as [])),
  iterated: ({ lists }, args) => lists.list(...(args as [])).toArray(),
  "iterated page by page": ({ lists }, args) =>
    lists
      .list(...(args as []))
      .pages()
      .next(),
};

describe.each(Object.entries(LIST_USES))("a list that is %s", (_, use) => {
  test.each([
    ["Prefetch", ": did you mean `prefetch`?"],
    ["signals", ": did you mean `signal`?"],
    ["limit", ""],
  ])(
    "a list call refuses the unknown option %s, and reports it to both listeners",
    async (option, question) => {
      const { v2, events, asked } = open();
      const own: ClientEvent[] = [];
      const options = { [option]: true, onEvent: (event: ClientEvent) => own.push(event) };
      const error = await errorOf(use(v2, [{}, options] as never));
      expect(error).toEqual(new TypeError(`option \`${option}\` does not exist${question}`));
      expect(asked).toEqual([]);
      const failed = { type: "failed", code: "validation", outcome: "not_sent" };
      expect([events, own]).toMatchObject([[failed], [failed]]);
    },
  );

  test("a list call rejects with the error that a getter of an argument throws", async () => {
    const { v2, asked } = open();
    const mistake = new Error("a mistake");
    const params = {
      get page(): number {
        throw mistake;
      },
    };
    expect(await errorOf(use(v2, [params] as never))).toBe(mistake);
    expect(asked).toEqual([]);
  });
});

test("a list that is neither awaited nor iterated throws nothing, whatever its arguments", () => {
  const { v2 } = open();
  for (const odd of ODD) v2.lists.list(odd as never, odd as never);
});

test("toArray refuses an unknown option instead of reading every page", async () => {
  const { v2, asked } = open();
  const error = await errorOf(v2.lists.list().toArray({ limits: 5 } as object));
  expect(error).toEqual(new TypeError("option `limits` does not exist: did you mean `limit`?"));
  expect(asked).toEqual([]);
});
