// Clients keep working however a program stores them and passes their methods on.
import { inspect } from "node:util";
import {
  createThrottle,
  type RcsTextMessage,
  TransactionalClient,
  V2Client,
} from "messaging-service-client";
import { describe, expect, test, vi } from "vitest";
import { createFake, rcsFile, rcsOf, rcsText, v2Of } from "../../support/fakes/fake-service.ts";
import { deepProxyOf, HELD_CALLS, openHeld } from "../../support/held-clients.ts";

const proxyOf = <T extends object>(target: T): T => new Proxy(target, {});

/** Ways to store a client. */
const HOLDERS: Readonly<Record<string, <T extends object>(client: T) => T>> = {
  "in a variable": (client) => client,
  "in a proxy": proxyOf,
  "in a proxy of a proxy": (client) => proxyOf(proxyOf(client)),
  "in a proxy whose parts are proxies": deepProxyOf,
  "as the prototype of an object": (client) => Object.create(client),
  frozen: Object.freeze,
};

describe.each(Object.entries(HOLDERS))("clients that are held %s", (_, hold) => {
  test.each(Object.entries(HELD_CALLS))("%s works", async (_name, call) => {
    const { held } = openHeld();
    const expected = await call(openHeld().held);
    const { v2, rcs, ...ids } = held;
    const result = await call({ v2: hold(v2), rcs: hold(rcs), ...ids });
    expect(Object.keys(Object(result))).toEqual(Object.keys(Object(expected)));
  });
});

describe("methods without their client", () => {
  test("destructured methods of both clients and of their parts work", async () => {
    const { service, held } = openHeld();
    const { sendRcsText, sendRcsFile, request } = held.rcs;
    const { accounts, lists, subscribers, scheduledMessages, momtReports } = held.v2;
    const { request: v2Request } = held.v2;
    const { me } = accounts;
    const { list, retrieve, create, configureOptIn } = lists;
    const { remove } = subscribers;
    const { list: listScheduled } = scheduledMessages;
    const { retrieve: retrieveReport, waitUntilFinished } = momtReports;
    const { listId, reportId, phone } = held;
    await sendRcsText(rcsText);
    await sendRcsFile(rcsFile);
    const path = "/transactional_messages/send_rcs_text";
    await request({ method: "POST", path, json: rcsText });
    await v2Request({ method: "GET", path: "/api/v2/lists" });
    await me();
    await list();
    await retrieve(listId);
    await create({ name: "VIP" });
    await configureOptIn(listId, { opt_in_type: "single" });
    await remove(listId, phone);
    await listScheduled(listId);
    await retrieveReport(reportId);
    await waitUntilFinished(reportId, { interval: 1 });
    expect(service.requests).toHaveLength(13);
  });

  test("destructured methods of a PagePromise and of a page work", async () => {
    const service = createFake();
    for (const name of ["A", "B", "C"]) service.addList({ name });
    const lists = v2Of(service).lists.list({ per_page: 2 });
    const { toArray, pages, withResponse, catch: onFailure, finally: onEnd } = lists;
    const { then: onPage } = lists;
    expect(await toArray()).toHaveLength(3);
    expect((await pages().next()).value).toMatchObject({ page: 1 });
    expect((await withResponse()).data).toMatchObject({ page: 1 });
    expect(await onPage(({ page }) => page)).toBe(1);
    expect(await onFailure()).toMatchObject({ page: 1 });
    const { getNextPage, hasNextPage } = await onEnd();
    expect([hasNextPage(), (await getNextPage()).page]).toEqual([true, 2]);
  });

  test("a method that is passed to map rejects the index with an error that names the remedy, and sends nothing", async () => {
    const service = createFake();
    const rcs = rcsOf(service);
    const items = [rcsText, { ...rcsText, smsFailover: "Second" }];
    const remedy =
      "option `options` must be an object, not a number, such as the index that `map` passes: call the method in a function";
    for (const call of items.map(rcs.sendRcsText as never)) {
      await expect(call).rejects.toThrow(new TypeError(remedy));
    }
    const { held, service: other } = openHeld();
    const [retrieved] = [held.listId].map(held.v2.lists.retrieve as never);
    await expect(retrieved).rejects.toThrow(new TypeError(remedy));
    const [page] = [held.listId].map(held.v2.scheduledMessages.list as never);
    await expect(page).rejects.toThrow("must be an object");
    expect([...service.requests, ...other.requests]).toEqual([]);
  });

  test("destructured methods work in a function that map calls", async () => {
    const service = createFake();
    const { sendRcsText } = rcsOf(service);
    await Promise.all([rcsText, rcsText].map((item) => sendRcsText(item)));
    expect(service.sends).toHaveLength(2);
  });

  test.each([5_000, 0, true, [5_000, [rcsText]]])(
    "an argument that is not an object of options is refused: %j",
    async (given) => {
      const service = createFake();
      const call = Reflect.apply(rcsOf(service).sendRcsText, undefined, [rcsText, given].flat());
      await expect(call).rejects.toThrow("option `options` must be an object");
      expect(service.requests).toEqual([]);
    },
  );
});

describe("an object that is not a client as `this`", () => {
  const { held } = openHeld();
  const classes = [V2Client, TransactionalClient].map((from) => from.prototype as object);
  const resources = Object.values(held.v2).map((part) => Object.getPrototypeOf(part) as object);
  const methods = [...classes, ...resources].flatMap((prototype) =>
    Object.getOwnPropertyNames(prototype)
      .filter((name) => name !== "constructor")
      .map((name) => [name, Reflect.get(prototype, name) as () => unknown] as const),
  );

  test.each(methods)(
    "the method %s rejects, and throws nothing synchronously",
    async (_, method) => {
      for (const self of [undefined, null, 5, {}, held.rcs.throttle]) {
        const call = Reflect.apply(method, self, [17, "+12065550123"]);
        await expect(Promise.resolve(call)).rejects.toThrow(TypeError);
      }
    },
  );
});

describe("methods that are replaced", () => {
  test("a spy on a client and on its parts records the call, calls through, and can be restored", async () => {
    const { service, held } = openHeld();
    const { rcs, v2 } = held;
    const spies = [vi.spyOn(rcs, "sendRcsText"), vi.spyOn(v2.lists, "retrieve")];
    await rcs.sendRcsText(rcsText);
    await v2.lists.retrieve(held.listId);
    for (const spy of spies) expect(spy).toHaveBeenCalledOnce();
    expect(service.requests).toHaveLength(2);
    vi.spyOn(rcs, "sendRcsText").mockResolvedValue({ message: "", transactionId: "mocked" });
    expect(await rcs.sendRcsText(rcsText)).toMatchObject({ transactionId: "mocked" });
    vi.restoreAllMocks();
    expect(await rcs.sendRcsText(rcsText)).not.toMatchObject({ transactionId: "mocked" });
  });

  test("a spy on a prototype records the calls of existing clients", async () => {
    const rcs = rcsOf(createFake());
    const { sendRcsText } = rcs;
    const spy = vi.spyOn(TransactionalClient.prototype, "sendRcsText");
    await rcs.sendRcsText(rcsText);
    await sendRcsText(rcsText);
    expect(spy).toHaveBeenCalledTimes(2);
  });

  test("a poll calls a method that replaces `retrieve`", async () => {
    const { held } = openHeld();
    const { momtReports } = held.v2;
    const spy = vi.spyOn(momtReports, "retrieve");
    await momtReports.waitUntilFinished(held.reportId);
    expect(spy).toHaveBeenCalledOnce();
  });

  class Audited extends TransactionalClient {
    readonly #log: string[] = [];
    override sendRcsText(...given: Parameters<TransactionalClient["sendRcsText"]>) {
      this.#log.push(given[0].smsFailover);
      return super.sendRcsText(...given);
    }
    sendTwice(message: RcsTextMessage) {
      return Promise.all([this.sendRcsText(message), this.sendRcsText(message)]);
    }
    get log(): readonly string[] {
      return this.#log;
    }
  }

  test.each(Object.entries(HOLDERS))(
    "a method that a subclass overrides runs with the client itself, %s",
    async (_, hold) => {
      const service = createFake();
      const options = { baseUrl: service.transactionalBaseUrl, apiKey: service.account.apiKey };
      const client = new Audited({ ...options, fetch: service.fetch });
      const { sendRcsText } = hold(client);
      await sendRcsText(rcsText);
      await hold(client).sendRcsText(rcsText);
      await client.sendTwice(rcsText);
      expect(client.log).toHaveLength(4);
      expect(service.sends).toHaveLength(4);
    },
  );
});

describe("what a client shows", () => {
  const options = { baseUrl: "https://app.example.com", apiKey: "key-5f3a9c71e2" };

  test("a client shows its parts and nothing else", () => {
    const v2 = new V2Client({ ...options, email: "owner@example.com" });
    const rcs = new TransactionalClient(options);
    expect(inspect(rcs)).toBe("TransactionalClient {}");
    expect(JSON.stringify(rcs)).toBe("{}");
    expect(Object.keys(rcs)).toEqual([]);
    expect(Object.keys(v2)).toContain("lists");
    for (const [name, part] of Object.entries(v2))
      expect(inspect(part), name).toMatch(/^\w+ \{\}$/);
    expect(inspect(v2.lists)).toBe("Lists {}");
    expect(inspect(v2.lists.list())).toBe("PagePromise {}");
  });

  test("the throttle of a client is the object that it was given", () => {
    const throttle = createThrottle({ limit: 1, interval: 1 });
    expect(new TransactionalClient({ ...options, throttle }).throttle).toBe(throttle);
  });
});
