import { describe, expect, test } from "vitest";
import { createFake, v2Of } from "../../support/fakes/fake-service.ts";

const open = (count = 0) => {
  const service = createFake();
  const { id } = service.addList();
  for (let index = 1; index <= count; index += 1) {
    const day = String(index).padStart(2, "0");
    service.addScheduledMessage(id, { name: day, sent_at: `2026-01-${day}T17:00:00.000Z` });
  }
  return { service, id, scheduledMessages: v2Of(service).scheduledMessages };
};

describe("scheduledMessages.list", () => {
  test("scheduledMessages.list resolves to the messages of a list, and sends only the given parameters", async () => {
    const { service, id, scheduledMessages } = open();
    const message = service.addScheduledMessage(id, { attachment: "https://example.com/a.png" });
    expect((await scheduledMessages.list(id)).items).toEqual([message]);
    await scheduledMessages.list(id, { start_date: undefined, end_date: undefined });
    expect(service.requests).toMatchObject([
      { method: "GET", path: `/api/v2/lists/${id}/messages/scheduled`, query: {} },
      { query: {} },
    ]);
  });

  test.each([
    ["strings", "20260103", "20260105"],
    ["dates", new Date("2026-01-03T00:00:00.000Z"), new Date("2026-01-05T23:59:59.999Z")],
    ["a string and a date", "20260103", new Date("2026-01-05T12:00:00.000Z")],
  ])("scheduledMessages.list accepts days as %s, in UTC", async (_, start_date, end_date) => {
    const { service, id, scheduledMessages } = open(8);
    const { items } = await scheduledMessages.list(id, { start_date, end_date });
    expect(items.map(({ name }) => name)).toEqual(["03", "04", "05"]);
    expect(service.requests[0]?.query).toEqual({ start_date: "20260103", end_date: "20260105" });
  });

  test("scheduledMessages.list rejects with a NotFoundError if there is no such list", async () => {
    const { scheduledMessages } = open();
    await expect(scheduledMessages.list(99).toArray()).rejects.toMatchObject({
      name: "NotFoundError",
      resume: { page: 1, per_page: 1000 },
    });
  });
});
