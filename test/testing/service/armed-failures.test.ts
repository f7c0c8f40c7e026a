import type { FakeService, NextFailure } from "messaging-service-client/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { createFake, rcsOf, rcsText, v2Of } from "../../support/fakes/fake-service.ts";
import { OTHER_PHONE, PHONE } from "../../support/fakes/opt-in-lists.ts";

let service: FakeService;
beforeEach(() => {
  service = createFake();
});

/** Returns the statuses of this many calls of `GET /api/v2/accounts/me`. The status of a success is 200. */
const statusesOf = async (calls: number, of = service): Promise<number[]> => {
  const statuses: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const status = v2Of(of).accounts.me();
    statuses.push(await status.then(() => 200).catch((error) => error.status));
  }
  return statuses;
};
const countOf = (statuses: readonly number[], status: number) =>
  statuses.filter((known) => known === status).length;

describe("a failure for a phone", () => {
  test("a failure for a phone fails only sends to this phone, in any format of its number", async () => {
    service.failNext({ status: 503, phone: "(206) 555-0123", times: 2 });
    const rcs = rcsOf(service, { validateRequests: false });
    await rcs.sendRcsText({ ...rcsText, phoneNumber: OTHER_PHONE });
    for (const phoneNumber of ["206.555.0123", PHONE]) {
      const send = rcs.sendRcsText({ ...rcsText, phoneNumber });
      await expect(send).rejects.toMatchObject({ status: 503 });
    }
    await rcs.sendRcsText({ ...rcsText, phoneNumber: PHONE });
    expect(service.outbox.map(({ to }) => to)).toEqual([OTHER_PHONE, PHONE]);
  });

  test("a failure for a phone fails the removal of this subscriber", async () => {
    const { id } = service.addList();
    for (const phone_number of [PHONE, OTHER_PHONE]) service.addSubscriber(id, { phone_number });
    service.failNext({ status: 500, phone: PHONE });
    const { subscribers } = v2Of(service);
    await subscribers.remove(id, OTHER_PHONE);
    await expect(subscribers.remove(id, PHONE)).rejects.toMatchObject({ status: 500 });
  });

  test("a failure for a phone does not fail requests that concern no phone", async () => {
    service.failNext({ status: 500, phone: PHONE });
    expect(await statusesOf(3)).toEqual([200, 200, 200]);
  });
});

describe("a failure for a share of requests", () => {
  test("a failure for a share of requests fails about this share, forever", async () => {
    service.failNext({ status: 503, share: 0.1 });
    expect(countOf(await statusesOf(500), 503)).toBeGreaterThan(25);
    expect(countOf(await statusesOf(500), 503)).toBeLessThan(80);
    expect(service.failures).toMatchObject([{ status: 503, share: 0.1, timesLeft: null }]);
  });

  test("a failure for a share of requests fails the same requests for the same seed, and different ones for a different seed", async () => {
    const runs = [7, 7, 8].map(async (seed) => {
      const fake = createFake();
      fake.failNext({ status: 503, share: 0.5, seed });
      return statusesOf(40, fake);
    });
    const [first, again, other] = await Promise.all(runs);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  test("a failure for a share of requests fails at most `times` requests", async () => {
    service.failNext({ status: 503, share: 0.5, times: 3 });
    expect(countOf(await statusesOf(100), 503)).toBe(3);
    expect(service.failures).toEqual([]);
  });

  test("a failure for a share of requests does not count requests of other endpoints", async () => {
    const mixed = createFake();
    service.failNext({ status: 503, share: 0.5, endpoint: "GET /api/v2/accounts/me" });
    mixed.failNext({ status: 503, share: 0.5, endpoint: "GET /api/v2/accounts/me" });
    const alone = await statusesOf(20);
    const among: number[] = [];
    for (let call = 0; call < 20; call += 1) {
      await v2Of(mixed).lists.list();
      among.push(...(await statusesOf(1, mixed)));
    }
    expect(among).toEqual(alone);
  });
});

test("service.failures lists the armed failures in the order in which they apply", async () => {
  service.failNext({ fault: "slow", delayMs: 1, endpoint: "GET /api/v2/accounts/me" });
  service.failNext({
    status: 503,
    headers: { "Retry-After": "1" },
    body: { down: true },
    times: 2,
  });
  service.failNext({ fault: "html", phone: "206-555-0123" });
  expect(service.failures).toEqual([
    { id: 1, fault: "slow", delayMs: 1, endpoint: "GET /api/v2/accounts/me", timesLeft: 1 },
    { id: 2, status: 503, headers: { "retry-after": "1" }, body: { down: true }, timesLeft: 2 },
    { id: 3, fault: "html", phone: "206-555-0123", timesLeft: 1 },
  ]);
  expect(await statusesOf(2)).toEqual([200, 503]);
  expect(service.failures.map(({ id, timesLeft }) => [id, timesLeft])).toEqual([
    [2, 1],
    [3, 1],
  ]);
});

describe("clearFailures", () => {
  test("clearFailures disarms every failure", async () => {
    service.failNext({ status: 503, times: 5 });
    service.failNext({ fault: "network", share: 0.9 });
    service.clearFailures();
    expect(service.failures).toEqual([]);
    expect(await statusesOf(5)).toEqual([200, 200, 200, 200, 200]);
  });

  test("clearFailures with an id disarms only this failure, if it is armed", async () => {
    const { id } = service.failNext({ status: 503 });
    service.failNext({ status: 502 });
    service.clearFailures(99);
    expect(service.failures).toHaveLength(2);
    service.clearFailures(id);
    expect(await statusesOf(2)).toEqual([502, 200]);
  });
});

test("a listed failure can be armed again from its JSON", async () => {
  const armed = service.failNext({ status: 503, share: 0.5, seed: 3, phone: PHONE });
  const { id: _, timesLeft: __, ...failure } = JSON.parse(JSON.stringify(armed));
  service.clearFailures();
  service.failNext(failure as NextFailure);
  expect(service.failures).toMatchObject([{ status: 503, share: 0.5, seed: 3, phone: PHONE }]);
});

test("a fault that does not fit a response waits for one that it fits, and lets later failures pass", async () => {
  const { lists, accounts } = v2Of(service);
  const { id } = service.addReport({ minutes: 0 });
  service.failNext({ fault: "wrong_page" });
  service.failNext({ fault: "drift", times: 2 });
  const file = await service.fetch(`https://files.messaging.test/reports/${id}.csv`);
  expect(await file.text()).toMatch(/^id,/);
  await expect(lists.retrieve(1)).rejects.toThrow("404");
  await expect(accounts.me()).rejects.toMatchObject({ code: "response_validation" });
  await expect(v2Of(service, { apiKey: "other" }).lists.list()).rejects.toThrow("401");
  await expect(lists.list()).rejects.toMatchObject({ code: "response_validation" });
  expect(service.failures).toMatchObject([{ fault: "drift", timesLeft: 1 }]);
  await expect(lists.list()).rejects.toMatchObject({ code: "response_validation" });
});

test("a refusal by field is the documented 400 with its items, and the next send is accepted", async () => {
  const refuse = { phoneNumber: "Invalid phone number", "rcsPayload.text": "Too loud" };
  service.failNext({ refuse, endpoint: "POST /transactional_messages/send_rcs_text" });
  expect(service.failures).toMatchObject([{ refuse, timesLeft: 1 }]);
  const refused = rcsOf(service).sendRcsText(rcsText);
  await expect(refused).rejects.toMatchObject({
    name: "ValidationError",
    source: "service",
    outcome: "rejected",
    status: 400,
    errors: [
      { code: "custom", path: ["phoneNumber"], message: refuse.phoneNumber },
      { code: "custom", path: ["rcsPayload", "text"], message: "Too loud" },
    ],
  });
  expect(service.requests.at(-1)).toMatchObject({ status: 400, failure: "refuse" });
  await rcsOf(service).sendRcsText(rcsText);
  expect(service.outbox).toHaveLength(1);
  service.failNext({ refuse: { name: "Taken" } });
  await expect(v2Of(service).lists.create({ name: "VIP" })).rejects.toMatchObject({ status: 422 });
});

test("failures apply in the order in which they were armed, as often as `times` states, at their endpoints", async () => {
  const { id } = service.addList();
  service.failNext({ status: 500, times: 2, endpoint: "GET /api/v2/lists/{ID}" });
  service.failNext({ status: 502, endpoint: "GET /api/v2/accounts/me" });
  service.failNext({ status: 503 });
  const { lists, accounts } = v2Of(service);
  const calls = [() => lists.list(), () => lists.retrieve(id), () => accounts.me()];
  const statuses: number[] = [];
  for (const index of [0, 0, 1, 1, 1, 2, 2]) {
    const call = calls[index] as () => Promise<unknown>;
    statuses.push(
      await call().then(
        () => 200,
        (error) => error.status,
      ),
    );
  }
  expect(statuses).toEqual([503, 200, 500, 500, 200, 502, 200]);
});
