import { describe, expect, test } from "vitest";
import { type Clients, clientsOf, message } from "../../support/calls.ts";
import { respond, startLoopback } from "../../support/servers/loopback.ts";

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
const untextable = Object.create(null);
const hostile = new Proxy(
  {},
  {
    get: () => {
      throw new Error("not readable");
    },
    ownKeys: () => {
      throw new Error("not listed");
    },
  },
);
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();

/** Invalid arguments of every type. */
const NONSENSE: readonly unknown[] = [
  undefined,
  null,
  0,
  Number.NaN,
  10n,
  "",
  "text",
  true,
  Symbol("nonsense"),
  () => {},
  [],
  {},
  cyclic,
  untextable,
  hostile,
  revoked,
  new Date(Number.NaN),
];

type Loose = (...args: unknown[]) => PromiseLike<unknown>;
const loose = <T extends object>(target: T, name: keyof T): Loose =>
  (target[name] as unknown as Loose).bind(target);

/** Every method, with an argument `it` from the table. The list id is 17. */
const CALLS: readonly [
  name: string,
  call: (clients: Clients, value: unknown) => PromiseLike<unknown>,
][] = [
  ["accounts.me(it)", ({ v2 }, it) => loose(v2.accounts, "me")(it)],
  ["lists.list(it)", ({ v2 }, it) => loose(v2.lists, "list")(it)],
  ["lists.list({}, it)", ({ v2 }, it) => loose(v2.lists, "list")({}, it)],
  ["lists.retrieve(it)", ({ v2 }, it) => loose(v2.lists, "retrieve")(it)],
  ["lists.retrieve(17, it)", ({ v2 }, it) => loose(v2.lists, "retrieve")(17, it)],
  ["lists.create(it)", ({ v2 }, it) => loose(v2.lists, "create")(it)],
  ["lists.configureOptIn(17, it)", ({ v2 }, it) => loose(v2.lists, "configureOptIn")(17, it)],
  ["subscribers.remove(17, it)", ({ v2 }, it) => loose(v2.subscribers, "remove")(17, it)],
  ["scheduledMessages.list(it)", ({ v2 }, it) => loose(v2.scheduledMessages, "list")(it)],
  ["scheduledMessages.list(17, it)", ({ v2 }, it) => loose(v2.scheduledMessages, "list")(17, it)],
  [
    "scheduledMessages.list(17, { start_date: it })",
    ({ v2 }, it) => loose(v2.scheduledMessages, "list")(17, { start_date: it }),
  ],
  ["momtReports.retrieve(it)", ({ v2 }, it) => loose(v2.momtReports, "retrieve")(it)],
  ["sendRcsText(it)", ({ rcs }, it) => loose(rcs, "sendRcsText")(it)],
  ["sendRcsText(message, it)", ({ rcs }, it) => loose(rcs, "sendRcsText")(message, it)],
  ["sendRcsFile(it)", ({ rcs }, it) => loose(rcs, "sendRcsFile")(it)],
  ["sendRcsFile(message, it)", ({ rcs }, it) => loose(rcs, "sendRcsFile")(message, it)],
  [
    "momtReports.waitUntilFinished(it)",
    ({ v2 }, it) => loose(v2.momtReports, "waitUntilFinished")(it),
  ],
  ["request(it)", ({ v2 }, it) => loose(v2, "request")(it)],
  ["request({ method: it })", ({ v2 }, it) => loose(v2, "request")({ method: it, path: "/a" })],
  ["request({ path: it })", ({ v2 }, it) => loose(v2, "request")({ method: "GET", path: it })],
  [
    "request({ params: it })",
    ({ v2 }, it) => loose(v2, "request")({ method: "GET", path: "/{A}", params: it }),
  ],
  [
    "request({ query: it })",
    ({ v2 }, it) => loose(v2, "request")({ method: "GET", path: "/a", query: it }),
  ],
  [
    "request({ json: it })",
    ({ v2 }, it) => loose(v2, "request")({ method: "POST", path: "/a", json: it }),
  ],
  [
    "request({ schema: it })",
    ({ v2 }, it) => loose(v2, "request")({ method: "GET", path: "/a", schema: it }),
  ],
];

describe("calls with invalid arguments", () => {
  test.each(CALLS)("%s rejects instead of throwing, whatever `it` is", async (_, call) => {
    await using server = await startLoopback(respond(200, {}));
    const clients = clientsOf(server, { responseValidation: "off" });
    const thrown: unknown[] = [];
    for (const value of NONSENSE) {
      try {
        await Promise.resolve(call(clients, value)).catch(() => {});
      } catch (error) {
        thrown.push(`${value === revoked ? "revoked" : typeof value}: ${error}`);
      }
    }
    expect(thrown).toEqual([]);
  });
});
