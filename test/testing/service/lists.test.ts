import type { NewSubscriber } from "messaging-service-client/testing";
import { describe, expect, test } from "vitest";
import { createFake, NEW_YEAR, v2Of } from "../../support/fakes/fake-service.ts";
import { double, onlyStep, openList, PHONE } from "../../support/fakes/opt-in-lists.ts";

describe("the counts of a list", () => {
  const table: readonly (readonly [string, NewSubscriber, object])[] = [
    ["subscribed", {}, { subscribers: 1, unsubscribed: 0, cleaned: 0 }],
    ["opted out", { opted_out_at: NEW_YEAR }, { subscribers: 0, unsubscribed: 1, cleaned: 0 }],
    ["cleaned", { cleaned_at: NEW_YEAR }, { subscribers: 0, unsubscribed: 0, cleaned: 1 }],
    [
      "opted out and cleaned",
      { opted_out_at: NEW_YEAR, cleaned_at: NEW_YEAR },
      { subscribers: 0, unsubscribed: 0, cleaned: 1 },
    ],
  ];
  test.each(table)(
    "the counts of a list include a subscriber who is %s",
    async (_, fields, counts) => {
      const service = createFake();
      const { id } = service.addList();
      service.addSubscriber(id, fields);
      expect((await v2Of(service).lists.retrieve(id)).counts).toEqual(counts);
    },
  );

  test("the counts of a list follow every change of a subscriber", async () => {
    const service = createFake();
    const v2 = v2Of(service);
    const { id } = service.addList({ keyword_names: ["VIP"] });
    const counts = async () => Object.values((await v2.lists.retrieve(id)).counts);
    expect(await counts()).toEqual([0, 0, 0]);
    service.receiveText({ from: PHONE, text: "VIP" });
    service.addSubscriber(id, { phone_number: "+12065550150" });
    expect(await counts()).toEqual([2, 0, 0]);
    service.receiveText({ from: PHONE, text: "STOP" });
    expect(await counts()).toEqual([1, 1, 0]);
    await v2.subscribers.remove(id, "+12065550150");
    expect(await counts()).toEqual([0, 2, 0]);
    service.receiveText({ from: PHONE, text: "VIP" });
    expect(await counts()).toEqual([1, 1, 0]);
    expect((await v2.lists.list()).items.map((list) => list.counts)).toEqual([
      { subscribers: 1, unsubscribed: 1, cleaned: 0 },
    ]);
  });

  test("the counts of a list cannot be set by a caller", () => {
    const service = createFake();
    const fields = { counts: { subscribers: 9, unsubscribed: 9, cleaned: 9 } };
    expect(service.addList(fields as never).counts).toEqual({
      subscribers: 0,
      unsubscribed: 0,
      cleaned: 0,
    });
  });
});

describe("a deleted list", () => {
  test("a deleted list is returned like any other list unless deleted lists are excluded", async () => {
    const service = createFake();
    const v2 = v2Of(service);
    const [kept, deleted, born] = [
      service.addList(),
      service.addList(),
      service.addList({ deleted: true }),
    ];
    service.deleteList(deleted.id);
    const idsOf = async (params?: { include_deleted: boolean }) =>
      (await v2.lists.list(params)).items.map(({ id }) => id);
    expect(await idsOf()).toEqual([kept.id, deleted.id, born.id]);
    expect(await idsOf({ include_deleted: true })).toEqual([kept.id, deleted.id, born.id]);
    expect(await idsOf({ include_deleted: false })).toEqual([kept.id]);
    expect((await v2.lists.list({ include_deleted: false })).count).toBe(1);
    expect(await v2.lists.retrieve(deleted.id)).toEqual(deleted);
  });

  test("a deleted list loses its keywords and cannot be changed", async () => {
    const service = createFake();
    const v2 = v2Of(service);
    const { id } = service.addList({ keyword_names: ["VIP"], first_optin_message: "Welcome!" });
    service.addSubscriber(id, { phone_number: PHONE });
    service.deleteList(id);
    expect(service.receiveText({ from: "+12065550150", text: "VIP" })).toEqual([]);
    await expect(v2.subscribers.remove(id, PHONE)).rejects.toMatchObject({ status: 404 });
    await expect(v2.lists.configureOptIn(id, { opt_in_type: "single" })).rejects.toMatchObject({
      status: 404,
    });
  });

  test("a deleted list is ignored by STOP if the phone is on another list", () => {
    const service = createFake();
    const kept = service.addList({ keyword_names: ["KEPT"], message_stop: "You have left." });
    const gone = service.addList({ keyword_names: ["GONE"] });
    for (const text of ["KEPT", "GONE"]) service.receiveText({ from: PHONE, text });
    service.deleteList(gone.id);
    const replies = service.receiveText({ from: PHONE, text: "STOP" });
    expect(replies).toMatchObject([{ text: "You have left.", list_id: kept.id }]);
    expect(service.subscribersOf(kept.id)).toMatchObject([{ opted_out_at: expect.any(String) }]);
  });

  test("a deleted list no longer sends reminders", () => {
    const { service, id, text } = openList(double);
    text("club");
    service.deleteList(id);
    service.advance({ hours: 2 });
    expect(service.outbox.map(({ cause }) => cause)).toEqual(["request_message"]);
  });
});

describe("settings of a list", () => {
  test("a new list has the settings that were sent, and null for all others", async () => {
    const service = createFake();
    const v2 = v2Of(service);
    const list = await v2.lists.create({
      name: "New",
      message_stop: "Bye.",
      email_subscribe: true,
    });
    expect(list).toMatchObject({
      name: "New",
      message_stop: "Bye.",
      email_subscribe: true,
      message_help: null,
      email_digest: null,
      keyword_names: [],
      opt_in_type: "single",
      opt_in_requests: [],
      counts: { subscribers: 0, unsubscribed: 0, cleaned: 0 },
    });
    expect(await v2.lists.retrieve(list.id)).toEqual(list);
  });

  test("settings that change to single remove the steps", async () => {
    const service = createFake();
    const v2 = v2Of(service);
    const { id } = service.addList();
    await v2.lists.configureOptIn(id, { opt_in_type: "double", opt_in_requests: [onlyStep] });
    expect((await v2.lists.retrieve(id)).opt_in_requests).toMatchObject([
      { ...onlyStep, list_id: id },
    ]);
    await v2.lists.configureOptIn(id, { opt_in_type: "single" });
    expect(await v2.lists.retrieve(id)).toMatchObject({
      opt_in_type: "single",
      opt_in_requests: [],
    });
  });

  test("a message of a list that is set to null is no longer sent", async () => {
    const service = createFake();
    const v2 = v2Of(service);
    const { id } = service.addList({ first_optin_message: "Welcome!", second_optin_message: "Hi" });
    const [opt_in_type, first_optin_message] = ["single", null] as const;
    const result = await v2.lists.configureOptIn(id, { opt_in_type, first_optin_message });
    expect(result).toEqual({ opt_in_type, first_optin_message, second_optin_message: "Hi" });
    expect(await v2.lists.retrieve(id)).toMatchObject(result);
    const second_optin_message = "Hello again";
    const changed = await v2.lists.configureOptIn(id, { opt_in_type, second_optin_message });
    expect(changed).toEqual({ ...result, second_optin_message });
  });

  test("steps that lack a field that the service returns are refused", async () => {
    const service = createFake();
    const { id } = service.addList();
    const step = { collected_data: "yes", success_action: "optinsubscriber" };
    const settings = { opt_in_type: "double", opt_in_requests: [step] } as never;
    const configured = v2Of(service).lists.configureOptIn(id, settings);
    await expect(configured).rejects.toMatchObject({ status: 422 });
  });
});

test("several accounts see only their own resources", async () => {
  const service = createFake();
  const other = service.addAccount();
  const mine = service.addList({ name: "Mine" });
  const theirs = service.addList({ name: "Theirs", account_id: other.id });
  service.addSubscriber(theirs.id, { phone_number: PHONE });
  const report = service.addReport({ account_id: other.id });
  const [v2, otherV2] = [v2Of(service), v2Of(service, {}, other)];

  expect((await v2.accounts.me()).id).toBe(service.account.id);
  expect((await otherV2.accounts.me()).id).toBe(other.id);
  expect((await v2.lists.list()).items.map(({ name }) => name)).toEqual(["Mine"]);
  expect((await otherV2.lists.list()).items.map(({ name }) => name)).toEqual(["Theirs"]);
  const foreign: readonly (() => PromiseLike<unknown>)[] = [
    () => v2.lists.retrieve(theirs.id),
    () => v2.lists.configureOptIn(theirs.id, { opt_in_type: "single" }),
    () => v2.subscribers.remove(theirs.id, PHONE),
    () => v2.scheduledMessages.list(theirs.id),
    () => v2.momtReports.retrieve(report.id),
    () => otherV2.lists.retrieve(mine.id),
  ];
  for (const call of foreign) await expect(call()).rejects.toMatchObject({ status: 404 });
  expect((await otherV2.momtReports.retrieve(report.id)).account_id).toBe(other.id);
  expect((await otherV2.lists.create({ name: "New" })).name).toBe("New");
  expect((await v2.lists.list()).count).toBe(1);
});
