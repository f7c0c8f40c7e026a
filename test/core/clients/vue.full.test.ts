// Clients and other objects of the package in the reactive state of Vue.
import { join } from "node:path";
import { memoryLedger, sendMany, sendOnce, sqliteLedger } from "messaging-service-client/bulk";
import { beforeAll, describe, expect, test } from "vitest";
import { createThrottle } from "../../../src/index.ts";
import { createFake, rcsOf, rcsText, v2Of } from "../../support/fakes/fake-service.ts";
import { importFrom, installFixture } from "../../support/fixture.ts";
import { HELD_CALLS, openHeld } from "../../support/held-clients.ts";
import { newMemoryFolder } from "../../support/memory-folder.ts";

type Hold = <T extends object>(value: T) => T;
interface Vue {
  readonly reactive: Hold;
  readonly readonly: Hold;
  readonly shallowReactive: Hold;
  readonly markRaw: Hold;
  readonly ref: <T>(value: T) => { value: T };
  readonly computed: <T>(get: () => T) => { readonly value: T };
  readonly isReactive: (value: unknown) => boolean;
}

let vue: Vue;
beforeAll(async () => {
  vue = await importFrom<Vue>(installFixture("second-ring"), "vue");
});

/** Ways in which a component may store an object. */
const HOLDERS: Readonly<Record<string, Hold>> = {
  "reactive()": (value) => vue.reactive(value),
  "a field of reactive()": (value) => vue.reactive({ value }).value,
  "ref()": (value) => vue.ref(value).value,
  "computed() of a ref()": (value) => {
    const held = vue.ref(value);
    return vue.computed(() => held.value).value;
  },
  "readonly()": (value) => vue.readonly(value),
  "shallowReactive()": (value) => vue.shallowReactive(value),
  "markRaw() in a ref()": (value) => vue.ref(vue.markRaw(value)).value,
};

describe.each(Object.entries(HOLDERS))("clients in %s of Vue", (how, hold) => {
  test.each(Object.entries(HELD_CALLS))("%s works", async (_name, call) => {
    const { held } = openHeld();
    const expected = await call(openHeld().held);
    const { v2, rcs, ...ids } = held;
    const result = await call({ v2: hold(v2), rcs: hold(rcs), ...ids });
    expect(Object.keys(Object(result))).toEqual(Object.keys(Object(expected)));
  });

  test("allowRecipient is called for every send", async () => {
    const { service, held } = openHeld();
    const rcs = hold(rcsOf(service, { allowRecipient: () => false }));
    const sends = Object.entries(HELD_CALLS).filter(([name]) => /^(send|rcs\.)/.test(name));
    expect(sends).toHaveLength(5);
    await Promise.allSettled(sends.map(([, call]) => call({ ...held, rcs })));
    expect(service.requests).toEqual([]);
  });

  test("the client is a proxy unless it was marked as raw", () => {
    const { rcs } = openHeld().held;
    expect(hold(rcs) !== rcs).toBe(!how.startsWith("markRaw"));
  });

  test("a message, an array of messages and options in Vue's state are sent unchanged", async () => {
    const service = createFake();
    const rcs = hold(rcsOf(service));
    await rcs.sendRcsText(
      hold({ ...rcsText }),
      hold({ headers: { "x-a": "1" }, retry: { limit: 0 } }),
    );
    await Promise.all(hold([{ ...rcsText }]).map((item) => rcs.sendRcsText(item)));
    expect(service.sends).toHaveLength(2);
    expect(service.requests[0]?.headers).toMatchObject({ "x-a": "1" });
  });

  test.each([
    ["memoryLedger", memoryLedger],
    ["sqliteLedger", () => sqliteLedger(join(newMemoryFolder("vue-"), "sends.db"))],
  ])("a ledger of %s works, and keeps concurrent sends of one key in order", async (_, make) => {
    const service = createFake();
    const rcs = rcsOf(service);
    const ledger = make();
    const holds = [hold(ledger), hold(ledger), ledger];
    const sends = holds.map((held) => sendOnce(rcs, rcsText, { ledger: held, key: "one" }));
    const sentNow = (await Promise.all(sends)).map((result) => result.sentNow);
    expect(sentNow).toEqual([true, false, false]);
    const options = { ledger: hold(ledger), batch: "many" };
    expect(await sendMany(rcs, hold([{ ...rcsText }]), options)).toMatchObject({ accepted: 1 });
    expect(service.sends).toHaveLength(2);
    await ledger.close();
  });

  test("a throttle works, inside of a client and on its own", async () => {
    const throttle = createThrottle({ limit: 9, interval: 60_000 });
    const held = hold(throttle);
    await v2Of(createFake(), { throttle: held }).accounts.me();
    await held.acquire();
    expect(held.snapshot()).toEqual(throttle.snapshot());
    expect(throttle.snapshot().used).toBe(2);
  });

  test("a PagePromise, its iterators, a page and an error work", async () => {
    const service = createFake();
    for (const name of ["A", "B", "C"]) service.addList({ name });
    const { lists } = v2Of(service);
    const held = hold(lists.list({ per_page: 2 }));
    const items = hold(held[Symbol.asyncIterator]());
    const pages = hold(held.pages());
    expect((await items.next()).value).toMatchObject({ name: "A" });
    expect((await pages.next()).value).toMatchObject({ page: 1 });
    const page = hold(await held);
    expect(await page.getNextPage()).toMatchObject({ page: 2 });
    const names: string[] = [];
    for await (const { name } of page) names.push(name);
    expect(names).toEqual(["A", "B", "C"]);
    const failed = await lists.retrieve(99).catch((error: Error) => error);
    const error = hold(failed as Error & { body: object; headers: Headers });
    expect(error.body).toMatchObject({ status: "error" });
    expect(error.headers.get("content-type")).toContain("json");
    expect(error.cause).toBeUndefined();
  });
});
