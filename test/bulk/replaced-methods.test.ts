// Durable sends call the client's own public methods. A replaced method that only pretends to send texts nobody, and a wrapper
// cannot send a message that was not claimed.
import { TransactionalClient, type V2Client } from "messaging-service-client";
import { memoryLedger, removeMany, sendMany, sendOnce } from "messaging-service-client/bulk";
import type { FakeService } from "messaging-service-client/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Subscribers } from "../../src/core/resources/lists.ts";
import { errorOf } from "../support/calls.ts";
import { createFake, rcsOf, rcsText, v2Of } from "../support/fakes/fake-service.ts";
import { BATCH, gate, messages } from "./batches.ts";

afterEach(() => void vi.restoreAllMocks());

const made = { message: "dry run", transactionId: "made up" };
type Send = TransactionalClient["sendRcsText"];

/** Returns a client with one method replaced. */
type Replace<Client> = (client: Client, service: FakeService) => Client;

const subclassWith =
  (sendRcsText: Send): Replace<TransactionalClient> =>
  (_, { transactionalBaseUrl: baseUrl, account: { apiKey }, fetch }) => {
    class Replaced extends TransactionalClient {
      override sendRcsText(...args: Parameters<Send>) {
        return sendRcsText(...args);
      }
    }
    return new Replaced({ baseUrl, apiKey, fetch });
  };

const withMethod = <Client extends object>(client: Client, name: string, method: unknown) =>
  Object.defineProperty(client, name, { value: method, configurable: true, writable: true });

const proxyWith = <Client extends object>(client: Client, name: string, value: unknown) =>
  new Proxy(client, {
    get: (target, key) => (key === name ? value : Reflect.get(target, key)),
  });

const dry = async () => made as never;

const DRY_SENDS: Readonly<Record<string, Replace<TransactionalClient>>> = {
  "a subclass": subclassWith(dry as unknown as Send),
  "a subclass whose method fails": subclassWith((() => {
    throw new Error("not here");
  }) as Send),
  "a spy": (rcs) => {
    vi.spyOn(rcs, "sendRcsText").mockResolvedValue(made);
    return rcs;
  },
  "an empty stub": (rcs) => {
    vi.spyOn(rcs, "sendRcsText").mockReturnValue(undefined as never);
    return rcs;
  },
  "a stub of the prototype": (rcs) => {
    vi.spyOn(TransactionalClient.prototype, "sendRcsText").mockResolvedValue(made);
    return rcs;
  },
  "an assigned function": (rcs) => withMethod(rcs, "sendRcsText", dry),
  "a proxy": (rcs) => proxyWith(rcs, "sendRcsText", dry),
};

describe.each(Object.entries(DRY_SENDS))("%s that does not call through", (_, replace) => {
  test("both durable sends send nothing and end with an error that names the method that was replaced", async () => {
    const service = createFake();
    const ledger = memoryLedger();
    const rcs = replace(rcsOf(service), service);
    const options = { ledger, batch: BATCH };
    const errors = [
      await errorOf(sendOnce(rcs, rcsText, { ...options, key: "order-17" })),
      await errorOf(Promise.resolve(sendMany(rcs, messages(3), options))),
    ];
    for (const error of errors) {
      expect(error).toBeInstanceOf(TypeError);
      expect(error).toHaveProperty("message", expect.stringMatching(/`sendRcsText`.*createFake/));
    }
    expect(service.requests).toEqual([]);
    expect(await ledger.counts(BATCH)).toMatchObject({ sending: 0, unknown: 0, accepted: 0 });
  });
});

const DRY_REMOVALS: Readonly<Record<string, Replace<V2Client>>> = {
  "a spy": (v2) => {
    vi.spyOn(v2.subscribers, "remove").mockResolvedValue({} as never);
    return v2;
  },
  "a stub of the prototype": (v2) => {
    vi.spyOn(Subscribers.prototype, "remove").mockResolvedValue({} as never);
    return v2;
  },
  "an object": (v2) => withMethod(v2, "subscribers", { remove: dry }),
  "a proxy": (v2) => proxyWith(v2, "subscribers", proxyWith(v2.subscribers, "remove", dry)),
};

test.each(Object.entries(DRY_REMOVALS))(
  "%s in place of `subscribers.remove` removes nobody",
  async (_, replace) => {
    const service = createFake();
    const { id } = service.addList({ name: "VIP" });
    service.addSubscriber(id, { phone_number: "+12065550123" });
    const ledger = memoryLedger();
    const v2 = replace(v2Of(service), service);
    const run = removeMany(v2, ["+12065550123"], { listId: id, ledger, batch: BATCH });
    expect(await errorOf(Promise.resolve(run))).toMatchObject({
      message: expect.stringMatching(/`subscribers.remove`/),
    });
    expect(service.requests).toEqual([]);
    expect(await ledger.counts(BATCH)).toMatchObject({ sending: 0, accepted: 0 });
  },
);

/** Replacements that call the original method. */
const THROUGH: Readonly<Record<string, (original: Send) => Send>> = {
  "hands its arguments on": (original) => (message, options) => original(message, options),
  "drops the options": (original) => (message) => original(message),
  "copies the message and drops the options": (original) => (message) => original({ ...message }),
  "copies both": (original) => (message, options) => original({ ...message }, { ...options }),
  "repeats the call": (original) =>
    ((...args: Parameters<Send>) => original(...args).then(() => original(...args))) as never,
  "makes the call twice at once": (original) =>
    ((...args: Parameters<Send>) => Promise.all([original(...args), original(...args)])) as never,
  "waits, and returns something else": (original) =>
    (async (...args: Parameters<Send>) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await original(...args);
      return made;
    }) as never,
  "fails afterwards": (original) =>
    (async (...args: Parameters<Send>) => {
      await original(...args);
      throw new Error("the log is full");
    }) as never,
};

test.each(Object.entries(THROUGH))(
  "a wrapper that %s sends once, with a claim",
  async (_, wrap) => {
    const service = createFake();
    const ledger = memoryLedger();
    const states: unknown[] = [];
    const rcs = rcsOf(service, {
      fetch: async (...args) => {
        states.push(await ledger.counts("once"));
        return service.fetch(...args);
      },
    });
    const replacement = wrap(rcs.sendRcsText);
    const seen = vi.spyOn(rcs, "sendRcsText").mockImplementation(replacement);
    const { transactionId, sentNow } = await sendOnce(rcs, rcsText, { ledger, key: "order-17" });
    expect({ sentNow, transactionId }).toMatchObject({
      sentNow: true,
      transactionId: service.sends[0]?.transactionId,
    });
    expect(seen).toHaveBeenCalledOnce();
    expect(states).toMatchObject([{ sending: 1 }]);
    const summary = await sendMany(rcs, messages(3), { ledger, batch: BATCH });
    expect(summary).toMatchObject({ accepted: 3 });
    expect(service.sends).toHaveLength(4);
  },
);

test("a wrapper that hides a refusal does not turn it into a success", async () => {
  const service = createFake();
  const rcs = rcsOf(service);
  const original = rcs.sendRcsText;
  vi.spyOn(rcs, "sendRcsText").mockImplementation(((...args: Parameters<Send>) =>
    original(...args).catch(() => made)) as never);
  service.failNext({
    status: 400,
    body: { error: "no", errors: [{ code: "custom", message: "no", path: [] }] },
  });
  const call = sendOnce(rcs, rcsText, { ledger: memoryLedger(), key: "order-17" });
  expect(await errorOf(call)).toMatchObject({ outcome: "rejected" });
});

const CHANGING: Readonly<Record<string, (original: Send) => Send>> = {
  "the text": (original) => (message, options) =>
    original({ ...message, smsFailover: `${message.smsFailover}!` }, options),
  "the text, and drops the options": (original) => (message) =>
    original({ ...message, smsFailover: `${message.smsFailover}!` }),
  "the phone in the same object": (original) => (message, options) =>
    original(Object.assign(message, { phoneNumber: "+14165550142" }), options),
};

test.each(Object.entries(CHANGING))(
  "a wrapper that changes %s sends nothing that was not claimed",
  async (_, wrap) => {
    const service = createFake();
    const ledger = memoryLedger();
    const rcs = rcsOf(service);
    const replacement = wrap(rcs.sendRcsText);
    vi.spyOn(rcs, "sendRcsText").mockImplementation(replacement);
    const sent = await sendOnce(rcs, rcsText, { ledger, key: "order-17" }).catch((error) => error);
    for (const { body } of service.requests) expect(body).toMatchObject(rcsText);
    if (service.requests.length === 0) expect(sent).toBeInstanceOf(TypeError);
    expect(await ledger.counts("once")).toMatchObject({ sending: 0, unknown: 0 });
  },
);

test("a wrapper that calls the original as the signal fires, and drops the signal, sends nothing", async () => {
  const service = createFake();
  const rcs = rcsOf(service);
  const original = rcs.sendRcsText;
  const onAbort: Send = (message, { signal, ...options } = {}) =>
    new Promise((resolve, reject) => {
      const call = () => original(message, options).then(resolve, reject);
      signal?.addEventListener("abort", call);
    }) as never;
  vi.spyOn(rcs, "sendRcsText").mockImplementation(onAbort);
  const ledger = memoryLedger();
  const options = { ledger, key: "order-17", signal: AbortSignal.timeout(20) };
  const error = await sendOnce(rcs, rcsText, options).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: "abort", outcome: "not_sent" });
  expect(service.requests).toEqual([]);
  expect(await ledger.counts("once")).toMatchObject({ sending: 0, unknown: 0 });
});

test.each([
  ["run", {}, { totalTimeout: 50 }],
  ["client", { totalTimeout: 50 }, {}],
])(
  "a wrapper that calls the original after totalTimeout of the %s sends nothing, and its call is refused",
  async (_, ofClient, ofRun) => {
    const service = createFake();
    const rcs = rcsOf(service, ofClient);
    const original = rcs.sendRcsText;
    const { open, opened } = gate();
    const ends: unknown[] = [];
    const late = async (...args: Parameters<Send>) => {
      await opened;
      ends.push(await errorOf(original(...args)));
    };
    vi.spyOn(rcs, "sendRcsText").mockImplementation(late as never);
    const options = { ledger: memoryLedger(), batch: BATCH, ...ofRun };
    const error = await errorOf(Promise.resolve(sendMany(rcs, messages(1), options)));
    expect(error).toHaveProperty("message", expect.stringMatching(/`sendRcsText`.*createFake/));
    open();
    await expect.poll(() => ends).toHaveLength(1);
    expect(ends[0]).toBeInstanceOf(TypeError);
    expect(service.requests).toEqual([]);
  },
);

test("a wrapper that never calls the original ends with the run", async () => {
  const service = createFake();
  const rcs = withMethod(rcsOf(service), "sendRcsText", () => new Promise(() => {}));
  const stop = AbortSignal.timeout(20);
  const summary = await sendMany(rcs, messages(3), { ledger: memoryLedger(), batch: BATCH, stop });
  expect(summary).toMatchObject({ done: 0, stopped: "signal" });
});
