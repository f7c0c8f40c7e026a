// A call serializes the caller's objects once, when it starts, and does not read them again. Most cases change the objects while
// the call awaits its response.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import { memoryLedger, removeMany, sendMany, sendOnce } from "messaging-service-client/bulk";
import { describe, expect, test } from "vitest";
import { clientsOf, errorOf, message, QUICK } from "../../../support/calls.ts";
import {
  type Exchange,
  hang,
  type Responder,
  respond,
  startLoopback,
} from "../../../support/servers/loopback.ts";
import * as fixtures from "../../../support/tables/specification.ts";

type Mutable = Record<string, unknown>;

/** Calls `change` when a request arrives, and then responds. */
const during =
  (change: () => void, responder: Responder): Responder =>
  async (exchange: Exchange) => {
    change();
    await responder(exchange);
  };

const single = { opt_in_type: "single", first_optin_message: "Hi", second_optin_message: null };

/** A record of a list with an id. */
const listOf = (id: number) => ({ ...fixtures.list, id });
const pageOf = (page: number, ...ids: readonly number[]) => ({
  status: "OK",
  page,
  per_page: ids.length,
  count: 4,
  pages_count: 2,
  lists: ids.map(listOf),
});

describe("a list call whose arguments change while it is read", () => {
  test("the pages of a walk are requested and checked with the arguments at the time of the call", async () => {
    const query: Mutable = { page: 1, per_page: 2, tags: ["a", "b"] };
    const headers: Record<string, string> = { "x-a": "before" };
    const retry: Mutable = { limit: 1, backoff: { ...QUICK.backoff } };
    const change = () => {
      Object.assign(query, { page: 9, per_page: 9, include_deleted: true });
      (query.tags as string[]).push("c");
      headers["x-a"] = "after";
      Object.assign(retry, { limit: 0, backoff: null });
    };
    await using server = await startLoopback(
      during(change, respond(200, pageOf(1, 1, 2))),
      respond(503, ""),
      respond(200, pageOf(2, 3, 4)),
    );
    const options = { headers, retry } as never;
    const lists = await clientsOf(server)
      .v2.lists.list(query as never, options)
      .toArray();
    expect(lists.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(server.requests.map(({ url }) => url)).toEqual([
      "/api/v2/lists?page=1&per_page=2&tags=a&tags=b",
      "/api/v2/lists?page=2&per_page=2&tags=a&tags=b",
      "/api/v2/lists?page=2&per_page=2&tags=a&tags=b",
    ]);
    expect(server.requests.map((request) => request.headers["x-a"])).toEqual(
      Array(3).fill("before"),
    );
  });
});

describe("secrets of arguments that have changed", () => {
  const secret = "the note of a caller";
  const changed = "changed";

  test.each<[where: string, given: Mutable, change: (given: Mutable) => void]>([
    [
      "params",
      { method: "GET", path: "/notes/{NOTE}", params: { NOTE: secret } },
      ({ params }) => Object.assign(params as object, { NOTE: changed }),
    ],
    [
      "query",
      { method: "GET", path: "/notes", query: { note: secret } },
      ({ query }) => Object.assign(query as object, { note: changed }),
    ],
    [
      "an array of the query",
      { method: "GET", path: "/notes", query: { note: [secret] } },
      ({ query }) => (query as { note: string[] }).note.splice(0, 1, changed),
    ],
    [
      "json",
      { method: "POST", path: "/notes", json: { note: [secret] } },
      ({ json }) => (json as { note: string[] }).note.splice(0, 1, changed),
    ],
  ])(
    "no error quotes what was sent in %s, even if the object no longer contains it",
    async (_, given, change) => {
      const quote = respond(422, { error: `no ${secret}, ${encodeURIComponent(secret)} here` });
      await using server = await startLoopback(during(() => change(given), quote));
      const error = await errorOf(clientsOf(server).v2.request(given as never));
      expect(error.message).toContain("no [redacted], [redacted] here");
    },
  );

  test("no error of a list quotes an array that the query no longer contains", async () => {
    const tags = [secret];
    const change = () => tags.splice(0, 1, changed);
    const quote = respond(422, { error: `no ${secret}` });
    await using server = await startLoopback(during(change, quote));
    const error = await errorOf(clientsOf(server).v2.lists.list({ tags } as never));
    expect(error.message).toContain("no [redacted]");
  });

  test.each(["sendRcsText", "sendRcsFile"] as const)(
    "the retry of %s sends what the first attempt sent",
    async (method) => {
      const payload: Mutable =
        method === "sendRcsText"
          ? { text: secret }
          : { file: { url: "https://example.com/menu.pdf" } };
      const given: Mutable = { ...message, rcsPayload: payload };
      const change = () => {
        Object.assign(given, { phoneNumber: "(206) 555-0199", webhookUrl: "", rcsPayload: null });
        Object.assign(payload, { text: "", file: null });
      };
      await using server = await startLoopback(
        during(change, respond(429, "", { "retry-after": "0" })),
        respond(202, { message: "Accepted", transactionId: "t-1" }),
      );
      await clientsOf(server).rcs[method](given as never);
      const [first, second] = server.requests;
      expect(second?.body).toBe(first?.body);
      expect(first?.body).toContain("+12065550123");
    },
  );
});

/** A row of an ORM. Its data is behind accessors, and its JSON omits a column. */
class Row {
  readonly dataValues: object;
  readonly isNewRecord = false;
  constructor(dataValues: object) {
    this.dataValues = dataValues;
  }
  get phoneNumber() {
    return "(206) 555-0199";
  }
  toJSON() {
    return this.dataValues;
  }
}

describe("objects that define their own JSON", () => {
  const sent = { ...message, phoneNumber: "+12065550123" };
  test.each<[name: string, given: object]>([
    ["a row of an ORM", new Row(message)],
    ["an object without a prototype", Object.assign(Object.create(null), message)],
    ["an object of another realm", runInNewContext(`(${JSON.stringify(message)})`)],
    ["a row within a message", { ...message, rcsPayload: new Row(message.rcsPayload) }],
    ["a proxy", new Proxy({ ...message }, {})],
    ["an object whose getter changes", changing({ ...message })],
    ["fields that JSON leaves out", { ...message, note: undefined, save() {} }],
  ])("%s is checked, guarded and sent as its JSON", async (_, given) => {
    const asked: string[] = [];
    const allowRecipient = (phone: string) => asked.push(phone) > 0;
    await using server = await startLoopback(
      respond(202, { message: "Accepted", transactionId: "t-1" }),
    );
    await clientsOf(server, { allowRecipient }).rcs.sendRcsText(given as never);
    expect(asked).toEqual(["+12065550123"]);
    expect(JSON.parse(server.onlyRequest().body)).toEqual(sent);
  });

  test.each<[name: string, given: object]>([
    ["a toJSON with another phone", { ...message, toJSON: () => ({ phoneNumber: "911" }) }],
    ["a phone whose JSON is another", { ...message, phoneNumber: { toJSON: () => "911" } }],
    ["a toJSON that throws", { ...message, toJSON: () => Object(undefined).a.b }],
  ])("%s is refused, and nothing is sent", async (_, given) => {
    await using server = await startLoopback();
    const error = await errorOf(clientsOf(server).rcs.sendRcsText(given as never));
    expect(error).toMatchObject({ code: "validation", source: "client", outcome: "not_sent" });
    expect(server.requests).toEqual([]);
  });

  test("the settings of an opt-in, the settings of a list and a query are sent as their JSON", async () => {
    const settings = { opt_in_type: "single", first_optin_message: "Hi" };
    await using server = await startLoopback(
      respond(200, single),
      respond(200, { status: "OK", list: fixtures.list }),
      respond(200, { ...pageOf(1), messages: [] }),
    );
    const { lists, scheduledMessages } = clientsOf(server).v2;
    await lists.configureOptIn(17, new Row(settings) as never);
    await lists.create(new Row({ name: "VIP" }) as never);
    await lists.list(new Row({ include_deleted: false }) as never);
    await scheduledMessages.list(17, new Row({ start_date: new Date("2027-01-01") }) as never);
    const [first, second, third, fourth] = server.requests;
    expect([first, second].map((request) => JSON.parse(request?.body ?? ""))).toEqual([
      settings,
      { list: { name: "VIP" } },
    ]);
    expect(third?.url).toMatch(/\?include_deleted=false$/);
    expect(fourth?.url).toMatch(/\?start_date=20270101$/);
  });
});

describe("values of another realm", () => {
  test("a Date and a signal of another realm work like any other", async () => {
    const start_date = runInNewContext("new Date(Date.UTC(2027, 0, 2))");
    const controller = runInNewContext("new AbortController()", { AbortController });
    // The signal of another realm, such as jsdom, is an instance of a different class.
    const signal = Object.create({
      addEventListener: (...args: unknown[]) => controller.signal.addEventListener(...args),
      removeEventListener: (...args: unknown[]) => controller.signal.removeEventListener(...args),
      get aborted() {
        return controller.signal.aborted;
      },
      reason: "enough",
    });
    const ended = { status: "OK", page: 1, per_page: 50, count: 0, pages_count: 0, messages: [] };
    await using server = await startLoopback(respond(200, ended), hang);
    const { v2 } = clientsOf(server);
    await v2.scheduledMessages.list(17, { start_date }, { signal });
    expect(server.onlyRequest().url).toBe(
      "/api/v2/lists/17/messages/scheduled?start_date=20270102",
    );
    setTimeout(() => controller.abort(), 30);
    expect(await errorOf(v2.accounts.me({ signal }))).toMatchObject({ code: "abort" });
  });

  // zod cannot create a schema while `Object.prototype` has such a property, so this covers only code that needs no schema.
  test.each([
    ["a function", "() => {}"],
    ["a function that throws", "() => { throw new Error('the property is no option'); }"],
    ["a string", "'of some polyfill'"],
  ])(
    "clients and request() work despite an enumerable property of Object.prototype: %s",
    async (_what, value) => {
      await using server = await startLoopback(respond(200, {}));
      const program = `
        import { fitSms, TransactionalClient, V2Client } from "${new URL("../../../../src/index.ts", import.meta.url)}";
        Object.prototype.addedBySomePolyfill = ${value};
        const options = { baseUrl: "${server.baseUrl}", apiKey: "key", headers: { "x-a": "1" } };
        new TransactionalClient(options);
        const throttle = { limit: 9, interval: 1000 };
        await new V2Client({ ...options, email: "me@example.com", throttle }).request(
          { method: "GET", path: "/any", query: { page: 2 } },
          { retry: { limit: 0, backoff: { initial: 1 } } },
        );
        process.stdout.write(fitSms("fits", { limit: 9 }).text);`;
      const args = ["--input-type=module", "--eval", program];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      expect(stdout).toBe("fits");
      expect(server.onlyRequest().url).toBe("/any?page=2");
    },
  );
});

/** Redefines `phoneNumber` so that every read after the first returns a different number. */
function changing<T extends object>(given: T): T {
  let readings = 0;
  const get = () => {
    readings += 1;
    return readings === 1 ? message.phoneNumber : "(206) 555-0199";
  };
  return Object.defineProperty(given, "phoneNumber", { get, enumerable: true });
}

describe("options that change between the calls of one function", () => {
  const accepted = respond(202, { message: "Accepted", transactionId: "t-1" });
  const poll = (percent_complete: number) => ({
    status: "OK",
    momt_report: {
      ...fixtures.report,
      id: 5,
      cancelled: null,
      run_errors: null,
      percent_complete,
      s3_url: percent_complete < 100 ? null : "https://example.com/5",
    },
  });
  const headers: Record<string, string> = {};
  const change = () => Object.assign(headers, { "x-a": "after" });

  test.each<
    [
      name: string,
      responders: Responder[],
      call: (clients: ReturnType<typeof clientsOf>) => PromiseLike<unknown>,
    ]
  >([
    [
      "waitUntilFinished",
      [during(change, respond(200, poll(5))), respond(200, poll(100))],
      ({ v2 }) => v2.momtReports.waitUntilFinished(5, { headers, interval: 1 }),
    ],
    [
      "sendMany",
      [during(change, accepted), accepted],
      ({ rcs }) =>
        sendMany(rcs, [message, { ...message, phoneNumber: "(206) 555-0199" }], {
          headers,
          batch: "one",
          ledger: memoryLedger(),
          concurrency: 1,
        }),
    ],
    [
      "sendOnce",
      [during(change, respond(429, "", { "retry-after": "0" })), accepted],
      ({ rcs }) => sendOnce(rcs, message, { headers, key: "one", ledger: memoryLedger() }),
    ],
    [
      "removeMany",
      [during(change, respond(404, "")), respond(404, "")],
      ({ v2 }) =>
        removeMany(v2, ["+12065550123", "+12065550199"], {
          headers,
          listId: 17,
          batch: "one",
          ledger: memoryLedger(),
          concurrency: 1,
        }),
    ],
  ])("%s keeps the headers that it started with", async (_, responders, call) => {
    headers["x-a"] = "before";
    await using server = await startLoopback(...responders);
    await call(clientsOf(server));
    expect(server.requests.map((request) => request.headers["x-a"])).toEqual(["before", "before"]);
  });
});
