import {
  type BulkRun,
  memoryLedger,
  type RemoveManyOptions,
  removeMany,
} from "messaging-service-client/bulk";
import { describe, expect, test } from "vitest";
import { agedLedger } from "../support/aged-ledger.ts";
import { createFake, rcsOf, v2Of } from "../support/fakes/fake-service.ts";
import { BATCH, collect, inShort, phone, REFUSAL } from "./batches.ts";

const phones = [1, 2, 3].map(phone);

const world = (options: Partial<RemoveManyOptions> = {}) => {
  const service = createFake();
  const { id: listId } = service.addList();
  for (const phone_number of phones) service.addSubscriber(listId, { phone_number });
  const ledger = memoryLedger();
  const v2 = v2Of(service, { responseValidation: "warn" });
  const remove = (given: readonly string[] = phones, more: Partial<RemoveManyOptions> = {}) =>
    removeMany(v2, given, { listId, batch: BATCH, ledger, concurrency: 1, ...options, ...more });
  const states = async (run: BulkRun<string>) => (await collect(run)).map(inShort);
  const subscribed = async () => (await v2.lists.retrieve(listId)).counts.subscribers;
  return { service, listId, ledger, v2, remove, states, subscribed };
};

describe("removeMany", () => {
  test("removeMany removes each phone number once, and a second run removes none", async () => {
    const { service, remove, states, subscribed } = world();
    expect(await remove()).toMatchObject({ done: 3, accepted: 3 });
    expect(await subscribed()).toBe(0);
    const before = service.requests.length;
    expect(await states(remove())).toEqual(Array(3).fill("accepted_before"));
    expect(service.requests.length).toBe(before);
  });

  test("removeMany uses the phone number as the key exactly as it was given", async () => {
    const { remove, ledger } = world();
    const [result] = await collect(remove(["206-200-0001"]));
    // The fake accepts a phone number only in the form in which it returned it.
    expect(result).toMatchObject({ item: "206-200-0001", key: "206-200-0001", state: "rejected" });
    expect(await ledger.find(BATCH, "206-200-0001")).toMatchObject({ state: "open" });
    const [keyed] = await collect(remove([phone(2)], { keyOf: () => "subscriber-2" }));
    expect(keyed?.key).toBe("subscriber-2");
  });

  test("removeMany from a second list reports `changed` if it uses the batch of the first list", async () => {
    const { remove, states, service } = world();
    await remove([phone(1)]);
    const { id: listId } = service.addList();
    expect(await states(remove([phone(1)], { listId }))).toEqual(["changed"]);
  });

  test("removeMany leaves the key of a 404 open, because the service does not document its meaning", async () => {
    const { service, remove, states, ledger } = world();
    const [, result] = await collect(remove([phone(1), phone(9)]));
    expect(result).toMatchObject({ state: "rejected", error: { code: "not_found" } });
    expect(await ledger.find(BATCH, phone(9))).toMatchObject({ state: "open", code: "not_found" });
    const before = service.requests.length;
    expect(await states(remove([phone(9)]))).toEqual(["rejected"]);
    expect(service.requests.length).toBe(before + 1);
  });

  test("removeMany reports a 404 as unknown if the response to an earlier attempt was lost", async () => {
    const { service, remove, ledger } = world({ retry: { limit: 1, backoff: { initial: 0 } } });
    service.failNext({ fault: "dropped" });
    service.failNext({ status: 404 });
    const [result] = await collect(remove([phone(1)]));
    expect(result).toMatchObject({ state: "unknown", error: { status: 404, attempts: 2 } });
    expect((await ledger.find(BATCH, phone(1)))?.state).toBe("unknown");
  });

  test("removeMany stops after five consecutive 404 responses before the first removal, because the list or the base URL is wrong", async () => {
    const { service, remove, ledger } = world();
    const unknown = [11, 12, 13, 14, 15, 16, 17].map(phone);
    const summary = await remove([...unknown, ...phones]);
    expect(summary).toMatchObject({ stopped: "failures", rejected: 5, error: { status: 404 } });
    expect(await ledger.counts(BATCH)).toMatchObject({ open: 5, rejected: 0 });
    // The next run retries all of them.
    const again = await remove([...phones, ...unknown]);
    expect(again).toMatchObject({ done: 10, accepted: 3, rejected: 7 });
    expect(again).not.toHaveProperty("stopped");
    expect(service.requests).toHaveLength(15);
  });

  test("removeMany settles a documented refusal", async () => {
    const { service, remove, states, ledger } = world();
    service.failNext({ status: 422, body: REFUSAL });
    expect(await states(remove([phone(1)]))).toEqual(["rejected"]);
    expect(await states(remove([phone(1)]))).toEqual(["rejected_before"]);
    expect(await ledger.counts(BATCH)).toMatchObject({ rejected: 1 });
  });

  test("removeMany repeats removals in doubt, of this run, of a finished run and of a killed run", async () => {
    const { service, remove, states, ledger, subscribed } = world();
    service.failNext({ status: 503, times: 2 });
    expect(await states(remove([phone(1), phone(1), phone(1)]))).toEqual([
      "unknown",
      "unknown",
      "accepted",
    ]);
    service.failNext({ status: 503 });
    expect(await states(remove([phone(2)]))).toEqual(["unknown"]);
    expect(await states(remove([phone(2)]))).toEqual(["accepted"]);
    service.failNext({ status: 503 });
    const probe = memoryLedger();
    await remove([phone(3)], { ledger: probe });
    const { digest = "" } = (await probe.find(BATCH, phone(3))) ?? {};
    const killed = { id: "c", batch: BATCH, key: phone(3), digest, ref: "r", owner: "killed" };
    await ledger.claim(killed);
    const aged = { ledger: agedLedger(ledger) };
    expect(await states(remove([phone(3)], aged))).toEqual(["accepted"]);
    expect(await subscribed()).toBe(0);
  });

  test.each(["sending", "unknown"] as const)(
    "a removal does not change the doubt of a send with its batch and key, which is %s",
    async (state) => {
      const { service, remove, states, ledger } = world();
      const send = { id: "c", batch: BATCH, key: phone(1), digest: "d", ref: "r", owner: "o" };
      await ledger.claim(send);
      if (state === "unknown") await ledger.settle(send, { state });
      const aged = { ledger: agedLedger(ledger) };
      expect(await states(remove([phone(1)], aged))).toEqual(["in_doubt"]);
      expect(await ledger.find(BATCH, phone(1))).toMatchObject({ ...send, state });
      expect(service.requests).toEqual([]);
    },
  );

  test("a removal is reported and recorded as unknown if the run stops while it is in doubt", async () => {
    const controller = new AbortController();
    const { service, remove, ledger } = world({
      retry: { limit: 5, backoff: { initial: 60_000, max: 60_000 } },
      stop: controller.signal,
    });
    service.failNext({ status: 503, times: 9 });
    const collected = collect(remove([phone(1)]));
    await expect.poll(() => service.requests.length).toBe(1);
    controller.abort();
    const [result] = await collected;
    expect(result).toMatchObject({ state: "unknown", error: { code: "abort" } });
    expect((await ledger.find(BATCH, phone(1)))?.state).toBe("unknown");
  });

  test("a removal is unknown, with the error of its attempt, if skip excludes it before it is repeated", async () => {
    let asked = 0;
    const { service, remove } = world({
      retry: { limit: 1, backoff: { initial: 0 } },
      skip: () => {
        asked += 1;
        return asked > 1 && "opted in again";
      },
    });
    service.failNext({ status: 503 });
    const [result] = await collect(remove([phone(1)]));
    expect(result).toMatchObject({ state: "unknown", error: { status: 503 } });
  });

  test("removeMany reports invalid phone numbers and sends nothing for them", async () => {
    const { service, remove, states } = world();
    expect(await states(remove(["", "..", "\0"]))).toEqual(["invalid", "invalid", "invalid"]);
    const [result] = await collect(remove([""]));
    const endpoint = "DELETE /api/v2/lists/{ID}/subscribers/{SUBSCRIBER_ID}";
    expect(result?.error).toMatchObject({ endpoint, errors: [{ path: ["phoneNumber"] }] });
    expect(service.requests).toEqual([]);
  });

  test("removeMany removes no second phone number under the key of the first", async () => {
    const { remove, subscribed, states } = world({ keyOf: () => "one key" });
    expect(await states(remove([phone(1)]))).toEqual(["accepted"]);
    expect(await states(remove([phone(2)]))).toEqual(["changed"]);
    expect(await subscribed()).toBe(2);
  });

  test.each([
    [{ listID: 17 }, /`listID` does not exist: did you mean `listId`\?/],
    [{ listId: 0 }, /`listId` must be a positive integer/],
    [{ listId: "17" }, /`listId` must be a positive integer/],
    [{ batch: "" }, /`batch` must be a string of 1 to 1024 bytes/],
    [{ keyOf: () => "" }, /`keyOf` returned an empty string for the item at index 0/],
  ])("removeMany rejects %o with a TypeError", async (options, message) => {
    const { remove } = world();
    await expect(remove(phones, options as never)).rejects.toThrow(message);
  });

  test("removeMany names an argument of the wrong type", async () => {
    const { v2, listId, ledger } = world();
    const options = { listId, batch: BATCH, ledger };
    const withoutList = removeMany(v2, 5 as never, options);
    await expect(withoutList).rejects.toThrow("option `phones` must be an iterable");
    const withoutOptions = removeMany(v2, phones, undefined as never);
    await expect(withoutOptions).rejects.toThrow("option `options` must be an object");
  });

  test("removeMany rejects a TransactionalClient", async () => {
    const { service, listId, ledger } = world();
    const run = removeMany(rcsOf(service) as never, phones, { listId, batch: BATCH, ledger });
    await expect(run).rejects.toThrow(
      "`client` must be a V2Client of this package, not a TransactionalClient",
    );
  });
});
