import { createFakeService, type FakeService } from "messaging-service-client/testing";
import { describe, expect, test } from "vitest";
import { createFake, NEW_YEAR, rcsFile, rcsOf, v2Of } from "../../support/fakes/fake-service.ts";
import {
  double,
  emailStep,
  OTHER_PHONE,
  PHONE,
  texting,
  zipStep,
} from "../../support/fakes/opt-in-lists.ts";

/** A service with at least one resource of each kind. */
const createFull = async (): Promise<FakeService> => {
  const service = createFake({ account: { apiKey: "saved-key" } });
  const { id } = service.addList(double);
  service.addList({ id: 900, deleted: true });
  service.addAccount({ email: "other@example.com" });
  service.addSubscriber(id, { phone_number: OTHER_PHONE });
  service.addScheduledMessage(id, { content: "Sale!", sent_at: "2026-01-01T05:00:00Z" });
  service.addReport({ total_rows: 60 });
  service.cancelReport(service.addReport().id);
  service.setRcsReachable(PHONE, false);
  service.hostFile("https://example.com/a.pdf", { contentType: "text/html" });
  texting(service)("club");
  await rcsOf(service).sendRcsFile(rcsFile);
  service.advance({ minutes: 30 });
  return service;
};

/** Returns a service that is restored from the saved state. */
const restart = (service: FakeService, now = NEW_YEAR): FakeService =>
  createFakeService({
    now: () => new Date(now),
    state: JSON.parse(JSON.stringify(service.save())),
  });

const contentsOf = ({ accounts, lists, reports, phones, outbox, sends, now }: FakeService) => ({
  accounts,
  lists,
  reports,
  phones,
  outbox,
  sends,
  now,
});

describe("a service restored from its saved state", () => {
  test("a service restored from its saved state contains everything that was saved", async () => {
    const service = await createFull();
    const restored = restart(service);
    expect(contentsOf(restored)).toEqual(contentsOf(service));
    for (const phone of [PHONE, OTHER_PHONE]) {
      expect(restored.conversationWith(phone)).toEqual(service.conversationWith(phone));
    }
    const ids = service.lists.map(({ id }) => id);
    for (const id of ids) {
      expect(restored.subscribersOf(id)).toEqual(service.subscribersOf(id));
      expect(restored.scheduledMessagesOf(id)).toEqual(service.scheduledMessagesOf(id));
    }
  });

  test("a service restored from its saved state continues its conversations, reminders, hosted files and ids", async () => {
    const service = await createFull();
    expect(texting(restart(service))("98101")).toEqual([emailStep.request_message]);
    const restored = restart(service);
    restored.advance({ hours: 2 });
    expect(restored.outbox.at(-1)).toMatchObject({
      text: zipStep.no_response_message,
      at: "2026-01-01T02:00:00.000Z",
    });
    expect(texting(restored)("98101")).toEqual([emailStep.request_message]);
    const file = { ...rcsFile, rcsPayload: { file: { url: "https://example.com/a.pdf" } } };
    await expect(rcsOf(restored).sendRcsFile(file)).rejects.toMatchObject({ status: 400 });
    const numbers = (messages: FakeService["messages"]) => messages.map(({ id }) => id);
    expect(numbers(restart(service).messages)).toEqual(numbers(service.messages));
    expect(restored.addList().id).toBe(service.addList().id);
    expect((await v2Of(restored).lists.list()).count).toBe(3);
  });

  test("a service restored from its saved state keeps each history that was truncated, and marks it", async () => {
    const service = createFake({ historyLimit: 2 });
    for (let sent = 0; sent < 3; sent += 1) await rcsOf(service).sendRcsFile(rcsFile);
    texting(service)("one", "two");
    const restored = createFakeService({ historyLimit: 2, state: service.save() });
    expect(restored.outbox).toEqual(service.outbox);
    expect(restored.truncated).toEqual(["outbox", "messages", "sends"]);
  });

  test("a service restored from its saved state sends messages that became due in the meantime, with their own times", async () => {
    const restored = restart(await createFull(), "2026-01-02T00:00:00.000Z");
    const late = restored.outbox.filter(({ at }) => at > "2026-01-01T00:30");
    expect(late.map(({ at, cause }) => [at.slice(0, 16), cause])).toEqual([
      ["2026-01-01T02:00", "no_response_message"],
      ["2026-01-01T05:00", "scheduled_message"],
    ]);
  });

  test("a service restored from its saved state is independent of the service that was saved", async () => {
    const service = await createFull();
    const state = service.save();
    const restored = createFakeService({ now: () => new Date(NEW_YEAR), state });
    restored.addList();
    expect(service.lists).toHaveLength(2);
    expect(state.lists).toHaveLength(2);
  });

  test("a service restored from its saved state does not run setUp, except on reset", async () => {
    const state = (await createFull()).save();
    const service = createFakeService({
      state,
      setUp: (fake) => void fake.addList({ name: "Set up" }),
    });
    expect(service.lists).toHaveLength(2);
    service.reset();
    expect(service.lists).toMatchObject([{ name: "Set up" }]);
    expect(service.account.apiKey).toBe("saved-key");
  });

  test("a service restored from its saved state has the account in its options", async () => {
    const state = (await createFull()).save();
    const service = createFakeService({ state, account: { apiKey: "new-key" } });
    expect(service.account).toMatchObject({
      id: 1,
      email: "owner1@example.com",
      apiKey: "new-key",
    });
    expect(service.accounts).toHaveLength(2);
  });
});

describe("the option state", () => {
  test.each([{}, { version: 0 }, "state", null, 5])("the option state refuses %j", (state) => {
    expect(() => createFakeService({ state: state as never })).toThrow(
      new TypeError(
        "createFakeService: state must be a value that save() of this version returned",
      ),
    );
  });

  /** Parts of a saved state that the tests corrupt. */
  type Saved = Readonly<Record<"ids", object>> &
    Readonly<Record<"reports" | "lists", readonly object[]>>;
  const damages: readonly (readonly [string, (state: Saved) => unknown])[] = [
    ["savedMs", (state: Saved) => ({ ...state, savedMs: 8.65e15 })],
    ["aheadMs", (state: Saved) => ({ ...state, aheadMs: -1 })],
    ["ids.last", (state: Saved) => ({ ...state, ids: { ...state.ids, last: 1e300 } })],
    ["accounts", (state: Saved) => ({ ...state, accounts: [] })],
    [
      "reports.0.startedMs",
      (state: Saved) => ({ ...state, reports: [{ ...state.reports[0], startedMs: 1e300 }] }),
    ],
    [
      "lists.0.conversations.0.1.stepIndex",
      (state: Saved) => ({
        ...state,
        lists: [{ ...state.lists[0], conversations: [["+12065550123", {}]] }],
      }),
    ],
    ["messages", (state: Saved) => ({ ...state, messages: "none" })],
  ];
  test.each(damages)(
    "the option state refuses a state whose %s is damaged, and names it",
    async (name, damage) => {
      const state = damage(JSON.parse(JSON.stringify((await createFull()).save())));
      expect(() => createFakeService({ state: state as never })).toThrow(
        new RegExp(`^createFakeService: state is damaged: ${name.replaceAll(".", "\\.")} `),
      );
    },
  );

  test("the option state with a clock beyond the maximum sets the clock to its maximum", async () => {
    const state = { ...(await createFull()).save(), aheadMs: 1e300 };
    expect(createFakeService({ state }).now.toISOString()).toBe("9999-12-31T23:59:59.999Z");
  });
});
